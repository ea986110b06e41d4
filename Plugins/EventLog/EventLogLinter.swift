import FlowplayerSDK
import Foundation

/// Checks event logs against the event contract, which `Docs/EventContract.md` tells in words.
///
/// A log may begin in the middle of a player's life: what came before is not held against it.
public struct EventLogLinter {
    private var traces: [String: PlayerTrace] = [:]
    private var lastTime = 0.0
    private var hasBegun = false

    /// A linter that has seen nothing yet.
    public init() {}

    /// Takes the next entry of a log. Gives the rules that it breaks; none if all is well.
    public mutating func check(_ entry: EventLogEntry) -> [EventContractBreach] {
        var breaches: [EventContractBreach] = []
        if entry.t < lastTime { breaches.append(.init(.order, "time runs back from \(lastTime) s to \(entry.t) s")) }
        if hasBegun, entry.ts != nil { breaches.append(.init(.order, "only the first line of a log has ts")) }
        lastTime = max(lastTime, entry.t)
        hasBegun = true
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
    /// What the contract promises. The names are those of the sections of `Docs/EventContract.md`.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Events come in the order in which they happened, those of an older item never after those of a newer one.
        case order
        /// Each state follows one that it can follow, and never itself.
        case states
        /// What is known of a medium is told with `ready`, and before it.
        case ready
        /// An end comes once, at the end, and nothing follows it.
        case end
        /// Every failure has one error, right before it, and nothing follows it.
        case failure
        /// Positions are in the medium and never run back but by a seek.
        case position
        /// Every seek ends once: there, where it was, or overtaken.
        case seek
        /// Only a track that was told is chosen.
        case tracks
        /// What is told of the buffer agrees with the state.
        case buffer
        /// An interruption begins and ends in turn, and nothing plays meanwhile.
        case interruption
        /// Values are in their ranges, and are told only when they change.
        case values
    }

    /// The rule that is broken.
    public let rule: Rule
    /// What happened instead, for people.
    public let message: String

    init(_ rule: Rule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    /// Rule and fault, in one line.
    public var description: String { "\(rule.rawValue): \(message)" }
}
