import Playback
import Synchronization

/// Receives events, and decides if they are the expected ones.
final class ExpectationCheck<Event: Hashable & Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        /// `true` once the body has ended, so that a decision ends the wait.
        var mayEnd = false
    }

    private let state = Mutex(State())
    private let expectation: EventExpectation<Event>
    private let isDecided = Flag()

    init(_ expectation: EventExpectation<Event>) { self.expectation = expectation }

    func take(_ event: Event) { change { $0.events.append(event) } }

    /// Nothing more can come.
    func finish() { isDecided.raise() }

    /// Waits, if further events can decide the expectation.
    ///
    /// - Parameter bound: the longest time to wait by the clock. `nil`: five seconds of real time, two minutes while an
    ///   event is missing, and none of a `ManualClock`'s.
    /// - Returns: the events.
    nonisolated(nonsending) func result(
        within bound: Duration?, by clock: any PlaybackClock, at site: CallSite, text: (Event) -> String
    ) async throws(EventMismatch) -> [Event] {
        let isManual = clock is ManualClock
        await (clock as? ManualClock)?.settle()
        change { $0.mayEnd = true }
        await isDecided.wait(upTo: bound ?? (isManual ? .zero : .seconds(5)), by: clock)
        // A busy machine is late.
        if bound == nil, !isManual, verdict == .pending { await isDecided.wait(upTo: .seconds(115), by: clock) }
        return try result(at: site, text: text)
    }

    /// Returns the events so far, or throws if they differ from the expected ones.
    @discardableResult
    func result(at site: CallSite, text: (Event) -> String) throws(EventMismatch) -> [Event] {
        let events = state.withLock(\.events)
        switch expectation.verdict(on: events) {
        case .met, .metSoFar: return events
        case .pending, .failed:
            let difference = LineDifference(expected: expectation.events, actual: events, text: text)
            let lines = difference.lines(markingUnexpected: expectation.kind != .atLeast)
            throw site.mismatch(expectation.complaint, lines)
        }
    }

    private var verdict: EventExpectation<Event>.Verdict { expectation.verdict(on: state.withLock(\.events)) }

    private func change(_ body: (inout State) -> Void) {
        let mayEnd = state.withLock { state in
            body(&state)
            return state.mayEnd
        }
        if mayEnd, [.met, .failed].contains(verdict) { isDecided.raise() }
    }
}

extension EventExpectation {
    fileprivate var complaint: String {
        switch kind {
        case .exactly: "The events are not exactly those expected."
        case .atLeast: "Not all of the expected events came in their order."
        case .none: "No events were expected."
        }
    }
}
