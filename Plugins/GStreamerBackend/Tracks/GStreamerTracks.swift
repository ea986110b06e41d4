#if GStreamer
import Playback

/// The tracks of one item, and the selected ones. A track has the number of its stream.
struct GStreamerTracks {
    /// The streams that GStreamer decodes.
    var streams: [GStreamerStream] = [] {
        didSet { audio = audio ?? streams.first { $0.kind == .audio }?.number }
    }
    /// The selected audio track.
    private(set) var audio: Int?
    /// The selected subtitle track.
    private(set) var subtitle: Int?

    var list: MediaTracks {
        var tracks = MediaTracks()
        for stream in streams {
            let id = stream.number
            let name = stream.title ?? stream.lang ?? "Track \(id + 1)"
            switch stream.kind {
            case .audio: tracks.audio.append(AudioTrack(id: id, name: name, lang: stream.lang, codec: stream.codec))
            case .subtitle:
                tracks.subtitles.append(SubtitleTrack(id: id, name: name, lang: stream.lang, codec: stream.codec))
            case .video:
                let size = stream.size
                tracks.video.append(VideoTrack(id: id, width: size.width, height: size.height, codec: stream.codec))
            }
        }
        return tracks
    }

    /// The size of the video that is shown; `nil` without one.
    var videoSize: VideoSize? { streams.first { $0.kind == .video }?.size }

    var hasAudio: Bool { streams.contains { $0.kind == .audio } }

    var hasVideo: Bool { streams.contains { $0.kind == .video } }

    /// - Returns: `false` if there is no such audio track.
    mutating func selectAudio(_ id: Int) -> Bool {
        guard streams.contains(where: { $0.kind == .audio && $0.number == id }) else { return false }
        audio = id
        return true
    }

    /// - Returns: `false` if there is no such subtitle track.
    mutating func selectSubtitle(_ id: Int?) -> Bool {
        guard id == nil || streams.contains(where: { $0.kind == .subtitle && $0.number == id }) else { return false }
        subtitle = id
        return true
    }
}
#endif
