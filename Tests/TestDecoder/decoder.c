#include "TestDecoder.h"

#if __has_include(<gst/gst.h>)
#include <gst/gst.h>

static gint failing, hanging, decoded;

typedef GstBin TestDecoder;
typedef GstBinClass TestDecoderClass;
G_DEFINE_TYPE(TestDecoder, test_decoder, GST_TYPE_BIN)

static GstStaticPadTemplate input = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-h264, width=(int)176, height=(int)144"));
static GstStaticPadTemplate output = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-raw"));

static GstPadProbeReturn count(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)info, (void)data;
    g_atomic_int_inc(&decoded);
    return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn hang(GstPad *pad, GstPadProbeInfo *info, gpointer passed) {
    (void)pad, (void)info;
    return g_atomic_int_add((gint *)passed, 1) < g_atomic_int_get(&hanging) ? GST_PAD_PROBE_PASS : GST_PAD_PROBE_OK;
}

static void expose(GstBin *bin, GstElement *element, const char *name) {
    GstPad *pad = gst_element_get_static_pad(element, name);
    gst_element_add_pad(GST_ELEMENT(bin), gst_ghost_pad_new(name, pad));
    gst_object_unref(pad);
}

static void test_decoder_init(TestDecoder *decoder) {
    GstBin *bin = GST_BIN(decoder);
    GstElement *guard = gst_element_factory_make("identity", NULL), *inner = gst_element_factory_make("avdec_h264", NULL);
    int buffers = g_atomic_int_get(&failing);
    if (buffers > 0) g_object_set(guard, "error-after", buffers, NULL);
    gst_bin_add_many(bin, guard, inner, NULL);
    gst_element_link(guard, inner);
    expose(bin, guard, "sink");
    expose(bin, inner, "src");
    GstPad *pad = gst_element_get_static_pad(guard, "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, count, NULL, NULL);
    if (g_atomic_int_get(&hanging) > 0) {
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, hang, g_new0(gint, 1), g_free);
    }
    gst_object_unref(pad);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change) {
    if (change == GST_STATE_CHANGE_NULL_TO_READY && g_atomic_int_get(&failing) < 0) return GST_STATE_CHANGE_FAILURE;
    return GST_ELEMENT_CLASS(test_decoder_parent_class)->change_state(element, change);
}

static void test_decoder_class_init(TestDecoderClass *class) {
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    gst_element_class_set_static_metadata(
        element, "Test decoder", "Codec/Decoder/Video/Hardware", "Decodes, or fails", "swift-flowplayer");
    gst_element_class_add_static_pad_template(element, &input);
    gst_element_class_add_static_pad_template(element, &output);
    element->change_state = change_state;
}

// The same decoder for another size.
typedef TestDecoder UnrankedDecoder;
typedef TestDecoderClass UnrankedDecoderClass;
G_DEFINE_TYPE(UnrankedDecoder, unranked_decoder, test_decoder_get_type())

static GstStaticPadTemplate unranked_input = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-h264, width=(int)192, height=(int)144"));

static void unranked_decoder_init(UnrankedDecoder *decoder) { (void)decoder; }

static void unranked_decoder_class_init(UnrankedDecoderClass *class) {
    gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(class), &unranked_input);
}

void test_decoder_register(void) {
    gst_init(NULL, NULL);
    gst_element_register(NULL, "flowplayertestdec", GST_RANK_PRIMARY + 100, test_decoder_get_type());
}

static gboolean load_plugin(GstPlugin *plugin) {
    return gst_element_register(plugin, "flowplayerunrankeddec", GST_RANK_NONE, unranked_decoder_get_type());
}

void test_decoder_register_unranked(const char *plugin) {
    gst_init(NULL, NULL);
    gst_plugin_register_static(
        GST_VERSION_MAJOR, GST_VERSION_MINOR, plugin, "A decoder without a rank", load_plugin, "1.0", "LGPL", "test", "test", "test");
}

void test_decoder_fail(int buffers) { g_atomic_int_set(&failing, buffers); }

void test_decoder_hang(int buffers) { g_atomic_int_set(&hanging, buffers); }

int test_decoder_count(void) { return g_atomic_int_get(&decoded); }
#endif
