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
        /// The servers with requests, in their order.
        var servers: [String] = []
        var waiting: [String: [URL]] = [:]
        /// The servers that are called.
        var busy: [String: Task<Void, Never>] = [:]

        mutating func add(_ url: URL) {
            if waiting[url.origin] == nil { servers.append(url.origin) }
            waiting[url.origin, default: []].append(url)
        }

        /// Starts to call servers.
        mutating func start(_ call: @escaping @Sendable (String) async -> Void) {
            let free = max(0, mostBusy - busy.count)
            for server in servers.filter({ busy[$0] == nil }).prefix(free) {
                busy[server] = Task { await call(server) }
            }
        }

        /// Returns the next request of a server. Without one, the server is free.
        mutating func take(from server: String) -> URL? {
            if waiting[server]?.isEmpty == false { return waiting[server]?.removeFirst() }
            waiting[server] = nil
            servers.removeAll { $0 == server }
            busy[server] = nil
            return nil
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
            for url in urls where url.isHTTP {
                guard state.waiting.values.reduce(0, { $0 + $1.count }) < Self.mostWaiting else { return }
                state.add(url)
            }
        }
        startServers()
    }

    private func startServers() {
        state.withLock { state in
            state.start { [self] server in
                while let url = self.state.withLock({ $0.take(from: server) }) {
                    // The answer is not needed. One that is too long was received.
                    _ = try? await transport.body(at: url, from: url, upTo: 1 << 16, within: Self.timeout)
                }
                startServers()
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
