import FlowplayerSDK
import Foundation

/// An entry is one flat JSON object: the common fields, and beside them the fields of the event.
extension EventLogEntry: Codable {
    fileprivate enum Key: String, CodingKey {
        case t, ts, player, item, event
        case url, state, position, duration, rate, volume, mute, audio, subtitles
        case type, start, end, id, quality, title, artist, album, artwork, chapters
        case code, message, cause, status, retryable, index, reason, device
    }

    fileprivate typealias Fields = KeyedDecodingContainer<Key>

    private static let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let common: [Key: (any Encodable)?] = [
            .t: t, .ts: ts?.formatted(Self.timestamp), .player: player, .item: item, .event: event.name,
        ]
        for case (let key, let value?) in common.merging(event.fields, uniquingKeysWith: { $1 }) {
            try container.encode(value, forKey: key)
        }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        t = try fields.seconds(.t)
        if let date: String = try fields.optional(.ts) {
            ts = try? Date(date, strategy: Self.timestamp)
            if ts == nil { throw fields.error(.ts, "ts must be a time by RFC 3339") }
        }
        player = try fields.required(.player)
        item = try fields.required(.item)
        event = try Event(from: fields)
    }
}

// The fields of a line that is being decoded.
extension KeyedDecodingContainer<EventLogEntry.Key> {
    fileprivate func required<Value: Decodable>(_ key: Key) throws -> Value { try decode(Value.self, forKey: key) }

    fileprivate func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }

    fileprivate func seconds(_ key: Key) throws -> Double {
        let value: Double = try required(key)
        guard value.isFinite, value >= 0 else { throw error(key, "\(key.rawValue) must not be negative") }
        return value
    }

    fileprivate func error(_ key: Key, _ message: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: message)
    }

    fileprivate func state<State: CaseIterable>(_ name: (State) -> String) throws -> State {
        let text: String = try required(.state)
        guard let state = State.allCases.first(where: { name($0) == text }) else {
            throw error(.state, "there is no state \"\(text)\"")
        }
        return state
    }
}

extension EventLogEntry.Event {
    /// The name of the event in a log, which is that of its case.
    public var name: String { Mirror(reflecting: self).children.first?.label ?? "" }

    /// The fields of the event. A line has those with a value.
    fileprivate var fields: [EventLogEntry.Key: (any Encodable)?] {
        switch self {
        case .media(let url): [.url: url]
        case .item(let index, let reason): [.index: index, .reason: reason]
        case .resolved(let url): [.url: url]
        case .state(let state, let position): [.state: state.name, .position: position]
        case .playbackState(let state): [.state: state.name]
        case .position(let position): [.position: position]
        case .duration(let duration): [.duration: duration]
        case .playbackType(let type): [.type: type]
        case .dvrWindow(let window): [.start: window.start, .end: window.end]
        case .metadata(let metadata):
            [
                .title: metadata.title, .artist: metadata.artist, .album: metadata.album,
                .artwork: metadata.artworkURL?.redacted,
                .chapters: metadata.chapters.isEmpty ? nil : metadata.chapters,
            ]
        case .seek(let state, let position): [.state: state, .position: position]
        case .rate(let rate): [.rate: rate]
        case .volume(let volume): [.volume: volume]
        case .mute(let isMuted): [.mute: isMuted]
        case .tracks(let audio, let subtitles): [.audio: audio, .subtitles: subtitles]
        case .selectedAudio(let id), .selectedSubtitle(let id): [.id: id]
        case .quality(let quality): [.quality: quality]
        case .buffer(let state): [.state: state]
        case .error(let code, let message, let cause, let url, let status, let retryable):
            [.code: code, .message: message, .cause: cause, .url: url, .status: status, .retryable: retryable]
        case .interruption(let interruption): [.state: interruption]
        case .route(let reason, let device): [.reason: reason, .device: device]
        case .log(let code, let message): [.code: code, .message: message]
        }
    }

    fileprivate init(from fields: EventLogEntry.Fields) throws {
        let name: String = try fields.required(.event)
        switch name {
        case "media": self = .media(url: try fields.optional(.url))
        case "item": self = .item(index: try fields.required(.index), reason: try fields.required(.reason))
        case "resolved": self = .resolved(url: try fields.required(.url))
        case "state": self = .state(try fields.state(\.name), position: try fields.seconds(.position))
        case "playbackState": self = .playbackState(try fields.state(\.name))
        case "position": self = .position(try fields.seconds(.position))
        case "duration": self = .duration(try fields.seconds(.duration))
        case "playbackType": self = .playbackType(try fields.required(.type))
        case "dvrWindow": self = try .dvrWindow(DVRWindow(start: fields.required(.start), end: fields.required(.end)))
        case "metadata":
            let artwork: String? = try fields.optional(.artwork)
            self = .metadata(
                MediaMetadata(
                    title: try fields.optional(.title), artist: try fields.optional(.artist),
                    album: try fields.optional(.album),
                    artworkURL: artwork.flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : URL(string: $0) },
                    chapters: try fields.optional(.chapters) ?? []))
        case "seek": self = .seek(try fields.required(.state), position: try fields.seconds(.position))
        case "rate": self = .rate(try fields.seconds(.rate))
        case "volume": self = .volume(try fields.seconds(.volume))
        case "mute": self = .mute(try fields.required(.mute))
        case "tracks": self = try .tracks(audio: fields.required(.audio), subtitles: fields.required(.subtitles))
        case "selectedAudio": self = .selectedAudio(id: try fields.optional(.id))
        case "selectedSubtitle": self = .selectedSubtitle(id: try fields.optional(.id))
        case "quality": self = .quality(try fields.required(.quality))
        case "buffer": self = .buffer(try fields.required(.state))
        case "error":
            self = try .error(
                code: fields.required(.code), message: fields.required(.message), cause: fields.optional(.cause),
                url: fields.optional(.url), status: fields.optional(.status), retryable: fields.required(.retryable))
        case "interruption": self = .interruption(try fields.required(.state))
        case "route": self = .route(reason: try fields.required(.reason), device: try fields.optional(.device))
        case "log": self = .log(code: try fields.required(.code), message: try fields.required(.message))
        default: throw fields.error(.event, "there is no event \"\(name)\"")
        }
    }
}
