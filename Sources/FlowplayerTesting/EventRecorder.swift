import Foundation
import Playback

/// Keeps the events of a player, for a test to compare or to wait for.
@MainActor
public final class EventRecorder {
    /// Every event since the recorder was made, the oldest first.
    public private(set) var events: [PlayerEvent] = []

    private var waiters: [(id: Int, condition: (PlayerEvent) -> Bool, continuation: CheckedContinuation<Bool, Never>)] =
        []
    private var lastID = 0
    private var token: ObservationToken?

    /// Records from now on, for as long as the recorder is kept.
    public init(_ player: MediaPlayer) {
        token = player.observe { [weak self] event, _ in self?.record(event) }
    }

    /// The states told, in their order.
    public var states: [PlayerState] {
        events.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    /// The errors told, in their order.
    public var errors: [PlaybackError] {
        events.compactMap { if case .error(let error) = $0 { error } else { nil } }
    }

    /// The positions told, in their order.
    public var positions: [Double] {
        events.compactMap { if case .position(let position) = $0 { position } else { nil } }
    }

    /// Waits for an event, in real time.
    ///
    /// - Returns: `false` if none came within the bound. Events before the call do not count.
    public func event(within bound: Duration, where condition: @escaping (PlayerEvent) -> Bool) async -> Bool {
        lastID += 1
        let id = lastID
        let timeout = Task { [weak self] in
            try await Task.sleep(for: bound)
            self?.resume(id, returning: false)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { waiters.append((id, condition, $0)) }
    }

    /// Waits for a state, in real time. `true` at once if it has been told already.
    public func reaches(_ state: PlayerState, within bound: Duration = .seconds(10)) async -> Bool {
        if states.contains(state) { return true }
        return await event(within: bound) { $0 == .state(state) }
    }

    /// Throws what differs, readably, unless the events of the given kinds are exactly these.
    ///
    /// - Parameter isRelevant: which events to compare; by default all but positions.
    public func expect(
        exactly expected: [PlayerEvent], where isRelevant: (PlayerEvent) -> Bool = { !$0.isPosition }
    ) throws {
        let actual = events.filter(isRelevant)
        if actual != expected { throw EventMismatch(expected: expected, actual: actual) }
    }

    /// Throws what differs, readably, unless these events came in this order, perhaps with others between them.
    public func expect(atLeast expected: [PlayerEvent]) throws {
        var remaining = expected[...]
        for event in events where event == remaining.first { remaining.removeFirst() }
        if !remaining.isEmpty { throw EventMismatch(expected: expected, actual: events) }
    }

    private func record(_ event: PlayerEvent) {
        events.append(event)
        for waiter in waiters where waiter.condition(event) { resume(waiter.id, returning: true) }
    }

    private func resume(_ id: Int, returning result: Bool) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: result)
    }
}

/// Events were not as expected.
public struct EventMismatch: Error, CustomStringConvertible {
    /// What the test asked for.
    public let expected: [PlayerEvent]
    /// What was told, without the kinds that the test left out.
    public let actual: [PlayerEvent]

    /// The expected and the actual events, a line each: `-` missing, `+` unexpected.
    public var description: String {
        let difference = actual.difference(from: expected)
        let missing = difference.removals.map { "- \($0.line)" }
        let unexpected = difference.insertions.map { "+ \($0.line)" }
        return (["events differ"] + missing + unexpected).joined(separator: "\n")
    }
}

extension CollectionDifference<PlayerEvent>.Change {
    fileprivate var line: String {
        switch self {
        case .insert(let offset, let event, _), .remove(let offset, let event, _): "\(offset): \(event)"
        }
    }
}

extension PlayerEvent {
    /// Whether this is one of the many events of a playhead that moves.
    public var isPosition: Bool { if case .position = self { true } else { false } }
}
