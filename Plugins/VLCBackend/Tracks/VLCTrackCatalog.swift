import Playback

/// An elementary stream as libVLC lists it.
struct VLCTrack: Equatable, Sendable {
    let id: Int
    let kind: VLCEvent.StreamKind
    var lang: String?
    var description: String?
    /// The name of the codec.
    var codec: String?
    /// The size of the video as it is shown, upright and with square pixels; 0 if it is unknown.
    var size = VideoSize(width: 0, height: 0)
    /// Frames per second; `nil` if it is unknown.
    var frameRate: Double?
}

/// The tracks of one item, with stable ids.
///
/// libVLC renumbers the streams of an adaptive source after each seek and each change of variant. It keeps old streams
/// in its list, and does not connect a subtitle file with its stream. Here a track keeps its `id` as long as the item
/// is open.
struct VLCTrackCatalog {
    /// The first id of subtitle files. libVLC's own numbers are far below.
    static let firstExternalID = 1_000_000

    /// Identifies a stream independently of its number.
    private struct Identity: Hashable {
        let kind: VLCEvent.StreamKind
        let lang: String?
        let description: String?
        /// The position among streams with the same properties.
        var ordinal = 0
    }

    private let external: [(id: Int, subtitle: ExternalSubtitle)]
    private var unavailable: Set<Int> = []
    /// The streams that exist now.
    private var alive: Set<Int> = []
    /// The video streams that exist now, the newest last.
    private var videos: [Int] = []
    /// libVLC's numbers of the decoded streams.
    private var decoded: [VLCEvent.StreamKind: Int] = [:]
    private var ids: [Identity: Int] = [:]
    private var listed: [(id: Int, track: VLCTrack)] = []
    /// libVLC's numbers of the streams from subtitle files.
    private var externalStreams: [Int: Int] = [:]

    init(subtitles: [ExternalSubtitle] = []) {
        external = subtitles.enumerated().map { (Self.firstExternalID + $0.offset, $0.element) }
    }

    // MARK: Events

    mutating func added(_ stream: Int, _ kind: VLCEvent.StreamKind) {
        alive.insert(stream)
        if kind == .video { videos.append(stream) }
    }

    mutating func removed(_ stream: Int) {
        alive.remove(stream)
        videos.removeAll { $0 == stream }
        for (kind, id) in decoded where id == stream { decoded[kind] = nil }
        externalStreams = externalStreams.filter { $0.value != stream }
    }

    /// A stream has a decoder. The previous one loses it when it is removed or replaced.
    mutating func selected(_ stream: Int, _ kind: VLCEvent.StreamKind) {
        alive.insert(stream)
        decoded[kind] = stream
    }

    /// The stream of this kind was deselected by command.
    mutating func deselected(_ kind: VLCEvent.StreamKind) { decoded[kind] = nil }

    /// The stream belongs to this subtitle file.
    mutating func bind(_ stream: Int, toExternal id: Int) { externalStreams[id] = stream }

    mutating func markUnavailable(_ id: Int) { unavailable.insert(id) }

    /// Forgets all streams and their numbers. The tracks and their ids remain.
    mutating func forgetStreams() {
        alive = []
        videos = []
        decoded = [:]
        externalStreams = [:]
    }

    /// Replaces the list of streams by libVLC's current one.
    mutating func update(_ streams: [VLCTrack]) {
        var counts: [Identity: Int] = [:]
        let files = Set(externalStreams.values)
        listed = streams.filter { alive.contains($0.id) && !files.contains($0.id) }.map { stream in
            var identity = Identity(kind: stream.kind, lang: stream.lang, description: stream.description)
            let ordinal = counts[identity, default: 0]
            counts[identity] = ordinal + 1
            identity.ordinal = ordinal
            return (id(for: identity, preferred: stream.id), stream)
        }
    }

    private mutating func id(for identity: Identity, preferred: Int) -> Int {
        if let id = ids[identity] { return id }
        var id = preferred
        while ids.values.contains(id) { id += 1 }
        ids[identity] = id
        return id
    }

    // MARK: Tracks

    var tracks: MediaTracks {
        var tracks = MediaTracks()
        for (id, track) in listed {
            switch track.kind {
            case .audio:
                let name = track.description ?? track.lang ?? "Track \(tracks.audio.count + 1)"
                tracks.audio.append(AudioTrack(id: id, name: name, lang: track.lang, codec: track.codec))
            case .subtitle:
                let name = track.description ?? track.lang ?? "Track \(tracks.subtitles.count + 1)"
                tracks.subtitles.append(SubtitleTrack(id: id, name: name, lang: track.lang, codec: track.codec))
            case .video:
                let size = track.size
                tracks.video.append(
                    VideoTrack(
                        id: id, width: size.width, height: size.height, codec: track.codec, frameRate: track.frameRate))
            case .other: break
            }
        }
        tracks.subtitles += external.filter { !unavailable.contains($0.id) }.map { id, subtitle in
            SubtitleTrack(id: id, name: subtitle.name, lang: subtitle.lang)
        }
        return tracks
    }

    var audio: Int? { id(ofDecoded: .audio) }

    var subtitle: Int? {
        guard let stream = decoded[.subtitle] else { return nil }
        return externalStreams.first { $0.value == stream }?.key ?? id(ofDecoded: .subtitle)
    }

    /// The size of the decoded video; `nil` without one.
    var videoSize: VideoSize? {
        decoded[.video].flatMap { stream in listed.first { $0.track.id == stream }?.track.size }
    }

    /// libVLC's number of the decoded video.
    var decodedVideo: Int? { decoded[.video] }

    /// `true` if the item has audio.
    var hasAudio: Bool { decoded[.audio] != nil || listed.contains { $0.track.kind == .audio } }

    private func id(ofDecoded kind: VLCEvent.StreamKind) -> Int? {
        decoded[kind].flatMap { stream in listed.first { $0.track.id == stream }?.id }
    }

    // MARK: libVLC's numbers

    /// libVLC's number of the video; `nil` without one.
    var videoStream: Int? { decoded[.video] ?? listed.first { $0.track.kind == .video }?.track.id }

    /// libVLC's number of the video that has replaced another one; `nil` if the other one exists, or there is no video.
    func videoStream(replacing stream: Int) -> Int? { alive.contains(stream) ? nil : videos.last }

    /// libVLC's number of a track; `nil` if the track has no stream now.
    func stream(of id: Int) -> Int? {
        externalStreams[id] ?? listed.first { $0.id == id }?.track.id
    }

    /// The subtitle file with this id; `nil` if it is a stream of the item.
    func externalSubtitle(_ id: Int) -> ExternalSubtitle? { external.first { $0.id == id }?.subtitle }
}
