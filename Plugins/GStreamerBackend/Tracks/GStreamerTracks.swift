#if GStreamer
import Playback

/// The tracks of one item, and the selected ones.
///
/// The selected streams are those that GStreamer decodes. A request changes `audio` and `subtitle` at once.
struct GStreamerTracks {
    private var streams: [GStreamerStream] = []
    /// The number of each stream, which it keeps as long as the item is open.
    private var numbers: [GStreamerStream.ID: Int] = [:]
    /// The selected audio track.
    private(set) var audio: Int?
    /// The selected subtitle track.
    private(set) var subtitle: Int?
    /// The subtitle track that is decoded. It stays when subtitles are off, because GStreamer often stops if a subtitle
    /// stream goes.
    private var decodedSubtitle: Int?
    /// The streams that GStreamer decodes.
    private(set) var decoded: Set<GStreamerStream.ID> = []

    /// Replaces the list of streams.
    mutating func update(_ streams: [GStreamerStream]) {
        self.streams = streams
        for stream in streams where numbers[stream.id] == nil { numbers[stream.id] = numbers.count + 1 }
        audio = audio ?? streams.first { $0.kind == .audio }.flatMap { numbers[$0.id] }
    }

    /// GStreamer decodes these streams now.
    mutating func selected(_ ids: [GStreamerStream.ID]) {
        decoded = Set(ids)
        if let stream = first(.audio) { audio = numbers[stream.id] }
    }

    /// The size of the decoded video is known.
    mutating func setVideoSize(_ size: VideoSize) {
        guard let index = streams.firstIndex(where: { $0.kind == .video && decoded.contains($0.id) }) else { return }
        streams[index].size = size
    }

    private func first(_ kind: GStreamerStream.Kind) -> GStreamerStream? {
        streams.first { $0.kind == kind && decoded.contains($0.id) }
    }

    var list: MediaTracks {
        var tracks = MediaTracks()
        for stream in streams {
            let id = numbers[stream.id] ?? 0
            switch stream.kind {
            case .audio:
                let name = stream.title ?? stream.lang ?? "Track \(tracks.audio.count + 1)"
                tracks.audio.append(AudioTrack(id: id, name: name, lang: stream.lang, codec: stream.codec))
            case .subtitle:
                let name = stream.title ?? stream.lang ?? "Track \(tracks.subtitles.count + 1)"
                tracks.subtitles.append(SubtitleTrack(id: id, name: name, lang: stream.lang, codec: stream.codec))
            case .video:
                let size = stream.size
                tracks.video.append(VideoTrack(id: id, width: size.width, height: size.height, codec: stream.codec))
            }
        }
        return tracks
    }

    /// The size of the decoded video; `nil` without one.
    var videoSize: VideoSize? { first(.video).map(\.size) }

    var hasAudio: Bool { streams.contains { $0.kind == .audio } }

    var hasVideo: Bool { streams.contains { $0.kind == .video } }

    var formats: [String] { streams.compactMap(\.format) }

    /// - Returns: `false` if there is no such audio track.
    mutating func selectAudio(_ id: Int) -> Bool {
        guard list.audio.contains(where: { $0.id == id }) else { return false }
        audio = id
        return true
    }

    /// - Returns: `false` if there is no such subtitle track.
    mutating func selectSubtitle(_ id: Int?) -> Bool {
        guard id == nil || list.subtitles.contains(where: { $0.id == id }) else { return false }
        subtitle = id
        decodedSubtitle = id ?? decodedSubtitle
        return true
    }

    /// The streams to decode. Video without a view is not decoded, except if there is nothing else.
    func wanted(showsVideo: Bool) -> [GStreamerStream.ID] {
        let video = showsVideo || !hasAudio ? streams.first { $0.kind == .video } : nil
        let others = streams.filter { stream in
            switch stream.kind {
            case .audio: numbers[stream.id] == audio
            case .subtitle: numbers[stream.id] == decodedSubtitle
            case .video: false
            }
        }
        return [video].compactMap { $0?.id } + others.map(\.id)
    }
}
#endif
