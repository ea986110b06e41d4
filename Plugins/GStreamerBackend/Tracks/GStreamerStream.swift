#if GStreamer
import CGStreamer
import MediaTransport
import Playback

/// A decoded stream of a pipeline.
struct GStreamerStream: Equatable, Sendable {
    /// The raw value is the kind in the names of `playbin`'s properties and signals.
    enum Kind: String, CaseIterable {
        case video
        case audio
        case subtitle = "text"
    }

    let kind: Kind
    /// The number among the streams of this kind, from 0 on.
    let number: Int
    var lang: String?
    var title: String?
    /// The name of the codec, to show to the user.
    var codec: String?
    /// The size of the video as it is shown, upright and with square pixels; 0 if it is unknown.
    var size = VideoSize(width: 0, height: 0)
    /// Frames per second; `nil` if it is unknown, or changes.
    var frameRate: Double?
    /// The number of the playlist that the stream is from, as `hlsdemux` counts them; `nil` for a file.
    private(set) var playlist: Int?
    /// `true` if the playlist names the stream as the default of its kind.
    private(set) var isDefault = false

    /// The formats of subtitles that are shown, as text.
    private static let subtitleFormats = ["text/x-raw", "application/x-ass", "application/x-ssa"]

    /// - Returns: `nil` if the stream is gone, or if it holds subtitles in another format.
    init?(_ kind: Kind, _ number: Int, of playbin: UnsafeMutablePointer<GstElement>) {
        (self.kind, self.number) = (kind, number)
        guard let pad = gstreamer_pad(playbin, "get-\(kind.rawValue)-pad", gint(number)) else { return nil }
        defer { gst_object_unref(pad) }
        let caps = gst_pad_get_current_caps(pad)
        defer { if let caps { gst_caps_unref(caps) } }
        if kind == .subtitle, !Self.subtitleFormats.contains(where: { caps?.has(name: $0) == true }) { return nil }
        let name = gst_pad_get_stream_id(pad)
        defer { g_free(name) }
        playlist = name.flatMap { String(cString: $0).firstMatch(of: /\/src_(\d+)/) }.flatMap { Int($0.1) }
        var isTurned = false
        pad.forEachTagList { tags in
            isTurned = isTurned || ["rotate-90", "rotate-270"].contains(tags.text(GST_TAG_IMAGE_ORIENTATION))
            guard gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_STREAM else { return }
            // A stream may have several lists of tags.
            lang = tags.text(GST_TAG_LANGUAGE_CODE).flatMap(Self.language) ?? lang
            title = tags.text(GST_TAG_TITLE) ?? title
            codec = tags.text(kind.codecTag) ?? codec
        }
        guard let size = caps.flatMap({ VideoSize($0) }) else { return }
        frameRate = caps.flatMap(\.frameRate)
        let isUpright = !isTurned || !GStreamerPlugins.has(.videoFilter)
        self.size = isUpright ? size : VideoSize(width: size.height, height: size.width)
    }
}

extension GStreamerStream {
    /// The code as files have it and libVLC reports it, with three letters. GStreamer shortens those of MP4 and Matroska.
    private static func language(_ code: String) -> String? {
        if code == "und" { return nil }
        return gst_tag_get_language_code_iso_639_2T(code).map { String(cString: $0) } ?? code
    }

    /// Takes the name and the language from the playlist. Segments seldom contain them, or later.
    ///
    /// `hlsdemux` counts the playlists from the variant on, and then in the order of the master playlist.
    mutating func complete(by renditions: [HLSPlaylist.Rendition]) {
        guard kind == .audio, let playlist else { return }
        let separate = renditions.filter(\.isSeparate)
        let rendition =
            playlist == 0
            ? renditions.first { !$0.isSeparate }
            : separate.indices.contains(playlist - 1) ? separate[playlist - 1] : nil
        (title, lang) = (rendition?.name ?? title, rendition?.lang ?? lang)
        isDefault = rendition?.isDefault ?? false
    }
}

extension UnsafeMutablePointer<GstPad> {
    /// Calls `body` with the tags of the item, and with those of the stream.
    fileprivate func forEachTagList(_ body: (UnsafeMutablePointer<GstTagList>) -> Void) {
        var index: guint = 0
        while let event = gst_pad_get_sticky_event(self, GST_EVENT_TAG, index) {
            var tags: UnsafeMutablePointer<GstTagList>?
            gst_event_parse_tag(event, &tags)
            if let tags { body(tags) }
            gst_event_unref(event)
            index += 1
        }
    }
}

extension UnsafeMutablePointer<GstCaps> {
    func has(name: String) -> Bool { gst_structure_has_name(gst_caps_get_structure(self, 0), name) != 0 }

    fileprivate var frameRate: Double? {
        var (numerator, denominator): (gint, gint) = (0, 0)
        gst_structure_get_fraction(gst_caps_get_structure(self, 0), "framerate", &numerator, &denominator)
        return numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : nil
    }
}

extension GStreamerStream.Kind {
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
