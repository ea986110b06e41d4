#if GStreamer
import MediaTransport
import Playback

/// The tracks of one item, and the selected ones. A track has the number of its stream.
struct GStreamerTracks {
    /// Subtitles that the pipeline does not read.
    struct SeparateSubtitles {
        enum Source {
            case file(ExternalSubtitle)
            case rendition(HLSPlaylist.Rendition)
        }

        let id: Int
        let source: Source

        fileprivate var track: SubtitleTrack {
            switch source {
            case .file(let file): SubtitleTrack(id: id, name: file.name, lang: file.lang)
            case .rendition(let rendition):
                SubtitleTrack(
                    id: id, name: rendition.name ?? rendition.lang ?? "Subtitles", lang: rendition.lang, codec: "WebVTT"
                )
            }
        }
    }

    /// The smallest ids of the subtitles of an HLS stream, and of external ones.
    private static let (firstRenditionID, firstExternalID) = (500_000, 1_000_000)

    private let external: [SeparateSubtitles]
    private var renditions: [SeparateSubtitles] = []
    /// The ids of separate subtitles that cannot be shown.
    private var unavailable: Set<Int> = []
    /// The streams that GStreamer decodes.
    var streams: [GStreamerStream] = []
    private var requestedAudio: Int?
    /// The selected subtitle track.
    private(set) var subtitle: Int?

    init(_ subtitles: [ExternalSubtitle] = []) {
        external = subtitles.enumerated().map {
            SeparateSubtitles(id: Self.firstExternalID + $0.offset, source: .file($0.element))
        }
    }

    /// The selected audio track; `nil` without audio. At first that is the default of the stream.
    var audio: Int? {
        let audio = streams.filter { $0.kind == .audio }
        return requestedAudio ?? (audio.first(where: \.isDefault) ?? audio.first)?.number
    }

    private var separate: [SeparateSubtitles] { renditions + external }

    /// The selected subtitles that the pipeline does not read; `nil` if there are none.
    var separateSubtitle: SeparateSubtitles? { separate.first { $0.id == subtitle } }

    /// The selected subtitle stream of the pipeline; `nil` if there is none.
    var subtitleStream: Int? { separateSubtitle == nil ? subtitle : nil }

    /// Takes the subtitles of an HLS stream.
    mutating func setRenditions(_ list: [HLSPlaylist.Rendition]) {
        renditions = list.enumerated().map {
            SeparateSubtitles(id: Self.firstRenditionID + $0.offset, source: .rendition($0.element))
        }
    }

    /// Separate subtitles cannot be shown. They leave the list.
    mutating func markUnavailable(_ id: Int) {
        unavailable.insert(id)
        if subtitle == id { subtitle = nil }
    }

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
                tracks.video.append(
                    VideoTrack(
                        id: id, width: size.width, height: size.height, codec: stream.codec, frameRate: stream.frameRate
                    ))
            }
        }
        tracks.subtitles += separate.filter { !unavailable.contains($0.id) }.map(\.track)
        return tracks
    }

    /// The size of the video that is shown; `nil` without one.
    var videoSize: VideoSize? { streams.first { $0.kind == .video }?.size }

    var hasAudio: Bool { streams.contains { $0.kind == .audio } }

    var hasVideo: Bool { streams.contains { $0.kind == .video } }

    /// - Returns: `false` if there is no such audio track.
    mutating func selectAudio(_ id: Int) -> Bool {
        guard streams.contains(where: { $0.kind == .audio && $0.number == id }) else { return false }
        requestedAudio = id
        return true
    }

    /// - Returns: `false` if there is no such subtitle track.
    mutating func selectSubtitle(_ id: Int?) -> Bool {
        guard id == nil || list.subtitles.contains(where: { $0.id == id }) else { return false }
        subtitle = id
        return true
    }
}
#endif
