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

extension EventExpectation {
    enum Verdict {
        /// As expected; what comes later does not count.
        case met
        /// As expected if nothing more comes.
        case metSoFar
        /// As expected if more comes.
        case pending
        case failed
    }

    /// Compares the events so far with the expected ones.
    func verdict(on actual: [Event]) -> Verdict {
        switch kind {
        case .none: return actual.isEmpty ? .metSoFar : .failed
        case .exactly:
            if actual == events { return .met }
            return events.starts(with: actual) ? .pending : .failed
        case .atLeast:
            var missing = events[...]
            for event in actual where event == missing.first { missing.removeFirst() }
            return missing.isEmpty ? .met : .pending
        }
    }
}
