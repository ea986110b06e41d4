import Playback

/// Keeps the events of a player, for a test to compare or to wait for.
@MainActor
public final class EventRecorder {
    /// An event and its time.
    public struct Entry: Hashable, Sendable {
        /// The time since the recorder was created, by the player's clock.
        public let time: Duration
        /// The event.
        public let event: PlayerEvent
    }

    /// Every event since the recorder was made, the oldest first, with its time.
    public private(set) var entries: [Entry] = []

    let clock: any PlaybackClock
    private let observers = Observers<(PlayerEvent) -> Void>()
    private var token: ObservationToken?

    /// Starts to record. The recording ends when the recorder is released.
    public init(_ player: MediaPlayer) {
        clock = player.clock
        let start = clock.hostTime
        token = player.observe { [weak self] event, _ in self?.record(event, since: start) }
    }

    /// Every event since the recorder was made, the oldest first.
    public var events: [PlayerEvent] { entries.map(\.event) }

    /// The states, in order.
    public var states: [PlayerState] {
        entries.compactMap { if case .state(let state) = $0.event { state } else { nil } }
    }

    /// The states, in order, as if no data had been missing: without `buffer`, and without the `play` that follows it.
    ///
    /// An engine on a busy machine may stall at any time.
    public var statesWithoutStalls: [PlayerState] { states.withoutStalls }

    /// The errors, in order.
    public var errors: [PlaybackError] {
        entries.compactMap { if case .error(let error) = $0.event { error } else { nil } }
    }

    /// The warnings, in order.
    public var notices: [PlaybackNotice] {
        entries.compactMap { if case .log(let notice) = $0.event { notice } else { nil } }
    }

    /// The positions, in order.
    public var positions: [Double] {
        entries.compactMap { if case .position(let position) = $0.event { position } else { nil } }
    }

    /// Waits for an event, in real time whatever the player's clock is: for what comes from outside of it.
    ///
    /// - Parameters:
    ///   - count: how many of `entries` do not count; `nil` for all before the call. On a busy machine, several events may come before a test
    ///     continues after a wait. Take `entries.count` before the action that causes the event.
    ///   - bound: how long to wait at most. The default suits machines that are busy with other programs.
    /// - Returns: `false` if none came within the bound.
    public func event(
        after count: Int? = nil, within bound: Duration = .seconds(120),
        where condition: @escaping (PlayerEvent) -> Bool
    ) async -> Bool {
        if let count, entries.dropFirst(count).contains(where: { condition($0.event) }) { return true }
        let hasCome = Flag()
        let token = observe { if condition($0) { hasCome.raise() } }
        defer { token.cancel() }
        return await hasCome.wait(upTo: bound, by: ContinuousClock())
    }

    /// Waits for a state, in real time. Returns `true` at once if the state was recorded before. `MediaPlayer.reaches`
    /// moves a `ManualClock` instead.
    public func reaches(_ state: PlayerState, within bound: Duration = .seconds(120)) async -> Bool {
        if states.contains(state) { return true }
        return await event(within: bound) { $0 == .state(state) }
    }

    /// Throws a readable difference unless the events so far are as expected.
    ///
    /// - Parameter isRelevant: which events to compare; by default all but positions.
    public func expect(
        _ expected: EventExpectation<PlayerEvent>, where isRelevant: (PlayerEvent) -> Bool = { !$0.isPosition },
        fileID: StaticString = #fileID, line: Int = #line
    ) throws(EventMismatch) {
        let check = ExpectationCheck(expected)
        for event in events where isRelevant(event) { check.take(event) }
        try check.result(at: CallSite(fileID: fileID, line: line), text: \.text)
    }

    func observe(_ handler: @escaping (PlayerEvent) -> Void) -> ObservationToken { observers.add(handler) }

    private func record(_ event: PlayerEvent, since start: Duration) {
        entries.append(Entry(time: clock.hostTime - start, event: event))
        observers.notify { $0(event) }
    }
}

extension PlayerEvent {
    /// `true` for a position of the running playhead.
    public var isPosition: Bool { if case .position = self { true } else { false } }
}

extension MediaPlayer {
    /// Waits until the player has a state, also if it has it only for a moment.
    ///
    /// A `ManualClock` is moved to that moment; with any other clock, real time passes.
    ///
    /// - Parameter bound: how long to wait at most, by the player's clock.
    /// - Returns: `true` at once if it is the state now; `false` if it did not come within the bound.
    public func reaches(_ state: PlayerState, within bound: Duration? = nil) async -> Bool {
        if snapshot.state == state { return true }
        let isReached = Flag()
        let token = observe { event, _ in if event == .state(state) { isReached.raise() } }
        defer { token.cancel() }
        let bound = bound ?? (clock is ManualClock ? .seconds(10) : .seconds(120))
        return await isReached.wait(upTo: bound, by: clock)
    }
}

extension Sequence<PlayerState> {
    /// Without `buffer`, and without the `play` that follows it.
    package var withoutStalls: [PlayerState] {
        filter { $0 != .buffer }.reduce(into: []) { states, state in
            if states.last != state { states.append(state) }
        }
    }
}
