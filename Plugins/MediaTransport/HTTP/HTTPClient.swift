import CCurl
import Foundation
import NetworkThread
import Playback
import Synchronization

extension NetworkThread {
    /// The thread of all tasks that read media.
    static let transport = NetworkThread(label: "flowplayer-transport")
}

/// The HTTP client of the process: one libcurl multi handle, used by one thread.
///
/// All requests share the connections and the DNS cache of the multi handle. The requests of one item also share cookies and
/// TLS sessions. The actor runs on the thread that waits in `curl_multi_poll`, so no libcurl handle needs a lock:
///
/// ```
/// run(request) ──► job ──► curl_multi_perform ──► receiver.begin, receiver.take
///                   ▲              │
///         curl_multi_wakeup        └─► transfer ends: `run` returns its outcome
/// ```
actor HTTPClient {
    typealias Route = HTTPTransfer.Request.Route

    static let shared = HTTPClient()
    /// `false` if libcurl is not installed.
    static var isAvailable: Bool { HTTPLoop.multi != nil }

    /// The limit for the requests of one item to one origin. A transfer that waits for its reader does not count.
    private static let connectionsPerOrigin = 2
    /// Above this number of connections, libcurl closes each that is not in use. So a program with many players must not reach it.
    private static let connectionLimit = 512

    private nonisolated let loop = HTTPLoop()
    /// The transfers that libcurl performs, by their receivers.
    private var transfers: [ObjectIdentifier: HTTPTransfer] = [:]
    /// The number of transfers that count for the limit.
    private var active: [Route: Int] = [:]
    /// The requests that wait for another one to end.
    private var waiting: [(receiver: ObjectIdentifier, route: Route, start: CheckedContinuation<Bool, Never>)] = []
    private var shares: [CookieJar.ID: UnsafeMutableRawPointer] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() {
        flowplayer_curl_multi_set_number(HTTPLoop.multi, CURLMOPT_MAXCONNECTS, Self.connectionLimit)
        loop.start { self.assumeIsolated { $0.perform() } }
    }

    /// Runs one request, and returns when it is over. A redirect is reported, not followed.
    ///
    /// If the task is cancelled, the outcome is `stopped`. A receiver has one request at a time.
    func run(_ request: HTTPTransfer.Request, for receiver: HTTPReader.Load) async -> HTTPTransfer.Outcome {
        let id = ObjectIdentifier(receiver)
        return await withTaskCancellationHandler {
            let host = Sandbox.host
            var connections = host.map { _ in HostConnections(for: request.url) }
            while true {
                guard await begin(request.route, id) else { return .stopped(nil) }
                let outcome = await transfer(request, receiver, through: connections)
                guard let server = connections?.missing, let host else { return outcome }
                do throws(ConnectionFailure) {
                    let socket = try await host.connect(to: server, within: request.timeout)
                    connections = HostConnections(for: request.url, socket: socket)
                } catch {
                    return .failed(.unreachable(error.code, url: request.url, cause: error.cause))
                }
            }
        } onCancel: {
            // The receiver exists until then, so that no other one has its identity.
            Task(executorPreference: NetworkThread.transport) { await self.stop(receiver) }
        }
    }

    private func transfer(
        _ request: HTTPTransfer.Request, _ receiver: HTTPReader.Load, through connections: HostConnections?
    ) async -> HTTPTransfer.Outcome {
        await withCheckedContinuation { continuation in
            // `stop` may have come when the request was neither waiting nor a transfer.
            guard !Task.isCancelled else {
                free(request.route)
                return continuation.resume(returning: .stopped(nil))
            }
            do throws(PlaybackError) {
                let share = share(of: request.options.cookies)
                let transfer = try HTTPTransfer(request, receiver, through: connections, share: share) {
                    continuation.resume(returning: $0)
                }
                transfers[ObjectIdentifier(receiver)] = transfer
                curl_multi_add_handle(HTTPLoop.multi, transfer.easy)
            } catch {
                free(request.route)
                continuation.resume(returning: .failed(error))
            }
        }
    }

    /// Offers the bytes again that a receiver did not take.
    func resume(_ receiver: HTTPReader.Load) { transfers[ObjectIdentifier(receiver)]?.resume() }

    private func stop(_ receiver: HTTPReader.Load) {
        let id = ObjectIdentifier(receiver)
        if let transfer = transfers[id] { end(transfer, .stopped(nil)) }
        for request in waiting where request.receiver == id { request.start.resume(returning: false) }
        waiting.removeAll { $0.receiver == id }
    }

    private func end(_ transfer: HTTPTransfer, _ outcome: HTTPTransfer.Outcome) {
        transfers[ObjectIdentifier(transfer.receiver)] = nil
        curl_multi_remove_handle(HTTPLoop.multi, transfer.easy)
        if transfer.countsForLimit { free(transfer.request.route) }
        transfer.completion(outcome)
    }

    // MARK: The limit of connections

    /// - Returns: `false` if the request was cancelled before it could start.
    private func begin(_ route: Route, _ receiver: ObjectIdentifier) async -> Bool {
        // Other jobs may run at each `await`, also here. Nothing comes between the count and its use.
        await withCheckedContinuation { start in
            if Task.isCancelled {
                start.resume(returning: false)
            } else if active[route, default: 0] < Self.connectionsPerOrigin {
                active[route, default: 0] += 1
                start.resume(returning: true)
            } else {
                waiting.append((receiver, route, start))
            }
        }
    }

    /// Lets the next request start.
    private func free(_ route: Route) {
        if let next = waiting.firstIndex(where: { $0.route == route }) {
            waiting.remove(at: next).start.resume(returning: true)
        } else {
            let count = active[route, default: 1] - 1
            active[route] = count > 0 ? count : nil
        }
    }

    // MARK: Cookies and TLS sessions

    private func share(of cookies: CookieJar) -> UnsafeMutableRawPointer? {
        if let share = shares[cookies.id] { return share }
        cookies.isUsed.store(true, ordering: .relaxed)
        guard let share = curl_share_init().map({ UnsafeMutableRawPointer($0) }) else { return nil }
        flowplayer_curl_share(share, CURL_LOCK_DATA_COOKIE)
        flowplayer_curl_share(share, CURL_LOCK_DATA_SSL_SESSION)
        shares[cookies.id] = share
        return share
    }

    /// Frees the cookies of an item whose requests are over.
    func forget(_ cookies: CookieJar.ID) {
        if let share = shares.removeValue(forKey: cookies) { curl_share_cleanup(share) }
    }

    // MARK: The loop

    /// Lets libcurl read and write.
    ///
    /// - Returns: the time until the next timeout, in milliseconds.
    private func perform() -> Int32 {
        var running: Int32 = 0
        curl_multi_perform(HTTPLoop.multi, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(HTTPLoop.multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE,
                let transfer = transfers.values.first(where: { $0.easy == message.easy_handle })
            else { continue }
            end(transfer, transfer.outcome(of: message.data.result))
        }
        var wait = 10.0
        for transfer in transfers.values {
            if transfer.isPaused, transfer.countsForLimit {
                transfer.countsForLimit = false
                free(transfer.request.route)
            }
            let left = transfer.timeLeft
            if left > 0 { wait = min(wait, left) } else { end(transfer, .failed(transfer.timeout)) }
        }
        return Int32(wait * 1000) + 1
    }
}

/// The thread of the client: performs the actor's jobs, and waits in libcurl between them.
private final class HTTPLoop: SerialExecutor {
    /// `nil` without libcurl. Used by the thread, except for `curl_multi_wakeup`, which any thread may call.
    nonisolated(unsafe) static let multi =
        curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK ? curl_multi_init() : nil
    private let jobs = Mutex<[UnownedJob]>([])
    private let thread = Mutex<pthread_t?>(nil)

    /// - Parameter perform: called between the jobs. It returns the longest time to wait, in milliseconds.
    func start(perform: @escaping @Sendable () -> Int32) {
        let thread = Thread { [self] in
            self.thread.withLock { $0 = pthread_self() }
            while true {
                for job in takeJobs() { job.runSynchronously(on: asUnownedSerialExecutor()) }
                curl_multi_poll(Self.multi, nil, 0, perform(), nil)
            }
        }
        thread.name = "flowplayer-http"
        thread.start()
    }

    private func takeJobs() -> [UnownedJob] {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        curl_multi_wakeup(Self.multi)
    }

    func checkIsolated() {
        precondition(thread.withLock { $0 == pthread_self() }, "The HTTP client is used by its own thread only.")
    }
}

/// The cookies and TLS sessions of one item. They are sent with the requests of this item only.
package final class CookieJar: Sendable, Identifiable {
    package let id = UUID()

    /// `true` after the first request. Without one, the client would load libcurl to forget nothing.
    fileprivate let isUsed = Atomic(false)

    package init() {}

    deinit {
        guard isUsed.load(ordering: .relaxed) else { return }
        Task { [id] in await HTTPClient.shared.forget(id) }
    }
}
