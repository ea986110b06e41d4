import FlowplayerSDK
import Foundation
import Playback

/// Writes the events of players as JSON Lines: one object per event, one write per line.
///
/// You can attach it to several players. Each line has the `id` of its player.
///
/// ```swift
/// let log = try EventLogger(path: "/var/log/kiosk/events.jsonl")
/// view.attach(log)
/// ```
@preconcurrency @MainActor
public final class EventLogger: PlayerPlugin {
    private let writer: EventLogWriter
    private let clock: any PlaybackClock
    private let start: Duration
    private let encoder: JSONEncoder
    private var hasStarted = false
    private let now: () -> Date
    /// The latest line of each player's position, duration, rate and volume, by the player's `id`.
    private var numbers: [String: [String: NumberLine]] = [:]

    private struct NumberLine: Equatable {
        let item: Int
        let event: LoggedEvent
    }

    /// Writes to a file, which is created or truncated.
    ///
    /// - Throws: `EventLogError.cannotWrite` if the file cannot be opened.
    public convenience init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw EventLogError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        self.init(
            EventLogWriter(descriptor: descriptor, name: path, closesDescriptor: true), ContinuousClock(), { Date() })
    }

    /// - Parameters:
    ///   - descriptor: a file descriptor open for writing, such as 1 for standard output.
    ///   - closesDescriptor: `true` if the log closes the descriptor when the log is released.
    ///   - clock: the clock for the times of the lines.
    ///   - now: returns the current date, for the first line.
    public convenience init(
        descriptor: Int32, closesDescriptor: Bool = false, clock: any PlaybackClock = ContinuousClock(),
        now: @escaping () -> Date = { Date() }
    ) {
        let name = descriptor == STDOUT_FILENO ? "standard output" : "descriptor \(descriptor)"
        self.init(EventLogWriter(descriptor: descriptor, name: name, closesDescriptor: closesDescriptor), clock, now)
    }

    private init(_ writer: EventLogWriter, _ clock: any PlaybackClock, _ now: @escaping () -> Date) {
        self.writer = writer
        self.clock = clock
        self.now = now
        start = clock.hostTime
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Waits until all lines are written, at most for the given time. The reader of a pipe can block a write.
    ///
    /// - Returns: `false` if the time expired first.
    @discardableResult
    public func flush(within bound: Duration = .seconds(1)) -> Bool { writer.flush(within: bound) }

    /// The error of the last write that failed; `nil` if none failed.
    public var error: EventLogError? { writer.error }

    public func attach(to player: any FlowplayerAPI) {
        // After an earlier attachment, the log has missed changes.
        numbers[player.id] = nil
    }

    public func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        let item = snapshot.generation.rawValue
        let logged = LoggedEvent(event, at: snapshot.position)
        guard !isUnchanged(logged, of: player.id, item: item) else { return }
        let entry = EventLogEntry(
            t: (clock.hostTime - start).inSeconds.roundedToMicros, ts: hasStarted ? nil : now(), player: player.id,
            item: item, event: logged)
        // Every field is a finite number, a string or a list of them, so this cannot fail.
        guard let line = try? encoder.encode(entry) else { return }
        hasStarted = true
        writer.write(line + [UInt8(ascii: "\n")])
    }

    /// `true` if the rounded number is the same as in the previous line.
    private func isUnchanged(_ event: LoggedEvent, of player: String, item: Int) -> Bool {
        let line: NumberLine
        switch event.name {
        case "position", "duration": line = NumberLine(item: item, event: event)
        case "rate", "volume": line = NumberLine(item: 0, event: event)  // A setting of the player.
        default: return false
        }
        let before = numbers[player, default: [:]].updateValue(line, forKey: event.name)
        return line == before
    }
}

/// An error while a log is opened or written.
public enum EventLogError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened or written. The reason is the system's message.
    case cannotWrite(path: String, reason: String)

    /// A message with the path and the reason.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason): "cannot write the event log to \(path): \(reason)"
        }
    }
}
