import Playback
import Synchronization

/// Takes what comes while something is expected, and decides whether it is as expected.
final class ExpectationCheck<Event: Hashable & Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var matcher: EventMatcher<Event>
        /// `true` once the body has ended, so that a decision ends the wait.
        var mayEnd = false
    }

    private let state: Mutex<State>
    private let expectation: EventExpectation<Event>
    private let isDecided = Flag()

    init(_ expectation: EventExpectation<Event>) {
        self.expectation = expectation
        state = Mutex(State(matcher: EventMatcher(expectation)))
    }

    func take(_ event: Event) {
        let isDecided = state.withLock { state in
            state.events.append(event)
            state.matcher.take(event)
            return state.mayEnd && state.matcher.verdict.isFinal
        }
        if isDecided { self.isDecided.raise() }
    }

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
        await (clock as? ManualClock)?.settle()
        let isFinal = state.withLock { state in
            state.mayEnd = true
            return state.matcher.verdict.isFinal
        }
        let first = bound ?? (clock is ManualClock ? .zero : .seconds(5))
        if !isFinal, first > .zero { await isDecided.wait(upTo: first, by: clock) }
        // A busy machine is late.
        let isMissing = state.withLock { if case .pending = $0.matcher.verdict { true } else { false } }
        if bound == nil, isMissing, !(clock is ManualClock) { await isDecided.wait(upTo: .seconds(115), by: clock) }
        return try result(at: site, text: text)
    }

    /// Returns the events so far, or throws if they differ from the expected ones.
    @discardableResult
    func result(at site: CallSite, text: (Event) -> String) throws(EventMismatch) -> [Event] {
        let (events, verdict) = state.withLock { ($0.events, $0.matcher.verdict) }
        if verdict.isGood { return events }
        let difference = LineDifference(expected: expectation.events, actual: events, text: text)
        throw site.mismatch(
            expectation.complaint, difference.lines(markingUnexpected: expectation.kind != .atLeast))
    }
}

extension EventMatcher.Verdict {
    fileprivate var isFinal: Bool {
        switch self {
        case .met, .failed: true
        case .metSoFar, .pending: false
        }
    }

    fileprivate var isGood: Bool {
        switch self {
        case .met, .metSoFar: true
        case .failed, .pending: false
        }
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
