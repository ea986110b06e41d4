#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <gst/rtsp/gstrtspmessage.h>
#include <gst/tag/tag.h>
#include <string.h>

// Swift can call neither macros nor functions with variable arguments. These functions replace them.

static inline GstMessageType gstreamer_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }

static inline gboolean gstreamer_is_from(GstMessage *message, GstElement *element) {
    return GST_MESSAGE_SRC(message) == GST_OBJECT(element);
}

static inline GstEventType gstreamer_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }

// Releases a query, a sample or a table of contents.
static inline void gstreamer_unref(gpointer object) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }

// Sends the error of a change of the state. It arrives after the errors that the elements have sent.
static inline void gstreamer_post_failure(GstElement *pipeline) {
    GST_ELEMENT_ERROR(pipeline, CORE, STATE_CHANGE, (NULL), (NULL));
}

static inline GstBin *gstreamer_bin(GstElement *element) { return GST_BIN(element); }

static inline GstPipeline *gstreamer_pipeline(GstElement *element) { return GST_PIPELINE(element); }

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

// The buffer or the event that a probe of both has received; NULL if it is the other one.
static inline GstBuffer *gstreamer_probed_buffer(GstPadProbeInfo *info) {
    return info->type & GST_PAD_PROBE_TYPE_BUFFER ? gst_pad_probe_info_get_buffer(info) : NULL;
}

static inline GstEvent *gstreamer_probed_event(GstPadProbeInfo *info) {
    return info->type & GST_PAD_PROBE_TYPE_BUFFER ? NULL : gst_pad_probe_info_get_event(info);
}

// Answers a query for formats: raw video of any size.
static inline GstPadProbeReturn gstreamer_accept_any_size(GstPadProbeInfo *info) {
    GstQuery *query = GST_PAD_PROBE_INFO_QUERY(info);
    if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return GST_PAD_PROBE_OK;
    GstCaps *filter;
    gst_query_parse_caps(query, &filter);
    GstCaps *caps = gst_caps_new_empty_simple("video/x-raw");
    if (filter) {
        GstCaps *both = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
        gst_caps_unref(caps);
        caps = both;
    }
    gst_query_set_caps_result(query, caps);
    gst_caps_unref(caps);
    return GST_PAD_PROBE_HANDLED;
}

// The time at which a sample of a sink is due, by the pipeline's clock; GST_CLOCK_TIME_NONE if it has no time.
static inline GstClockTime gstreamer_due_time(GstAppSink *sink, GstSample *sample) {
    GstClockTime time = gst_segment_to_running_time(
        gst_sample_get_segment(sample), GST_FORMAT_TIME, GST_BUFFER_PTS(gst_sample_get_buffer(sample)));
    if (!GST_CLOCK_TIME_IS_VALID(time)) return time;
    return time + gst_element_get_base_time(GST_ELEMENT(sink)) + gst_base_sink_get_latency(GST_BASE_SINK(sink));
}

// The sample that a sink shows. The caller releases it.
static inline GstSample *gstreamer_last_sample(GstElement *sink) {
    GstSample *sample = NULL;
    g_object_get(sink, "last-sample", &sample, NULL);
    return sample;
}

static inline void gstreamer_set_string(GstElement *element, const char *property, const char *value) {
    g_object_set(element, property, value, NULL);
}

// The frames that a sink has dropped because they were late.
static inline guint64 gstreamer_dropped_frames(GstElement *sink) {
    GstStructure *stats = NULL;
    guint64 count = 0;
    g_object_get(sink, "stats", &stats, NULL);
    if (stats) gst_structure_get_uint64(stats, "dropped", &count);
    g_clear_pointer(&stats, gst_structure_free);
    return count;
}

// The caller releases it with `g_free`.
static inline gchar *gstreamer_get_string(GstElement *element, const char *property) {
    gchar *value = NULL;
    g_object_get(element, property, &value, NULL);
    return value;
}

static inline int gstreamer_get_int(GstElement *element, const char *property) {
    int value = 0;
    g_object_get(element, property, &value, NULL);
    return value;
}

// The pad of a stream; NULL without one. The caller releases it.
static inline GstPad *gstreamer_pad(GstElement *playbin, const char *action, int stream) {
    GstPad *pad = NULL;
    g_signal_emit_by_name(playbin, action, stream, &pad);
    return pad;
}

// Flushes the audio behind the place where playbin selects a stream. A seek must follow.
//
// While it is paused, the thread of the stream that was selected before waits there. A seek flushes only the selected stream, and would
// wait for that thread for ever.
static inline void gstreamer_flush_audio(GstElement *playbin) {
    GstPad *pad = gstreamer_pad(playbin, "get-audio-pad", 0);
    GstElement *selector = pad ? gst_pad_get_parent_element(pad) : NULL;
    GstPad *output = selector ? gst_element_get_static_pad(selector, "src") : NULL;
    if (output) gst_pad_push_event(output, gst_event_new_flush_start());
    g_clear_pointer(&output, gst_object_unref);
    g_clear_pointer(&selector, gst_object_unref);
    g_clear_pointer(&pad, gst_object_unref);
}

// The elements of a pipeline, also in its bins. The caller releases the array.
//
// factory: the kind of the elements; NULL for all.
static inline GPtrArray *gstreamer_elements(GstElement *pipeline, const char *factory) {
    GPtrArray *elements = g_ptr_array_new_with_free_func(gst_object_unref);
    GstIterator *iterator = factory ? gst_bin_iterate_all_by_element_factory_name(GST_BIN(pipeline), factory)
                                    : gst_bin_iterate_recurse(GST_BIN(pipeline));
    GValue value = G_VALUE_INIT;
    GstIteratorResult result;
    while ((result = gst_iterator_next(iterator, &value)) == GST_ITERATOR_OK || result == GST_ITERATOR_RESYNC) {
        if (result == GST_ITERATOR_RESYNC) {
            g_ptr_array_set_size(elements, 0);
            gst_iterator_resync(iterator);
            continue;
        }
        g_ptr_array_add(elements, g_value_dup_object(&value));
        g_value_reset(&value);
    }
    gst_iterator_free(iterator);
    return elements;
}

// Stops the output threads of the jitter buffers, of a pipeline that plays. They may hang: see the decision record 34.
static inline void gstreamer_flush_packets(GstElement *pipeline) {
    GPtrArray *buffers = gstreamer_elements(pipeline, "rtpjitterbuffer");
    for (guint index = 0; index < buffers->len; index++) {
        GstPad *pad = gst_element_get_static_pad(g_ptr_array_index(buffers, index), "sink");
        gst_pad_send_event(pad, gst_event_new_flush_start());
        gst_object_unref(pad);
    }
    g_ptr_array_unref(buffers);
}

// True if a pipeline contains an element of a kind.
static inline gboolean gstreamer_contains(GstElement *pipeline, const char *factory) {
    GPtrArray *elements = gstreamer_elements(pipeline, factory);
    gboolean contains = elements->len > 0;
    g_ptr_array_unref(elements);
    return contains;
}

// True if the message names a part that is missing for audio, video or a container; false for another kind of file.
static inline gboolean gstreamer_lacks_media_part(GstMessage *message) {
    const GValue *caps = gst_structure_get_value(gst_message_get_structure(message), "detail");
    if (!caps || !GST_VALUE_HOLDS_CAPS(caps)) return TRUE;
    return gst_pb_utils_get_caps_description_flags(gst_value_get_caps(caps)) != 0;
}

// Reads the last segment event of a pad. False if there was none.
static inline gboolean gstreamer_get_segment(GstPad *pad, GstSegment *segment) {
    GstEvent *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    if (!event) return FALSE;
    gst_event_copy_segment(event, segment);
    gst_event_unref(event);
    return TRUE;
}

// The position in the item of a time stamp at a pad.
static inline GstClockTime gstreamer_stream_time(GstPad *pad, GstClockTime time) {
    GstSegment segment;
    return gstreamer_get_segment(pad, &segment) ? gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, time) : time;
}

// The running time of a time stamp at a pad; GST_CLOCK_TIME_NONE if it has none.
static inline GstClockTime gstreamer_running_time(GstPad *pad, GstClockTime time) {
    GstSegment segment;
    if (!gstreamer_get_segment(pad, &segment)) return GST_CLOCK_TIME_NONE;
    return gst_segment_to_running_time(&segment, GST_FORMAT_TIME, time);
}

// The time until the segment of a pad begins, in nanoseconds; 0 if it has begun. Until then, the sink of a pipeline that plays reports
// the start of the segment as its position.
static inline GstClockTime gstreamer_time_until_segment(GstElement *pipeline, GstPad *pad) {
    GstSegment segment;
    GstClock *clock = GST_STATE(pipeline) == GST_STATE_PLAYING ? gst_element_get_clock(pipeline) : NULL;
    if (!clock) return 0;
    GstClockTime now = gst_clock_get_time(clock) - gst_element_get_base_time(pipeline);
    gst_object_unref(clock);
    if (!gstreamer_get_segment(pad, &segment)) return 0;
    return now < segment.base ? segment.base - now : 0;
}

// The time of the first data of a Matroska file, in nanoseconds; 0 for other files. Its duration includes that, and its positions do not.
static inline GstClockTime gstreamer_matroska_start(GstElement *pipeline) {
    GPtrArray *demuxers = gstreamer_elements(pipeline, "matroskademux");
    GstClockTime start = 0;
    if (demuxers->len > 0) {
        GstElement *demuxer = demuxers->pdata[0];
        GstSegment segment;
        GST_OBJECT_LOCK(demuxer);
        GstPad *pad = demuxer->srcpads ? gst_object_ref(demuxer->srcpads->data) : NULL;
        GST_OBJECT_UNLOCK(demuxer);
        if (pad && gstreamer_get_segment(pad, &segment) && segment.start > segment.time) start = segment.start - segment.time;
        g_clear_pointer(&pad, gst_object_unref);
    }
    g_ptr_array_unref(demuxers);
    return start;
}

static inline gboolean gstreamer_is_flushing(GstPad *pad) { return GST_PAD_IS_FLUSHING(pad); }

static inline gboolean gstreamer_is_key_frame(GstBuffer *buffer) {
    return !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
}

// True if an element decodes video.
static inline gboolean gstreamer_is_video_decoder(GstElement *element) {
    const char *kind = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
    return kind && strstr(kind, "Decoder") && strstr(kind, "Video");
}

// The name of the element's kind; NULL if it has none.
static inline const char *gstreamer_kind(GstElement *element) {
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory ? GST_OBJECT_NAME(factory) : NULL;
}

// True if hardware does the work of an element.
static inline gboolean gstreamer_is_hardware(GstElement *element) {
    const char *kind = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
    return kind && strstr(kind, "Hardware");
}

// Lets pipelines choose the video decoders of a plugin, whose rank is none. GST_PLUGIN_FEATURE_RANK decides for those that it names.
static inline void gstreamer_allow_decoders(const char *plugin) {
    const char *ranks = g_getenv("GST_PLUGIN_FEATURE_RANK");
    GList *features = gst_registry_get_feature_list_by_plugin(gst_registry_get(), plugin);
    for (GList *item = features; item; item = item->next) {
        GstPluginFeature *feature = GST_PLUGIN_FEATURE(item->data);
        if (!GST_IS_ELEMENT_FACTORY(feature) || gst_plugin_feature_get_rank(feature) != GST_RANK_NONE) continue;
        const GstElementFactoryListType type = GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO;
        if (!gst_element_factory_list_is_type(GST_ELEMENT_FACTORY(feature), type)) continue;
        if (ranks && strstr(ranks, gst_plugin_feature_get_name(feature))) continue;
        gst_plugin_feature_set_rank(feature, GST_RANK_PRIMARY + 1);
    }
    gst_plugin_feature_list_free(features);
}

// The kind of the hardware decoder that has sent a message, or that contains the sender; NULL without one.
static inline const char *gstreamer_failed_decoder(GstMessage *message) {
    for (GstObject *object = GST_MESSAGE_SRC(message); object; object = GST_OBJECT_PARENT(object)) {
        if (!GST_IS_ELEMENT(object)) continue;
        GstElement *element = GST_ELEMENT(object);
        if (gstreamer_is_video_decoder(element) && gstreamer_is_hardware(element)) return gstreamer_kind(element);
    }
    return NULL;
}

// The kind of the element that decodes the video of a pipeline; NULL without one. A hardware decoder may contain another one.
static inline const char *gstreamer_video_decoder(GstElement *pipeline) {
    const char *kind = NULL;
    GPtrArray *elements = gstreamer_elements(pipeline, NULL);
    for (guint i = 0; i < elements->len; i++) {
        GstElement *element = GST_ELEMENT(elements->pdata[i]);
        if (gstreamer_is_video_decoder(element) && (!kind || gstreamer_is_hardware(element))) kind = gstreamer_kind(element);
    }
    g_ptr_array_unref(elements);
    return kind;
}

// Seeks. The queues have no limits meanwhile.
//
// After a change of the quality, a demuxer of mp4 holds a lock until its queue has room. The flush of the seek waits for this lock, and
// a paused pipeline makes no room.
static inline gboolean gstreamer_seek(GstElement *pipeline, double rate, GstSeekFlags flags, gint64 time) {
    typedef struct {
        guint buffers, bytes;
        guint64 time;
    } Limits;
    GPtrArray *queues = gstreamer_elements(pipeline, "multiqueue");
    Limits *limits = g_new0(Limits, queues->len);
    for (guint i = 0; i < queues->len; i++) {
        GObject *queue = queues->pdata[i];
        g_object_get(
            queue, "max-size-buffers", &limits[i].buffers, "max-size-bytes", &limits[i].bytes, "max-size-time",
            &limits[i].time, NULL);
        g_object_set(queue, "max-size-buffers", 0, "max-size-bytes", 0, "max-size-time", (guint64)0, NULL);
    }
    gboolean is_sought = gst_element_seek(
        pipeline, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, time, GST_SEEK_TYPE_NONE, -1);
    for (guint i = 0; i < queues->len; i++) {
        g_object_set(
            queues->pdata[i], "max-size-buffers", limits[i].buffers, "max-size-bytes", limits[i].bytes, "max-size-time",
            limits[i].time, NULL);
    }
    g_free(limits);
    g_ptr_array_unref(queues);
    return is_sought;
}

// Doubles the limits of a queue that is full before all sinks have data, up to 80 seconds and 128 MB.
//
// Segments of mp4 may contain all of their video before their audio. The queue of the video would be full before the audio arrives, and
// the pipeline would wait for ever.
static inline void gstreamer_grow_queue(GstElement *queue, gpointer unused) {
    GstObject *pipeline = gst_object_ref(queue);
    for (GstObject *parent; (parent = gst_object_get_parent(pipeline)); pipeline = parent) gst_object_unref(pipeline);
    const gboolean is_waiting = GST_STATE_RETURN(pipeline) == GST_STATE_CHANGE_ASYNC;
    gst_object_unref(pipeline);
    if (!is_waiting) return;
    guint bytes;
    guint64 time;
    g_object_get(queue, "max-size-bytes", &bytes, "max-size-time", &time, NULL);
    if (bytes < 128u << 20 && time < 80 * GST_SECOND) {
        g_object_set(queue, "max-size-bytes", bytes * 2, "max-size-time", time * 2, NULL);
    }
}

static inline void gstreamer_grow_when_full(GstElement *queue) {
    g_signal_connect(queue, "overrun", G_CALLBACK(gstreamer_grow_queue), NULL);
}

// True if an element is of a kind.
static inline gboolean gstreamer_is(GstElement *element, const char *factory) {
    GstElementFactory *made = gst_element_get_factory(element);
    return made && g_strcmp0(GST_OBJECT_NAME(made), factory) == 0;
}

// Removes the receivers of a UDP sink.
static inline void gstreamer_clear_receivers(GstElement *sink) { g_signal_emit_by_name(sink, "clear"); }

// A signal about a new element, such as `source-setup`.
static inline void gstreamer_on_element(
    GstElement *playbin, const char *signal, void (*callback)(GstElement *, GstElement *, gpointer), gpointer data) {
    g_signal_connect(playbin, signal, G_CALLBACK(callback), data);
}

static inline void gstreamer_on_pad_added(
    GstElement *element, void (*callback)(GstElement *, GstPad *, gpointer), gpointer data) {
    g_signal_connect(element, "pad-added", G_CALLBACK(callback), data);
}

// Answers `autoplug-select`: 2 skips an element that opens addresses. Only the playlist of a stream itself may have one. An editing list
// never may.
static inline int gstreamer_select(
    GstElement *decodebin, GstPad *pad, GstCaps *caps, GstElementFactory *factory, gpointer is_stream) {
    const char *class = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
    const char *const *excluded = (const char *const *)g_object_get_data(G_OBJECT(decodebin), "flowplayer-excluded");
    if (excluded && g_strv_contains(excluded, GST_OBJECT_NAME(factory))) return 2;
    if (class && strstr(class, "Editing")) return 2;
    if (!class || (!strstr(class, "Adaptive") && !strstr(class, "Network")) || strstr(class, "Depayloader")) return 0;
    GstPad *target = GST_IS_GHOST_PAD(pad) ? gst_ghost_pad_get_target(GST_GHOST_PAD(pad)) : gst_object_ref(pad);
    GstElement *parent = target ? gst_pad_get_parent_element(target) : NULL;
    gboolean is_own = is_stream && parent && gstreamer_is(parent, "typefind");
    if (parent) gst_object_unref(parent);
    if (target) gst_object_unref(target);
    return is_own ? 0 : 2;
}

// excluded: the names of the elements that must not be used, separated by commas.
static inline void gstreamer_limit_elements(GstElement *decodebin, gboolean is_stream, const char *excluded) {
    g_object_set_data_full(
        G_OBJECT(decodebin), "flowplayer-excluded", g_strsplit(excluded, ",", -1), (GDestroyNotify)g_strfreev);
    g_signal_connect(decodebin, "autoplug-select", G_CALLBACK(gstreamer_select), GINT_TO_POINTER(is_stream));
}

// Asks before an RTSP source sends a message. `allows` returns false to stop it.
static inline void gstreamer_on_rtsp_message(
    GstElement *source, gboolean (*allows)(GstElement *, GstRTSPMessage *, gpointer), gpointer data,
    void (*release)(gpointer, GClosure *)) {
    g_signal_connect_data(source, "before-send", G_CALLBACK(allows), data, release, 0);
}

// A signal about the number of streams, such as `audio-changed`.
static inline void gstreamer_on_streams(
    GstElement *playbin, const char *signal, void (*callback)(GstElement *, gpointer), gpointer data) {
    g_signal_connect(playbin, signal, G_CALLBACK(callback), data);
}

// A signal about one stream, such as `audio-tags-changed`.
static inline void gstreamer_on_stream(
    GstElement *playbin, const char *signal, void (*callback)(GstElement *, gint, gpointer), gpointer data) {
    g_signal_connect(playbin, signal, G_CALLBACK(callback), data);
}

// The file and the symbol of an address, which the C library's own module leaves out.
typedef struct {
    const char *path;
    void *base;
    const char *symbol;
    void *address;
} gstreamer_library;
extern int gstreamer_find_library(const void *address, gstreamer_library *library) __asm__("dladdr");
