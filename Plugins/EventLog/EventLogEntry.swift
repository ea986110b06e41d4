import FlowplayerSDK
import Foundation
import Playback

/// One line of an event log.
public struct EventLogEntry: Hashable, Sendable {
    /// The time since the start of the log, in seconds with microseconds. Never less than in the line before.
    public var t: Double
    /// The date at which the log starts; in the first line only.
    public var ts: Date?
    /// The player's `id`.
    public var player: String
    /// The load that the event belongs to, as `Generation` counts them.
    public var item: Int
    /// The event, with its own fields.
    public var event: LoggedEvent

    /// Creates an entry for a test or a tool; `EventLog` creates the entries of players.
    public init(t: Double, ts: Date? = nil, player: String, item: Int, event: LoggedEvent) {
        self.t = t
        self.ts = ts
        self.player = player
        self.item = item
        self.event = event
    }
}

/// An entry is one flat JSON object: the common fields, and beside them the fields of the event.
extension EventLogEntry: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let t = Key(stringValue: "t")
        static let ts = Key(stringValue: "ts")
        static let player = Key(stringValue: "player")
        static let item = Key(stringValue: "item")
    }

    private static let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        try line.encode(t, forKey: .t)
        try line.encodeIfPresent(ts?.formatted(Self.timestamp), forKey: .ts)
        try line.encode(player, forKey: .player)
        try line.encode(item, forKey: .item)
        try event.encode(to: encoder)
    }

    public init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        func check(_ isValid: Bool, _ field: String, _ message: @autoclosure () -> String) throws {
            guard !isValid else { return }
            throw DecodingError.dataCorruptedError(
                forKey: Key(stringValue: field), in: line, debugDescription: message())
        }
        t = try line.decode(Double.self, forKey: .t)
        if let date = try line.decodeIfPresent(String.self, forKey: .ts) {
            ts = try? Date(date, strategy: Self.timestamp)
            try check(ts != nil, "ts", "ts must be a time by RFC 3339")
        }
        player = try line.decode(String.self, forKey: .player)
        item = try line.decode(Int.self, forKey: .item)
        event = try LoggedEvent(from: decoder)

        let required = PlayerEvent.requiredFields(of: event.name)
        try check(required != nil, "event", "there is no event \"\(event.name)\"")
        for field in required ?? [] {
            try check(line.contains(Key(stringValue: field)), field, "\(field) is missing")
        }
        let numbers = [
            ("t", t), ("position", event.position), ("duration", event.duration), ("rate", event.rate),
            ("volume", event.volume),
        ]
        for case (let field, let number?) in numbers {
            try check(number.isFinite && number >= 0, field, "\(field) must not be negative")
        }
        try check(event.hasKnownState, "state", "there is no state \"\(event.state ?? "")\"")
    }
}

extension LoggedEvent {
    /// `false` if the state is not one of the event's states.
    fileprivate var hasKnownState: Bool {
        let state = state ?? ""
        return switch name {
        case "state": playerState != nil
        case "playbackState": PlaybackState.allCases.contains { $0.name == state }
        case "seek": PlaybackSeekState(rawValue: state) != nil
        case "buffer": PlaybackBufferState(rawValue: state) != nil
        case "interruption": PlaybackInterruption(rawValue: state) != nil
        default: true
        }
    }
}
