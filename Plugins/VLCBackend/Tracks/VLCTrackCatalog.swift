import Playback

/// What there is to hear, read and see of one item, under names that stay.
///
/// libVLC gives a stream a new number whenever an adaptive source changes its variant or its place, keeps old ones in its list,
/// and knows of no link between a subtitle file and its stream. Here a track keeps its `id` as long as the item is open.
struct VLCTrackCatalog {
    /// Files with texts are numbered from here on; libVLC's own numbers are far below.
    static let firstExternalID = 1_000_000

    /// By what a stream is known again, whatever its number.
    private struct Identity: Hashable {
        let kind: VLCEvent.StreamKind
        let lang: String?
        let description: String?
        /// Among those that are alike otherwise.
        let ordinal: Int
    }

    private let external: [(id: Int, subtitle: ExternalSubtitle)]
    private var unavailable: Set<Int> = []
    /// The streams that are there now.
    private var alive: Set<Int> = []
    /// libVLC's numbers, by the kind of stream that is decoded.
    private var decoded: [VLCEvent.StreamKind: Int] = [:]
    private var ids: [Identity: Int] = [:]
    private var takenIDs: Set<Int> = []
    private var listed: [(id: Int, track: VLCTrack)] = []
    /// libVLC's numbers of the streams made of files.
    private var externalStreams: [Int: Int] = [:]

    init(subtitles: [ExternalSubtitle] = []) {
        external = subtitles.enumerated().map { (Self.firstExternalID + $0.offset, $0.element) }
    }

    // MARK: What libVLC tells

    mutating func added(_ stream: Int) { alive.insert(stream) }

    mutating func removed(_ stream: Int) {
        alive.remove(stream)
        for (kind, id) in decoded where id == stream { decoded[kind] = nil }
        externalStreams = externalStreams.filter { $0.value != stream }
    }

    /// A stream has a decoder. That another one has none any more is known by its removal or its successor.
    mutating func selected(_ stream: Int, _ kind: VLCEvent.StreamKind) {
        alive.insert(stream)
        decoded[kind] = stream
    }

    /// A text is shown no more, by command.
    mutating func deselectedText() { decoded[.text] = nil }

    /// The picture is decoded no more, by command.
    mutating func deselectedVideo() { decoded[.video] = nil }

    /// The next text stream is that of this file.
    mutating func bind(_ stream: Int, toExternal id: Int) { externalStreams[id] = stream }

    mutating func markUnavailable(_ id: Int) { unavailable.insert(id) }

    /// All streams go, and with them their numbers; the tracks and their ids stay.
    mutating func forgetStreams() {
        alive = []
        decoded = [:]
        externalStreams = [:]
    }

    /// Takes libVLC's list as it is now.
    mutating func update(_ streams: [VLCTrack]) {
        var counts: [Identity: Int] = [:]
        let files = Set(externalStreams.values)
        listed = streams.filter { alive.contains($0.id) && !files.contains($0.id) }.map { stream in
            let first = Identity(kind: stream.kind, lang: stream.lang, description: stream.description, ordinal: 0)
            let ordinal = counts[first, default: 0]
            counts[first] = ordinal + 1
            let identity = Identity(
                kind: stream.kind, lang: stream.lang, description: stream.description, ordinal: ordinal)
            return (id(for: identity, preferred: stream.id), stream)
        }
    }

    private mutating func id(for identity: Identity, preferred: Int) -> Int {
        if let id = ids[identity] { return id }
        var id = preferred
        while takenIDs.contains(id) { id += 1 }
        takenIDs.insert(id)
        ids[identity] = id
        return id
    }

    // MARK: What players are told

    var tracks: MediaTracks {
        var tracks = MediaTracks()
        for (id, track) in listed {
            switch track.kind {
            case .audio:
                let name = track.description ?? track.lang ?? "Track \(tracks.audio.count + 1)"
                tracks.audio.append(AudioTrack(id: id, name: name, lang: track.lang))
            case .text:
                let name = track.description ?? track.lang ?? "Track \(tracks.subtitles.count + 1)"
                tracks.subtitles.append(SubtitleTrack(id: id, name: name, lang: track.lang))
            case .video: tracks.video.append(VideoTrack(id: id, width: track.width, height: track.height))
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
        guard let stream = decoded[.text] else { return nil }
        return externalStreams.first { $0.value == stream }?.key ?? id(ofDecoded: .text)
    }

    /// The size of the picture that is decoded; `nil` if none is.
    var videoSize: VideoSize? {
        guard let stream = decoded[.video], let track = listed.first(where: { $0.track.id == stream })?.track else {
            return nil
        }
        return VideoSize(width: track.width, height: track.height)
    }

    /// The kinds of which something is decoded.
    var decodedKinds: Set<VLCEvent.StreamKind> { Set(decoded.keys) }

    /// Whether there is something to hear.
    var hasSound: Bool { listed.contains { $0.track.kind == .audio } }

    private func id(ofDecoded kind: VLCEvent.StreamKind) -> Int? {
        decoded[kind].flatMap { stream in listed.first { $0.track.id == stream }?.id }
    }

    // MARK: What libVLC is told

    /// libVLC's number of the picture; `nil` if there is none.
    var videoStream: Int? { decoded[.video] ?? listed.first { $0.track.kind == .video }?.track.id }

    /// libVLC's number of a track; `nil` if it has none now.
    func stream(of id: Int) -> Int? {
        externalStreams[id] ?? listed.first { $0.id == id }?.track.id
    }

    /// The file behind a text, if it is one.
    func externalSubtitle(_ id: Int) -> ExternalSubtitle? { external.first { $0.id == id }?.subtitle }
}
