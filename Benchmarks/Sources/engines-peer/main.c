// A minimal player over GStreamer, with the options that the backend uses. It is a peer of the benchmark engines.
// usage: engines-peer FILE WARM-UP   prints milliseconds to the first frame
// GStreamer has started before the warm-up, which is in seconds.
#include <stdio.h>

#if __has_include(<gst/gst.h>)
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <stdlib.h>
#include <unistd.h>

static gint64 start;

static GstFlowReturn show(GstAppSink *sink, gpointer data) {
    gint64 time = g_get_monotonic_time();
    (void)data;
    GstSample *sample = gst_app_sink_try_pull_preroll(sink, 0);
    if (!sample) return GST_FLOW_OK;
    gst_sample_unref(sample);
    printf("%.3f\n", (time - start) / 1e3);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    gst_init(NULL, NULL);
    usleep((useconds_t)(atof(argv[2]) * 1e6));
    start = g_get_monotonic_time();
    GstElement *player = gst_element_factory_make("playbin", NULL);
    GstElement *video = gst_parse_bin_from_description(
        "videoconvertscale ! video/x-raw,format=BGRA ! appsink name=output", TRUE, NULL);
    GstElement *audio = gst_element_factory_make("fakesink", NULL);
    if (!player || !video || !audio) return 1;
    g_object_set(audio, "sync", TRUE, NULL);
    GstElement *output = gst_bin_get_by_name(GST_BIN(video), "output");
    GstAppSinkCallbacks callbacks = {.new_preroll = show};
    gst_app_sink_set_callbacks(GST_APP_SINK(output), &callbacks, NULL, NULL);
    gchar *address = gst_filename_to_uri(argv[1], NULL);
    g_object_set(player, "uri", address, "video-sink", video, "audio-sink", audio, NULL);
    gst_util_set_object_arg(G_OBJECT(player), "flags", "video+audio+deinterlace");
    gst_element_set_state(player, GST_STATE_PLAYING);
    sleep(60);
    return 1;
}
#else
int main(void) {
    fputs("GStreamer is missing. Build with: --traits GStreamer\n", stderr);
    return 1;
}
#endif
