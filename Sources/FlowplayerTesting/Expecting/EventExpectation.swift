/// The events that must come, or that must not.
public struct EventExpectation<Event: Hashable & Sendable>: Sendable {
    enum Kind {
        case exactly
        case atLeast
        case none
    }

    let kind: Kind
    let events: [Event]

    /// These, in this order, and no others.
    public static func exactly(_ events: [Event]) -> Self { Self(kind: .exactly, events: events) }

    /// These, in this order, perhaps with others before, between and after them.
    public static func atLeast(_ events: [Event]) -> Self { Self(kind: .atLeast, events: events) }

    /// None at all, until all of the time is over in which one could come.
    public static var none: Self { Self(kind: .none, events: []) }
}

/// Compares what comes with what is expected, one after the other.
struct EventMatcher<Event: Hashable & Sendable> {
    enum Verdict {
        /// As expected; what comes later does not count.
        case met
        /// As expected if nothing more comes.
        case metSoFar
        /// As expected if more comes.
        case pending
        case failed
    }

    private let expectation: EventExpectation<Event>
    private var matched = 0
    private var hasFailed = false

    init(_ expectation: EventExpectation<Event>) { self.expectation = expectation }

    mutating func take(_ event: Event) {
        let isNext = matched < expectation.events.count && expectation.events[matched] == event
        if isNext { matched += 1 } else if expectation.kind != .atLeast { hasFailed = true }
    }

    var verdict: Verdict {
        if hasFailed { return .failed }
        guard matched == expectation.events.count else { return .pending }
        return expectation.kind == .none ? .metSoFar : .met
    }
}
