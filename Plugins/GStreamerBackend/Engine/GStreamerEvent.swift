#if GStreamer
import CGStreamer
import Foundation
import Playback

/// A message of a pipeline, as plain data.
enum GStreamerEvent: Sendable {
    /// The state of the pipeline, or the progress towards it, changed.
    case stateChanged
    /// The streams of the item are known, or changed.
    case streamsChanged
    case tags(GStreamerTags)
    case chapters([Chapter])
    case durationChanged
    case latencyChanged
    /// The level of the buffer of a stream, in percent.
    case buffering(Int)
    /// No decoder is installed for the format with this name.
    case decoderMissing(String)
    /// The item, or a part of it, is neither audio nor video nor a container.
    case otherFormat
    /// The mixer has all audio.
    case audioDrained
    /// The server has closed the connection of a live stream.
    case connectionClosed
    /// All streams were played to their ends.
    case ended
    case failed(GStreamerFailure)
}

/// An error message of a pipeline.
struct GStreamerFailure: Sendable {
    enum Kind: Sendable {
        /// No demuxer knows the format.
        case unknownFormat
        case decoderMissing
        /// The data are damaged.
        case damaged
        /// The audio server is gone, or the device is.
        case audioOutput
        /// A server has refused the stream, with a status of RTSP or the one of HTTP that means the same.
        case refused(status: Int)
        /// A server has not answered.
        case noAnswer
        /// A server has named an address that must not be opened.
        case forbidden
        case endlessRedirects
        case other
    }

    var kind: Kind
    /// GStreamer's own text.
    var message: String
    /// The hardware decoder that has failed; `nil` for another element.
    var decoder: String?
}

/// Metadata of an item or of one of its streams.
struct GStreamerTags: Sendable {
    /// `true` if they describe the whole item.
    var isGlobal = false
    /// The name of the container; `nil` without one.
    var container: String?
    var metadata = MediaMetadata()
    /// The cover; `nil` without one.
    var image: Image?
}

extension GStreamerEvent {
    /// - Returns: `nil` for a message without a meaning for the playback.
    init?(_ message: UnsafeMutablePointer<GstMessage>, from pipeline: UnsafeMutablePointer<GstElement>) {
        switch gstreamer_type(message) {
        case GST_MESSAGE_STATE_CHANGED:
            guard gstreamer_is_from(message, pipeline) != 0 else { return nil }
            self = .stateChanged
        case GST_MESSAGE_ASYNC_DONE: self = .stateChanged
        case GST_MESSAGE_TAG:
            var list: UnsafeMutablePointer<GstTagList>?
            gst_message_parse_tag(message, &list)
            guard let list else { return nil }
            defer { gst_tag_list_unref(list) }
            self = .tags(GStreamerTags(list))
        case GST_MESSAGE_TOC:
            var toc: OpaquePointer?
            gst_message_parse_toc(message, &toc, nil)
            guard let toc else { return nil }
            defer { gstreamer_unref(UnsafeMutableRawPointer(toc)) }
            self = .chapters(Chapter.list(of: gst_toc_get_entries(toc)))
        case GST_MESSAGE_DURATION_CHANGED: self = .durationChanged
        case GST_MESSAGE_LATENCY: self = .latencyChanged
        case GST_MESSAGE_BUFFERING:
            var percent: gint = 0
            gst_message_parse_buffering(message, &percent)
            self = .buffering(Int(percent))
        case GST_MESSAGE_ELEMENT:
            guard gst_is_missing_plugin_message(message) != 0 else { return nil }
            guard gstreamer_lacks_media_part(message) != 0 else {
                self = .otherFormat
                return
            }
            let name = gst_structure_get_string(gst_message_get_structure(message), "name")
            self = .decoderMissing(name.map { String(cString: $0) } ?? "")
        case GST_MESSAGE_EOS:
            guard gstreamer_is_from(message, pipeline) != 0 else { return nil }
            self = .ended
        case GST_MESSAGE_WARNING:
            var detail: UnsafeMutablePointer<gchar>?
            gst_message_parse_warning(message, nil, &detail)
            defer { g_free(detail) }
            // RTSP. GStreamer does not translate this text.
            guard let detail, String(cString: detail).contains("The server closed the connection.") else { return nil }
            self = .connectionClosed
        case GST_MESSAGE_ERROR: self = .failed(GStreamerFailure(message))
        default: return nil
        }
    }
}

extension GStreamerFailure {
    fileprivate init(_ message: UnsafeMutablePointer<GstMessage>) {
        var error: UnsafeMutablePointer<GError>?
        var detail: UnsafeMutablePointer<gchar>?
        gst_message_parse_error(message, &error, &detail)
        defer { g_error_free(error) }
        defer { g_free(detail) }
        self.message = error?.pointee.message.map { String(cString: $0) } ?? ""
        decoder = gstreamer_failed_decoder(message).map { String(cString: $0) }
        let (domain, code) = (error?.pointee.domain, error.map { UInt32($0.pointee.code) } ?? 0)
        var values: UnsafePointer<GstStructure>?
        gst_message_parse_error_details(message, &values)
        var status: guint = 0
        if let values { gst_structure_get_uint(values, "rtsp-status-code", &status) }
        let source = message.pointee.src.flatMap { gst_object_get_name($0) }
        defer { g_free(source) }
        if let source, String(cString: source) == GStreamerPipeline.audioSinkName {
            kind = .audioOutput
        } else if status > 0 {
            kind = .refused(status: Int(status))
        } else if domain == gst_stream_error_quark() {
            kind =
                switch GstStreamError(rawValue: code) {
                case GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE: .unknownFormat
                case GST_STREAM_ERROR_CODEC_NOT_FOUND: .decoderMissing
                case GST_STREAM_ERROR_DEMUX, GST_STREAM_ERROR_DECODE, GST_STREAM_ERROR_FORMAT: .damaged
                default: .other
                }
        } else if domain == gst_core_error_quark(), code == GST_CORE_ERROR_MISSING_PLUGIN.rawValue {
            kind = .decoderMissing
        } else if domain == gst_resource_error_quark() {
            kind = Self.kind(code, detail.map { String(cString: $0) } ?? "")
        } else {
            kind = .other
        }
    }

    /// - Parameters:
    ///   - code: an error of reading.
    ///   - detail: a text that GStreamer does not translate. Some elements give the reason nowhere else.
    private static func kind(_ code: UInt32, _ detail: String) -> Kind {
        // RTSP, for a request after the description.
        if let status = detail.firstMatch(of: /Error \(([45]\d\d)\)/).flatMap({ Int($0.1) }) {
            return .refused(status: status)
        }
        // SRT reports no other reason.
        if detail.contains("Failed to authenticate") { return .refused(status: 401) }
        if detail.contains("Connection timeout") { return .noAnswer }
        return switch GstResourceError(rawValue: code) {
        case GST_RESOURCE_ERROR_NOT_AUTHORIZED: .refused(status: 401)
        case GST_RESOURCE_ERROR_NOT_FOUND: .refused(status: 404)
        default: .other
        }
    }
}

extension GStreamerTags {
    fileprivate init(_ list: UnsafeMutablePointer<GstTagList>) {
        isGlobal = gst_tag_list_get_scope(list) == GST_TAG_SCOPE_GLOBAL
        container = list.text(GST_TAG_CONTAINER_FORMAT)
        metadata = MediaMetadata(
            title: list.text(GST_TAG_TITLE), artist: list.text(GST_TAG_ARTIST), album: list.text(GST_TAG_ALBUM))
        image = Image(list)
    }
}

extension Chapter {
    /// The chapters in a table of contents: the entries below its editions, or its entries.
    fileprivate static func list(of entries: UnsafeMutablePointer<GList>?) -> [Chapter] {
        var chapters: [Chapter] = []
        var next = entries
        while let entry = next {
            next = entry.pointee.next
            guard let data = entry.pointee.data else { continue }
            let pointer = OpaquePointer(data)
            if let children = gst_toc_entry_get_sub_entries(pointer) {
                chapters += list(of: children)
                continue
            }
            var start: gint64 = 0
            gst_toc_entry_get_start_stop_times(pointer, &start, nil)
            let title = gst_toc_entry_get_tags(pointer).flatMap { $0.text(GST_TAG_TITLE) }
            chapters.append(
                Chapter(start: Double(start) / 1e9, title: title ?? "Chapter \(chapters.count + 1)"))
        }
        return chapters
    }
}

extension UnsafeMutablePointer<GstTagList> {
    /// The text of a tag in this tag list; `nil` without one.
    func text(_ tag: String) -> String? {
        var text: UnsafeMutablePointer<gchar>?
        guard gst_tag_list_get_string(self, tag, &text) != 0, let text else { return nil }
        defer { g_free(text) }
        let value = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
        return value.isEmpty ? nil : value
    }
}
#endif
