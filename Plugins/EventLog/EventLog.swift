import FlowplayerSDK
import Foundation

/// Writes what players do as JSON Lines: one object an event, one write a line.
///
/// Attach it to one player or to several; each line names its player.
///
/// ```swift
/// let log = try EventLog(path: "/var/log/kiosk/events.jsonl")
/// view.attach(log)
/// ```
@MainActor
public final class EventLog: PlayerPlugin {
    private let writer: EventLogWriter
    private let clock: any PlaybackClock
    private let beginning: Duration
    private let encoder: JSONEncoder
    private var hasBegun = false
    private let now: () -> Date
    /// The line that each player's position, duration, rate and volume have last, by the player's `id`.
    private var numbers: [String: [String: NumberLine]] = [:]

    private struct NumberLine: Equatable {
        let item: Int
        let event: EventLogEntry.Event
    }

    /// Writes to a file, which is made or emptied.
    ///
    /// - Throws: `EventLogError.cannotWrite` if the file cannot be opened.
    public convenience init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw EventLogError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        self.init(descriptor: descriptor, closesDescriptor: true)
    }

    /// - Parameters:
    ///   - descriptor: a file descriptor open for writing, such as 1 for standard output.
    ///   - closesDescriptor: whether the log closes it in the end.
    ///   - clock: by which lines are stamped.
    ///   - now: the time of day, for the first line.
    public init(
        descriptor: Int32, closesDescriptor: Bool = false, clock: any PlaybackClock = ContinuousClock(),
        now: @escaping () -> Date = { Date() }
    ) {
        writer = EventLogWriter(descriptor: descriptor, closesDescriptor: closesDescriptor)
        self.clock = clock
        self.now = now
        beginning = clock.hostTime
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Waits until all lines are written, but no longer than the bound: the reader of a pipe may stand still.
    ///
    /// - Returns: `false` if the time was up first.
    @discardableResult
    public func flush(within bound: Duration = .seconds(1)) -> Bool { writer.flush(within: bound) }

    /// Why the last write failed; `nil` if it did not.
    public var error: EventLogError? { writer.error }

    public func attach(to player: any FlowplayerAPI) {
        // It may have been attached before, and what changed meanwhile is in no line.
        numbers[player.id] = nil
    }

    public func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        let item = snapshot.generation.rawValue
        guard let logged = EventLogEntry.Event(event, snapshot: snapshot),
            !isTooSmallToSee(logged, of: player.id, item: item)
        else { return }
        let entry = EventLogEntry(
            t: (clock.hostTime - beginning).inSeconds.roundedToMicros, ts: hasBegun ? nil : now(), player: player.id,
            item: item, event: logged)
        // Every field is a finite number, a string or a list of them, so this cannot fail.
        guard let line = try? encoder.encode(entry) else { return }
        hasBegun = true
        writer.write(line + [UInt8(ascii: "\n")])
    }

    /// Whether a number has changed so little that it reads as in the line before: such a line would tell of no change.
    private func isTooSmallToSee(_ event: EventLogEntry.Event, of player: String, item: Int) -> Bool {
        let line: NumberLine
        switch event {
        case .position, .duration: line = NumberLine(item: item, event: event)
        case .rate, .volume: line = NumberLine(item: 0, event: event)  // the player's, whatever the item
        default: return false
        }
        let before = numbers[player, default: [:]].updateValue(line, forKey: event.name)
        return line == before
    }
}

/// Why a log could not be written.
public enum EventLogError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened, or not be written any further. The reason is the system's.
    case cannotWrite(path: String, reason: String)

    /// One sentence for people, with the path and the reason of the system.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason): "cannot write the event log \(path): \(reason)"
        }
    }
}
