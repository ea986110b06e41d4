#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>

// Swift can call neither macros nor functions with variable arguments. These functions replace them.

static inline GstMessageType gstreamer_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }

static inline gboolean gstreamer_is_from(GstMessage *message, GstElement *element) {
    return GST_MESSAGE_SRC(message) == GST_OBJECT(element);
}

static inline GstEventType gstreamer_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }

// Releases a query, a sample or a table of contents.
static inline void gstreamer_unref(gpointer object) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }

static inline GstBin *gstreamer_bin(GstElement *element) { return GST_BIN(element); }

static inline GstAppSink *gstreamer_app_sink(GstElement *element) { return GST_APP_SINK(element); }

static inline GstAppSrc *gstreamer_app_src(GstElement *element) { return GST_APP_SRC(element); }

// Sets a property from its text, as in gst-launch.
static inline void gstreamer_set(GstElement *element, const char *property, const char *value) {
    gst_util_set_object_arg(G_OBJECT(element), property, value);
}

static inline void gstreamer_set_element(GstElement *element, const char *property, GstElement *value) {
    g_object_set(element, property, value, NULL);
}

static inline void gstreamer_set_double(GstElement *element, const char *property, double value) {
    g_object_set(element, property, value, NULL);
}

// The sample that a sink shows. The caller releases it.
static inline GstSample *gstreamer_last_sample(GstElement *sink) {
    GstSample *sample = NULL;
    g_object_get(sink, "last-sample", &sample, NULL);
    return sample;
}

static inline void gstreamer_on_source_setup(
    GstElement *playbin, void (*callback)(GstElement *, GstElement *, gpointer), gpointer data) {
    g_signal_connect(playbin, "source-setup", G_CALLBACK(callback), data);
}

// Called for each stream. Returns 1 to decode it, 0 not to, and -1 for the first one of its kind.
static inline void gstreamer_on_select_stream(
    GstElement *playbin, gint (*callback)(GstElement *, GstStreamCollection *, GstStream *, gpointer), gpointer data) {
    GstIterator *decoders = gst_bin_iterate_all_by_element_factory_name(GST_BIN(playbin), "decodebin3");
    GValue decoder = G_VALUE_INIT;
    while (gst_iterator_next(decoders, &decoder) == GST_ITERATOR_OK) {
        g_signal_connect(g_value_get_object(&decoder), "select-stream", G_CALLBACK(callback), data);
        g_value_unset(&decoder);
    }
    gst_iterator_free(decoders);
}

// The file and the symbol of an address, which the C library's own module leaves out.
typedef struct {
    const char *path;
    void *base;
    const char *symbol;
    void *address;
} gstreamer_library;
extern int gstreamer_find_library(const void *address, gstreamer_library *library) __asm__("dladdr");
