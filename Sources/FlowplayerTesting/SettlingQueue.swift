import Synchronization

/// Hands elements to one consumer, and knows when it has handled them all.
final class SettlingQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
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

    func makeStream() -> AsyncStream<Element> {
        state.withLock { $0.hasConsumer = true }
        let lease = ConsumerLease { [weak self] in self?.finish() }
        return AsyncStream { [weak self] in
            withExtendedLifetime(lease) {}
            return await self?.next()
        } onCancel: { [weak self] in
            self?.finish()
        }
    }

    func push(_ element: Element) {
        let consumer = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            guard let consumer = state.consumer else {
                state.elements.append(element)
                return nil
            }
            state.consumer = nil
            return consumer
        }
        consumer?.resume(returning: element)
    }

    func finish() {
        let (consumer, waiters) = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return (state.consumer, state.settledWaiters())
        }
        consumer?.resume(returning: nil)
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the consumer has handled everything, or is gone.
    func settle() async {
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
                if state.isFinished { return .deliver(nil) }
                if !state.elements.isEmpty { return .deliver(state.elements.removeFirst()) }
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
