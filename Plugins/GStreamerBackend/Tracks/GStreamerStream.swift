#if GStreamer
import CGStreamer
import Playback

/// An elementary stream as GStreamer lists it.
struct GStreamerStream: Identifiable, Equatable, Sendable {
    enum Kind {
        case audio
        case video
        case subtitle
    }

    let id: String
    let kind: Kind
    var lang: String?
    var title: String?
    /// The name of the codec, to show to the user.
    var codec: String?
    /// The name of the format, such as `video/x-h264`.
    var format: String?
    /// The size of the video as it is shown, upright and with square pixels; 0 if it is unknown.
    var size = VideoSize(width: 0, height: 0)

    /// - Returns: `nil` for a stream that is neither audio, video nor subtitles.
    init?(_ stream: UnsafeMutablePointer<GstStream>) {
        guard let id = gst_stream_get_stream_id(stream), let kind = Kind(of: stream) else { return nil }
        self.id = String(cString: id)
        self.kind = kind
        var isTurned = false
        if let tags = gst_stream_get_tags(stream) {
            defer { gst_tag_list_unref(tags) }
            lang = tags.text(GST_TAG_LANGUAGE_CODE).flatMap { $0 == "und" ? nil : $0 }
            title = tags.text(GST_TAG_TITLE)
            codec = tags.text(kind.codecTag)
            isTurned = ["rotate-90", "rotate-270"].contains(tags.text(GST_TAG_IMAGE_ORIENTATION))
        }
        if let caps = gst_stream_get_caps(stream) {
            defer { gst_caps_unref(caps) }
            format = gst_structure_get_name(gst_caps_get_structure(caps, 0)).map { String(cString: $0) }
            if let size = VideoSize(caps) {
                self.size = isTurned ? VideoSize(width: size.height, height: size.width) : size
            }
        }
    }
}

extension GStreamerStream.Kind {
    init?(of stream: UnsafeMutablePointer<GstStream>) {
        let type = gst_stream_get_stream_type(stream).rawValue
        if type & GST_STREAM_TYPE_AUDIO.rawValue != 0 {
            self = .audio
        } else if type & GST_STREAM_TYPE_VIDEO.rawValue != 0 {
            self = .video
        } else if type & GST_STREAM_TYPE_TEXT.rawValue != 0 {
            self = .subtitle
        } else {
            return nil
        }
    }

    fileprivate var codecTag: String {
        switch self {
        case .audio: GST_TAG_AUDIO_CODEC
        case .video: GST_TAG_VIDEO_CODEC
        case .subtitle: GST_TAG_SUBTITLE_CODEC
        }
    }
}

extension VideoSize {
    /// The size in square pixels that a video format describes; `nil` if it describes none.
    init?(_ caps: UnsafeMutablePointer<GstCaps>) {
        let structure = gst_caps_get_structure(caps, 0)
        var (width, height, numerator, denominator): (gint, gint, gint, gint) = (0, 0, 1, 1)
        guard gst_structure_get_int(structure, "width", &width) != 0,
            gst_structure_get_int(structure, "height", &height) != 0
        else { return nil }
        gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator)
        self = VideoSize(width: Int(width), height: Int(height))
            .withSquarePixels(numerator: UInt32(max(numerator, 0)), denominator: UInt32(max(denominator, 0)))
    }
}
#endif
