import FlowplayerSDK
import Foundation

/// An entry is one flat JSON object: the common fields, and those of the event beside them.
extension EventLogEntry: Codable {
    private enum Key: String, CodingKey {
        case t, ts, player, item, event
        case url, state, position, duration, rate, volume, mute, audio, subtitles
        case type, start, end, id, quality, title, artist, album, artwork, chapters
        case code, message, cause, status, retryable, index, reason, device
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(t, forKey: .t)
        try container.encodeIfPresent(ts.map(Self.format), forKey: .ts)
        try container.encode(player, forKey: .player)
        try container.encode(item, forKey: .item)
        try container.encode(event.name, forKey: .event)
        switch event {
        case .media(let url): try container.encodeIfPresent(url, forKey: .url)
        case .item(let index, let reason):
            try container.encode(index, forKey: .index)
            try container.encode(reason, forKey: .reason)
        case .resolved(let url): try container.encode(url, forKey: .url)
        case .state(let state, let position):
            try container.encode(state.name, forKey: .state)
            try container.encode(position, forKey: .position)
        case .playbackState(let state): try container.encode(state.name, forKey: .state)
        case .position(let position): try container.encode(position, forKey: .position)
        case .duration(let duration): try container.encode(duration, forKey: .duration)
        case .playbackType(let type): try container.encode(type, forKey: .type)
        case .dvrWindow(let window):
            try container.encode(window.start, forKey: .start)
            try container.encode(window.end, forKey: .end)
        case .metadata(let metadata):
            try container.encodeIfPresent(metadata.title, forKey: .title)
            try container.encodeIfPresent(metadata.artist, forKey: .artist)
            try container.encodeIfPresent(metadata.album, forKey: .album)
            try container.encodeIfPresent(metadata.artworkURL?.redacted, forKey: .artwork)
            if !metadata.chapters.isEmpty { try container.encode(metadata.chapters, forKey: .chapters) }
        case .selectedAudio(let id), .selectedSubtitle(let id): try container.encodeIfPresent(id, forKey: .id)
        case .quality(let quality): try container.encode(quality, forKey: .quality)
        case .buffer(let state): try container.encode(state, forKey: .state)
        case .seek(let state, let position):
            try container.encode(state.rawValue, forKey: .state)
            try container.encode(position, forKey: .position)
        case .rate(let rate): try container.encode(rate, forKey: .rate)
        case .volume(let volume): try container.encode(volume, forKey: .volume)
        case .mute(let isMuted): try container.encode(isMuted, forKey: .mute)
        case .tracks(let audio, let subtitles):
            try container.encode(audio, forKey: .audio)
            try container.encode(subtitles, forKey: .subtitles)
        case .error(let code, let message, let cause, let url, let status, let retryable):
            try container.encode(code, forKey: .code)
            try container.encode(message, forKey: .message)
            try container.encodeIfPresent(cause, forKey: .cause)
            try container.encodeIfPresent(url, forKey: .url)
            try container.encodeIfPresent(status, forKey: .status)
            try container.encode(retryable, forKey: .retryable)
        case .interruption(let interruption): try container.encode(interruption, forKey: .state)
        case .route(let reason, let device):
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(device, forKey: .device)
        case .log(let code, let message):
            try container.encode(code, forKey: .code)
            try container.encode(message, forKey: .message)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func field<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) throws -> Value {
            try container.decode(type, forKey: key)
        }
        func optional<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) throws -> Value? {
            try container.decodeIfPresent(type, forKey: key)
        }
        func seconds(_ key: Key) throws -> Double {
            let value: Double = try field(key)
            guard value.isFinite, value >= 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(key.rawValue) must not be negative")
            }
            return value
        }
        func state<State: CaseIterable>(named name: (State) -> String) throws -> State {
            let found: String = try field(.state)
            guard let state = State.allCases.first(where: { name($0) == found }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .state, in: container, debugDescription: "there is no state \"\(found)\"")
            }
            return state
        }
        t = try seconds(.t)
        ts = try container.decodeIfPresent(String.self, forKey: .ts).map { text in
            guard let date = try? Date(text, strategy: Self.timestamp) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .ts, in: container, debugDescription: "ts must be a time by RFC 3339")
            }
            return date
        }
        player = try field(.player)
        item = try field(.item)
        let name: String = try field(.event)
        switch name {
        case "media": event = .media(url: try optional(.url))
        case "item": event = .item(index: try field(.index), reason: try field(.reason))
        case "resolved": event = .resolved(url: try field(.url))
        case "playbackType": event = .playbackType(try field(.type))
        case "dvrWindow": event = .dvrWindow(DVRWindow(start: try field(.start), end: try field(.end)))
        case "metadata":
            let artwork: String? = try optional(.artwork)
            event = .metadata(
                MediaMetadata(
                    title: try optional(.title), artist: try optional(.artist), album: try optional(.album),
                    artworkURL: artwork.flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : URL(string: $0) },
                    chapters: try optional(.chapters) ?? []))
        case "selectedAudio": event = .selectedAudio(id: try optional(.id))
        case "selectedSubtitle": event = .selectedSubtitle(id: try optional(.id))
        case "quality": event = .quality(try field(.quality))
        case "buffer": event = .buffer(try field(.state))
        case "state": event = .state(try state(named: \.name), position: try seconds(.position))
        case "playbackState": event = .playbackState(try state(named: \.name))
        case "position": event = .position(try seconds(.position))
        case "duration": event = .duration(try seconds(.duration))
        case "seek": event = .seek(try field(.state), position: try seconds(.position))
        case "rate": event = .rate(try seconds(.rate))
        case "volume": event = .volume(try seconds(.volume))
        case "mute": event = .mute(try field(.mute))
        case "tracks": event = .tracks(audio: try field(.audio), subtitles: try field(.subtitles))
        case "error":
            event = .error(
                code: try field(.code), message: try field(.message), cause: try optional(.cause),
                url: try optional(.url), status: try optional(.status), retryable: try field(.retryable))
        case "interruption": event = .interruption(try field(.state))
        case "route": event = .route(reason: try field(.reason), device: try optional(.device))
        case "log": event = .log(code: try field(.code), message: try field(.message))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .event, in: container, debugDescription: "there is no event \"\(name)\"")
        }
    }

    private static let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func format(_ date: Date) -> String { date.formatted(timestamp) }
}

extension EventLogEntry.Event {
    /// The name under which logs know the event.
    public var name: String {
        switch self {
        case .media: "media"
        case .item: "item"
        case .resolved: "resolved"
        case .playbackType: "playbackType"
        case .dvrWindow: "dvrWindow"
        case .metadata: "metadata"
        case .selectedAudio: "selectedAudio"
        case .selectedSubtitle: "selectedSubtitle"
        case .quality: "quality"
        case .buffer: "buffer"
        case .state: "state"
        case .playbackState: "playbackState"
        case .position: "position"
        case .duration: "duration"
        case .seek: "seek"
        case .rate: "rate"
        case .volume: "volume"
        case .mute: "mute"
        case .tracks: "tracks"
        case .error: "error"
        case .interruption: "interruption"
        case .route: "route"
        case .log: "log"
        }
    }
}
