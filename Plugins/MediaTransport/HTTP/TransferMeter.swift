import Synchronization

/// Counts what the requests of one item transfer. Any thread may call it.
package final class TransferMeter: Sendable {
    package struct Totals: Sendable {
        package var bytes = 0
        package var retries = 0
        /// The time in which bytes were requested and had not all arrived.
        var time = Duration.zero

        /// In bits per second; `nil` if nothing has arrived.
        package var bitRate: Double? { bitRate(since: Totals()) }

        /// In bits per second since earlier totals; `nil` if nothing has arrived.
        func bitRate(since earlier: Totals) -> Double? {
            let (bytes, time) = (bytes - earlier.bytes, time - earlier.time)
            return bytes > 0 && time > .zero ? Double(bytes) * 8 / (time / .seconds(1)) : nil
        }
    }

    private let state = Mutex((totals: Totals(), lastArrival: ContinuousClock.now))

    package init() {}

    package var totals: Totals { state.withLock(\.totals) }

    /// - Parameter start: the time of the request, or of its bytes before.
    func received(_ count: Int, since start: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        state.withLock { state in
            state.totals.bytes += count
            // Two requests at once share their time.
            state.totals.time += max(.zero, now - max(start, state.lastArrival))
            state.lastArrival = now
        }
    }

    func retried() { state.withLock { $0.totals.retries += 1 } }
}
