import Foundation
import MediaTransport
import Playback

/// Calls trackers, off the main actor and never in the way of playback.
///
/// The trackers of one server are called in their order, one at a time. A request that fails is retried.
actor TrackingSender {
    /// A request that was answered, or given up.
    struct Report: Hashable, Sendable {
        let url: URL
        let succeeded: Bool
    }

    /// The time of one request.
    static let timeout = Duration.seconds(10)
    /// The largest number of requests that wait for one server. Later ones are dropped.
    static let mostWaiting = 200

    private let security: MediaSecurityPolicy
    private let retry: RetryPolicy
    private let clock: any PlaybackClock
    private var waiting: [String: [URL]] = [:]
    private var busy: Set<String> = []
    private let report: (@Sendable (Report) -> Void)?

    /// - Parameters:
    ///   - item: the policies of the content apply to its trackers.
    ///   - report: called after each request, on any thread.
    init(
        for item: PlayerItem?, clock: any PlaybackClock = ContinuousClock(), report: (@Sendable (Report) -> Void)? = nil
    ) {
        security = item?.securityPolicy ?? .standard
        retry = item?.retryPolicy ?? .standard
        self.clock = clock
        self.report = report
    }

    /// Calls trackers.
    func send(_ urls: [URL]) {
        for url in urls {
            // A tracker is on a server, never a file of this machine.
            let isAllowed = url.isHTTP && security.error(for: url, from: url) == nil
            let server = "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)"
            guard isAllowed, waiting[server, default: []].count < Self.mostWaiting else {
                report?(Report(url: url, succeeded: false))
                continue
            }
            waiting[server, default: []].append(url)
            guard busy.insert(server).inserted else { continue }
            Task { await work(server) }
        }
    }

    private func work(_ server: String) async {
        while let url = waiting[server]?.first {
            let succeeded = await call(url)
            waiting[server]?.removeFirst()
            report?(Report(url: url, succeeded: succeeded))
        }
        (waiting[server], _) = (nil, busy.remove(server))
    }

    /// - Returns: `true` if the server has accepted the request.
    private func call(_ url: URL) async -> Bool {
        let start = clock.hostTime
        var attempt = 0
        while let error = await failure(of: url) {
            let elapsed = (clock.hostTime - start).inSeconds
            guard let delay = retry.delay(before: attempt, after: error, elapsed: elapsed) else { return false }
            try? await clock.sleep(for: .seconds(delay))
            attempt += 1
        }
        return true
    }

    private func failure(of url: URL) async -> PlaybackError? {
        let request = HTTPFetch.Request(
            url, upTo: 1 << 20, within: Self.timeout, redirects: .anyServer, security: security)
        do throws(HTTPFetch.Failure) {
            let answer = try await HTTPFetch.answer(to: request)
            return answer.status < 400 ? nil : PlaybackError(httpStatus: answer.status, url: url)
        } catch .tooLong {
            // The body of the answer is not needed.
            return nil
        } catch {
            return PlaybackError(.connectionFailed, url: url)
        }
    }
}
