import Foundation
import Playback
import Synchronization

/// Calls trackers, off the main actor and never in the way of playback.
///
/// The trackers of one server are called in their order, one at a time. A request that fails is repeated, as the policy of the item
/// says.
final class TrackingSender: Sendable {
    /// The time of one tracker, with its repetitions.
    private static let timeout = Duration.seconds(10)
    /// The largest number of requests that wait. Later ones are dropped.
    private static let mostWaiting = 1000
    /// The largest number of servers that are called at the same time.
    private static let mostBusy = 6

    private struct State {
        /// Replaces the macros of the trackers before it.
        var filling: Task<Void, Never>?
        /// The number of calls of `send`.
        var sent = 0
        /// The requests that have not begun, in their order.
        var waiting: [(server: String, url: URL)] = []
        /// The requests that were begun, by their servers.
        var busy: [String: Task<Void, Never>] = [:]

        /// Begins the requests to servers that are not busy.
        mutating func start(_ call: @escaping @Sendable (URL) async -> Void) {
            while busy.count < mostBusy, let index = waiting.firstIndex(where: { busy[$0.server] == nil }) {
                let (server, url) = waiting.remove(at: index)
                busy[server] = Task { await call(url) }
            }
        }
    }

    let transport: AdTransport
    private let state = Mutex(State())

    init(_ transport: AdTransport) { self.transport = transport }

    /// Calls trackers. Returns at once.
    ///
    /// - Parameters:
    ///   - trackers: addresses with macros.
    ///   - macros: without the time and the random number.
    func send(_ trackers: [String], _ macros: AdMacros) {
        let date = Date()
        state.withLock { state in
            let previous = state.filling
            state.sent += 1
            let number = state.sent
            state.filling = Task {
                await previous?.value
                add(trackers.compactMap { macros.fresh(at: date).address($0) })
                self.state.withLock { if $0.sent == number { $0.filling = nil } }
            }
        }
    }

    private func add(_ urls: [URL]) {
        state.withLock { state in
            // A tracker is on a server, never a file of this machine.
            state.waiting += urls.filter(\.isHTTP).prefix(Self.mostWaiting - state.waiting.count)
                .map { ($0.origin, $0) }
        }
        startRequests()
    }

    /// - Parameter server: one whose request has ended.
    private func startRequests(after server: String? = nil) {
        state.withLock { state in
            if let server { state.busy[server] = nil }
            state.start { [self] url in
                // The answer is not needed. One that is too long was received.
                _ = try? await transport.body(at: url, from: url, upTo: 1 << 16, within: Self.timeout)
                startRequests(after: url.origin)
            }
        }
    }

    /// `true` if no request waits.
    var isIdle: Bool { state.withLock { $0.filling == nil && $0.busy.isEmpty } }

    /// Waits until all trackers so far were called.
    func finish() async {
        await state.withLock(\.filling)?.value
        while !Task.isCancelled, let call = state.withLock(\.busy.values.first) { await call.value }
    }
}
