import Synchronization

/// Hands elements to one consumer, keeps a bounded number for a slow one, and knows when it has handled all.
///
/// The consumer reads a stream, or takes what is there whenever it likes.
package final class EventQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: ArraySlice<Element> = []
        /// How many were left out before the first of `elements`.
        var missed = 0
        var consumer: CheckedContinuation<Element?, Never>?
        var isStreamed = false
        /// The task that asked last.
        var reader: TaskIdentity?
        var probe: ReaderProbe?
        /// Whether the consumer was waited for in vain, and has not asked since.
        var isAbsent = false
        var isFinished = false

        /// A consumer that asks for more has handled what it had.
        var isSettled: Bool { !isStreamed || isFinished || isAbsent || (elements.isEmpty && consumer != nil) }
    }

    private let state = Mutex(State())
    private let clock: (any SteppedClock)?
    private let limit: Int
    private let gap: @Sendable (Int) -> Element?

    /// - Parameters:
    ///   - clock: waits, before it moves, until the reader of the stream has handled everything.
    ///   - limit: how many elements wait for a slow consumer; beyond that the oldest are left out.
    ///   - gap: the element that says how many were left out, delivered in their place.
    package init(
        clock: (any SteppedClock)? = nil, limit: Int = .max, gap: @escaping @Sendable (Int) -> Element? = { _ in nil }
    ) {
        self.clock = clock
        self.limit = max(1, limit)
        self.gap = gap
    }

    /// The stream for the one consumer.
    package func makeStream() -> AsyncStream<Element> {
        state.withLock { $0.isStreamed = true }
        clock?.join(self)
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
            state.probe?.goesOn()
            return consumer
        }
        consumer?.resume(returning: element)
    }

    /// The oldest element, or `nil` if there is none now.
    package func take() -> Element? {
        state.withLock { $0.elements.popFirst() }
    }

    /// No more comes; what waits is still delivered.
    package func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }

    /// The consumer is gone.
    private func abandon() {
        state.withLock { $0.elements = [] }
        finish()
    }

    private func next() async -> Element? {
        let (reader, probe) = (TaskIdentity.current, ReaderProbe.current)
        return await withCheckedContinuation { continuation in
            let element = state.withLock { state -> Element?? in
                state.reader = reader
                state.isAbsent = false
                if state.missed > 0, let element = gap(state.missed) {
                    state.missed = 0
                    return element
                }
                if let element = state.elements.popFirst() { return element }
                if state.isFinished { return .some(nil) }
                state.consumer = continuation
                state.probe = probe
                probe?.waits(for: clock)
                return nil
            }
            if let element { continuation.resume(returning: element) }
        }
    }
}

// MARK: - Steps of a clock

/// How long, in real time, a clock waits for a reader that does something else than to read or to wait for that clock.
private let patience = (withReader: Duration.milliseconds(250), beforeTheFirst: Duration.milliseconds(50))
/// A reader has had so many turns at least before it is given up: other work may hold its actor for long.
private let fewestTurns = 100

/// A reader that waits for that clock itself, or moves it, has nothing to do before the next step. One that does not come
/// back in real time is not waited for until it does.
extension EventQueue: StepParticipant {
    package nonisolated(nonsending) func settle(by clock: any SteppedClock) async -> Bool {
        if isSettled(by: clock) { return false }
        let start = ContinuousClock.now
        var turns = 0
        repeat {
            await Task.yield()
            if isSettled(by: clock) { return true }
            turns += 1
        } while turns < fewestTurns || ContinuousClock.now - start < bound
        state.withLock { $0.isAbsent = true }
        return true
    }

    private var bound: Duration {
        state.withLock { $0.reader == nil ? patience.beforeTheFirst : patience.withReader }
    }

    private func isSettled(by clock: any SteppedClock) -> Bool {
        let (isSettled, reader) = state.withLock { ($0.isSettled, $0.reader) }
        guard !isSettled, let reader else { return isSettled }
        return reader == .current || clock.isAwaited(by: reader)
    }
}

/// Tells when the consumer has dropped its stream, however it came to that.
private final class ConsumerLease: Sendable {
    private let onDrop: @Sendable () -> Void

    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    deinit { onDrop() }
}
