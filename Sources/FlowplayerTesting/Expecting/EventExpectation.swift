/// The events that are expected, or that must not come.
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

    /// None, until the bound expires.
    public static var none: Self { Self(kind: .none, events: []) }
}

extension EventExpectation {
    enum Verdict {
        /// The events are as expected. Later events do not count.
        case met
        /// The events are as expected, unless another one comes.
        case metSoFar
        /// Expected events are missing.
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
