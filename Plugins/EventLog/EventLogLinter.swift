import FlowplayerSDK
import Foundation

/// Checks event logs against the event contract, which `Docs/EventContract.md` describes.
///
/// A log may start at any event of a player.
public struct EventLogLinter {
    private var traces: [String: PlayerTrace] = [:]
    private var lastTime = 0.0
    private var hasStarted = false

    /// Creates a linter for one log.
    public init() {}

    /// Checks the next entry of a log.
    ///
    /// - Returns: the rules that the entry breaks.
    public mutating func check(_ entry: EventLogEntry) -> [EventContractBreach] {
        var breaches: [EventContractBreach] = []
        if entry.t < lastTime { breaches.append(.init(.order, "time runs back from \(lastTime) s to \(entry.t) s")) }
        if hasStarted, entry.ts != nil { breaches.append(.init(.order, "only the first line of a log has ts")) }
        lastTime = max(lastTime, entry.t)
        hasStarted = true
        return breaches + traces[entry.player, default: PlayerTrace()].check(entry)
    }

    /// Checks a whole log.
    ///
    /// - Throws: `EventLogSyntaxError` for the first line that cannot be read.
    public static func breaches(in log: Data) throws -> [(line: Int, breach: EventContractBreach)] {
        var linter = EventLogLinter()
        return try EventLogReader.numberedEntries(in: log).flatMap { line, entry in
            linter.check(entry).map { (line, $0) }
        }
    }
}

/// A rule of the event contract that a log breaks.
public struct EventContractBreach: Hashable, Sendable, CustomStringConvertible {
    /// A rule, by the name that `Docs/EventContract.md` has for it.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Events come in order. No event of an older item comes after an event of a newer one.
        case order
        /// Each state follows a state that it can follow, and never itself.
        case states
        /// The tracks and the duration come before `ready`, which comes once per load.
        case ready
        /// `complete` comes at the end, and no event of the item follows it.
        case end
        /// Each `failure` comes right after its error, and no event of the item follows it.
        case failure
        /// Positions are within the duration and run back only after a seek.
        case position
        /// Each seek finishes once, fails, or is replaced by another load.
        case seek
        /// A selected track is in the list of tracks.
        case tracks
        /// The buffer state matches the player state.
        case buffer
        /// Interruptions start and stop alternately, and no item plays during one.
        case interruption
        /// The states of an advertisement follow each other, and none plays unless the playback state says so.
        case ads
        /// Values are in their ranges, and are sent only when they change.
        case values
    }

    /// The broken rule.
    public let rule: Rule
    /// A description of the breach.
    public let message: String

    init(_ rule: Rule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    /// The rule and the message, in one line.
    public var description: String { "\(rule.rawValue): \(message)" }
}
