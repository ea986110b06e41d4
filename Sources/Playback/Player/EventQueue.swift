import Synchronization

/// Hands elements to one consumer over a stream, keeps a bounded number for a slow one, and knows when it has handled all.
package final class EventQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: ArraySlice<Element> = []
        /// How many were left out before the first of `elements`.
        var missed = 0
        var consumer: CheckedContinuation<Element?, Never>?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var hasConsumer = false
        var isFinished = false

        /// A consumer that asks for more has handled what it had.
        var isSettled: Bool { !hasConsumer || isFinished || (elements.isEmpty && consumer != nil) }

        mutating func settledWaiters() -> [CheckedContinuation<Void, Never>] {
            guard isSettled else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private enum Step {
        case deliver(Element?)
        case wait(settled: [CheckedContinuation<Void, Never>])
    }

    private let state = Mutex(State())
    private let limit: Int
    private let gap: @Sendable (Int) -> Element?

    /// - Parameters:
    ///   - limit: how many elements wait for a slow consumer; beyond that the oldest are left out.
    ///   - gap: the element that says how many were left out, delivered in their place.
    package init(limit: Int = .max, gap: @escaping @Sendable (Int) -> Element? = { _ in nil }) {
        self.limit = max(1, limit)
        self.gap = gap
    }

    /// The stream for the one consumer.
    package func makeStream() -> AsyncStream<Element> {
        state.withLock { $0.hasConsumer = true }
        let lease = ConsumerLease { [weak self] in self?.abandon() }
        // The stream keeps the queue: what was pushed is delivered even if nobody else remembers it.
        return AsyncStream { [self] in
            withExtendedLifetime(lease) {}
            return await next()
        } onCancel: { [weak self] in
            self?.abandon()
        }
    }

    /// Whether nobody will ask for more.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    package func push(_ element: Element) {
        let consumer = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            guard let consumer = state.consumer else {
                state.elements.append(element)
                if state.elements.count > limit {
                    state.elements.removeFirst()
                    state.missed += 1
                }
                return nil
            }
            state.consumer = nil
            return consumer
        }
        consumer?.resume(returning: element)
    }

    /// No more comes; what waits is still delivered.
    package func finish() {
        let (consumer, waiters) = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return (state.consumer, state.settledWaiters())
        }
        consumer?.resume(returning: nil)
        for waiter in waiters { waiter.resume() }
    }

    /// The consumer is gone.
    private func abandon() {
        state.withLock { $0.elements = [] }
        finish()
    }

    /// Returns when the consumer has handled everything, or is gone.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if !state.isSettled { state.waiters.append(continuation) }
                return state.isSettled
            }
            if isSettled { continuation.resume() }
        }
    }

    private func next() async -> Element? {
        await withCheckedContinuation { continuation in
            let step = state.withLock { state -> Step in
                if state.missed > 0, let element = gap(state.missed) {
                    state.missed = 0
                    return .deliver(element)
                }
                if let element = state.elements.popFirst() { return .deliver(element) }
                if state.isFinished { return .deliver(nil) }
                state.consumer = continuation
                return .wait(settled: state.settledWaiters())
            }
            switch step {
            case .deliver(let element): continuation.resume(returning: element)
            case .wait(let settled): for waiter in settled { waiter.resume() }
            }
        }
    }
}

/// Tells when the consumer has dropped its stream, however it came to that.
private final class ConsumerLease: Sendable {
    private let onDrop: @Sendable () -> Void

    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    deinit { onDrop() }
}
