#include "GStreamerSource.h"

#if __has_include(<gst/gst.h>)
#include <arpa/inet.h>
#include <errno.h>
#include <gst/base/gstpushsrc.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

// The largest buffer, in bytes.
#define LARGEST_BUFFER (64 << 10)
#define LONGEST_LINE 8192

typedef struct {
    GstPushSrc parent;
    char *uri;
    // Written under the lock of the object: a seek and the end of a pipeline interrupt from another thread.
    int socket;
    gboolean is_interrupted;
    // The range that is not delivered yet, in bytes. The end is -1 for all bytes.
    gint64 start, end;
    // TRUE from the head of a response to its end.
    gboolean has_response, is_chunked;
    // The rest of the body or of its chunk, in bytes; -1 up to the end of the connection.
    gint64 rest;
    // The bytes that were received and not used.
    guint8 received[LONGEST_LINE];
    size_t first, last;
} FlowplayerSource;

typedef GstPushSrcClass FlowplayerSourceClass;

static void flowplayer_source_uri_handler_init(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(
    FlowplayerSource, flowplayer_source, GST_TYPE_PUSH_SRC,
    G_IMPLEMENT_INTERFACE(GST_TYPE_URI_HANDLER, flowplayer_source_uri_handler_init))

static GstStaticPadTemplate output =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

// MARK: The connection

static void disconnect(FlowplayerSource *source) {
    GST_OBJECT_LOCK(source);
    if (source->socket >= 0) close(source->socket);
    source->socket = -1;
    GST_OBJECT_UNLOCK(source);
    source->has_response = FALSE;
    source->first = source->last = 0;
}

static gboolean is_interrupted(FlowplayerSource *source) {
    GST_OBJECT_LOCK(source);
    gboolean is_interrupted = source->is_interrupted;
    GST_OBJECT_UNLOCK(source);
    return is_interrupted;
}

// Connects to the proxy. FALSE after an interruption, or if there is no server.
static gboolean connect_to(FlowplayerSource *source, guint16 port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return FALSE;
    GST_OBJECT_LOCK(source);
    source->socket = descriptor;
    GST_OBJECT_UNLOCK(source);
    // An interruption before the connection does not end it.
    return connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && !is_interrupted(source);
}

// Receives some bytes. 0 at the end of the connection, after an error and after an interruption.
static size_t receive(FlowplayerSource *source, void *bytes, size_t most) {
    size_t kept = source->last - source->first;
    if (kept > 0) {
        size_t count = MIN(kept, most);
        memcpy(bytes, source->received + source->first, count);
        source->first += count;
        return count;
    }
    ssize_t count;
    do count = recv(source->socket, bytes, most, 0);
    while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0;
}

// Reads a line without its end. FALSE if there is none.
static gboolean read_line(FlowplayerSource *source, char *line) {
    size_t length = 0;
    while (length + 1 < LONGEST_LINE) {
        if (source->first == source->last) {
            source->first = source->last = 0;
            source->last = receive(source, source->received, sizeof source->received);
            if (source->last == 0) return FALSE;
        }
        char byte = (char)source->received[source->first++];
        if (byte == '\n') {
            if (length > 0 && line[length - 1] == '\r') length--;
            line[length] = 0;
            return TRUE;
        }
        line[length++] = byte;
    }
    return FALSE;
}

static gboolean send_all(FlowplayerSource *source, const char *text) {
    size_t rest = strlen(text);
    while (rest > 0) {
        ssize_t count = send(source->socket, text, rest, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return FALSE;
        text += count;
        rest -= (size_t)count;
    }
    return TRUE;
}

// MARK: A request

static GstFlowReturn lost(FlowplayerSource *source) {
    if (is_interrupted(source)) return GST_FLOW_FLUSHING;
    GST_ELEMENT_ERROR(source, RESOURCE, READ, ("The connection was lost."), (NULL));
    return GST_FLOW_ERROR;
}

static GstFlowReturn refused(FlowplayerSource *source, guint status) {
    if (is_interrupted(source)) return GST_FLOW_FLUSHING;
    GstResourceError code = status == 404 || status == 410  ? GST_RESOURCE_ERROR_NOT_FOUND
                            : status == 401 || status == 403 ? GST_RESOURCE_ERROR_NOT_AUTHORIZED
                                                             : GST_RESOURCE_ERROR_OPEN_READ;
    gst_element_message_full_with_details(
        GST_ELEMENT(source), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code,
        g_strdup_printf("The server refused the request with status %u.", status), NULL, __FILE__, __func__, __LINE__,
        gst_structure_new("details", "http-status-code", G_TYPE_UINT, status, NULL));
    return GST_FLOW_ERROR;
}

// Sends the request, and reads the head of the response.
static GstFlowReturn request(FlowplayerSource *source) {
    disconnect(source);
    GST_OBJECT_LOCK(source);
    char *uri = g_strdup(source->uri);
    GST_OBJECT_UNLOCK(source);
    const char *server = uri ? strstr(uri, "://") : NULL;
    const char *port = server ? strchr(server + 3, ':') : NULL;
    const char *path = port ? strchr(port, '/') : NULL;
    gboolean is_connected = path && connect_to(source, (guint16)atoi(port + 1));
    char *range = source->start == 0 && source->end < 0 ? g_strdup("")
                  : source->end < 0 ? g_strdup_printf("Range: bytes=%" G_GINT64_FORMAT "-\r\n", source->start)
                                    : g_strdup_printf(
                                          "Range: bytes=%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT "\r\n", source->start,
                                          source->end - 1);
    char *text = g_strdup_printf(
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n", path ? path : "/", range);
    gboolean is_sent = is_connected && send_all(source, text);
    g_free(text);
    g_free(range);
    g_free(uri);
    char line[LONGEST_LINE];
    if (!is_sent || !read_line(source, line)) return lost(source);
    guint status = strlen(line) > 9 ? (guint)atoi(line + 9) : 0;
    source->is_chunked = FALSE;
    source->rest = -1;
    while (TRUE) {
        if (!read_line(source, line)) return lost(source);
        if (*line == 0) break;
        if (strncasecmp(line, "content-length:", 15) == 0) source->rest = g_ascii_strtoll(line + 15, NULL, 10);
        if (strncasecmp(line, "transfer-encoding:", 18) == 0) source->is_chunked = TRUE;
    }
    if (status < 200 || status >= 300) return refused(source, status);
    if (source->is_chunked) source->rest = 0;
    source->has_response = TRUE;
    return GST_FLOW_OK;
}

// Reads the size of the next chunk. A size of 0 is the end of the body.
static gboolean next_chunk(FlowplayerSource *source) {
    char line[LONGEST_LINE];
    if (!read_line(source, line)) return FALSE;
    // The end of the chunk before.
    if (*line == 0 && !read_line(source, line)) return FALSE;
    source->rest = g_ascii_strtoll(line, NULL, 16);
    return TRUE;
}

static GstFlowReturn create(GstPushSrc *object, GstBuffer **result) {
    FlowplayerSource *source = (FlowplayerSource *)object;
    if (is_interrupted(source)) return GST_FLOW_FLUSHING;
    if (!source->has_response) {
        GstFlowReturn problem = request(source);
        if (problem != GST_FLOW_OK) return problem;
    }
    if (source->is_chunked && source->rest == 0 && !next_chunk(source)) return lost(source);
    if (source->rest == 0 || source->start == source->end) return GST_FLOW_EOS;
    // A buffer has no more memory than bytes: a slow server sends few at a time.
    guint8 bytes[LARGEST_BUFFER];
    size_t most = source->rest < 0 ? sizeof bytes : (size_t)MIN(source->rest, LARGEST_BUFFER);
    // A server that ignores ranges sends more.
    if (source->end >= 0) most = MIN(most, (size_t)(source->end - source->start));
    size_t count = receive(source, bytes, most);
    if (count == 0) {
        // Without a length, the end of the connection is that of the body.
        return source->rest < 0 && !is_interrupted(source) ? GST_FLOW_EOS : lost(source);
    }
    if (source->rest > 0) source->rest -= (gint64)count;
    source->start += (gint64)count;
    *result = gst_buffer_new_memdup(bytes, count);
    return GST_FLOW_OK;
}

// MARK: The source

static gboolean start(GstBaseSrc *object) {
    FlowplayerSource *source = (FlowplayerSource *)object;
    source->start = 0;
    source->end = -1;
    return TRUE;
}

static gboolean stop(GstBaseSrc *object) {
    disconnect((FlowplayerSource *)object);
    return TRUE;
}

static gboolean unlock(GstBaseSrc *object) {
    FlowplayerSource *source = (FlowplayerSource *)object;
    GST_OBJECT_LOCK(source);
    source->is_interrupted = TRUE;
    if (source->socket >= 0) shutdown(source->socket, SHUT_RDWR);
    GST_OBJECT_UNLOCK(source);
    return TRUE;
}

static gboolean unlock_stop(GstBaseSrc *object) {
    FlowplayerSource *source = (FlowplayerSource *)object;
    GST_OBJECT_LOCK(source);
    source->is_interrupted = FALSE;
    GST_OBJECT_UNLOCK(source);
    return TRUE;
}

static gboolean is_seekable(GstBaseSrc *object) {
    (void)object;
    return TRUE;
}

static gboolean do_seek(GstBaseSrc *object, GstSegment *segment) {
    FlowplayerSource *source = (FlowplayerSource *)object;
    disconnect(source);
    source->start = (gint64)segment->start;
    source->end = segment->stop == GST_CLOCK_TIME_NONE ? -1 : (gint64)segment->stop;
    return TRUE;
}

static gboolean query(GstBaseSrc *object, GstQuery *query) {
    if (!GST_BASE_SRC_CLASS(flowplayer_source_parent_class)->query(object, query)) return FALSE;
    if (GST_QUERY_TYPE(query) == GST_QUERY_SCHEDULING) {
        GstSchedulingFlags flags;
        gint smallest, largest, alignment;
        gst_query_parse_scheduling(query, &flags, &smallest, &largest, &alignment);
        // Pipelines buffer what comes from a network.
        flags |= GST_SCHEDULING_FLAG_BANDWIDTH_LIMITED;
        gst_query_set_scheduling(query, flags, smallest, largest, alignment);
    }
    return TRUE;
}

static void flowplayer_source_init(FlowplayerSource *source) { source->socket = -1; }

static void finalize(GObject *object) {
    g_free(((FlowplayerSource *)object)->uri);
    G_OBJECT_CLASS(flowplayer_source_parent_class)->finalize(object);
}

static void flowplayer_source_class_init(FlowplayerSourceClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    gst_element_class_set_static_metadata(
        GST_ELEMENT_CLASS(class), "Source of the HLS proxy", "Source/Network", "Reads playlists and segments",
        "swift-flowplayer");
    gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(class), &output);
    GstBaseSrcClass *base = GST_BASE_SRC_CLASS(class);
    base->start = start;
    base->stop = stop;
    base->unlock = unlock;
    base->unlock_stop = unlock_stop;
    base->is_seekable = is_seekable;
    base->do_seek = do_seek;
    base->query = query;
    class->create = create;
}

static GstURIType uri_type(GType type) {
    (void)type;
    return GST_URI_SRC;
}

static const gchar *const *protocols(GType type) {
    static const gchar *const protocols[] = {GSTREAMER_SOURCE_SCHEME, NULL};
    (void)type;
    return protocols;
}

static gchar *get_uri(GstURIHandler *handler) {
    FlowplayerSource *source = (FlowplayerSource *)handler;
    GST_OBJECT_LOCK(source);
    gchar *uri = g_strdup(source->uri);
    GST_OBJECT_UNLOCK(source);
    return uri;
}

static gboolean set_uri(GstURIHandler *handler, const gchar *uri, GError **error) {
    gboolean is_valid = g_str_has_prefix(uri, GSTREAMER_SOURCE_SCHEME "://127.0.0.1:");
    for (const gchar *byte = uri; *byte; byte++) is_valid = is_valid && g_ascii_isgraph(*byte);
    if (!is_valid) {
        g_set_error(error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI, "This is no address of the HLS proxy.");
        return FALSE;
    }
    FlowplayerSource *source = (FlowplayerSource *)handler;
    GST_OBJECT_LOCK(source);
    g_free(source->uri);
    source->uri = g_strdup(uri);
    GST_OBJECT_UNLOCK(source);
    return TRUE;
}

static void flowplayer_source_uri_handler_init(gpointer interface, gpointer data) {
    (void)data;
    GstURIHandlerInterface *handler = interface;
    handler->get_type = uri_type;
    handler->get_protocols = protocols;
    handler->get_uri = get_uri;
    handler->set_uri = set_uri;
}

void gstreamer_source_register(void) {
    gst_element_register(NULL, "flowplayersrc", GST_RANK_PRIMARY, flowplayer_source_get_type());
}
#endif
