import Foundation

/// A media server on the loopback interface that fails on purpose.
///
/// ```swift
/// let server = try await FaultServer.start(serving: folder)
/// server.set(.reset(.midBody), on: .request(1), for: "/clip.mp4")
/// player.load(external: MediaExternal(url: server.url(for: "/clip.mp4")))
/// ```
///
/// A plan selects the faults. It is set for a path, or written in the address:
/// `http://127.0.0.1:PORT/reset-mid-body@1/clip.mp4`. A plan in the address replaces the plan of the path. It also applies to
/// the relative addresses in a playlist.
///
/// The server supports GET, HEAD and byte ranges. It reads a file for each request, so files may change. Files above
/// 64 MB are mapped, and must not become shorter while they are sent.
///
/// All calls are thread-safe. The server stops when its last reference is released.
public final class FaultServer: Sendable {
    /// The certificate of the authority that signed `TLSCertificate.trusted`, in PEM. A client must trust it.
    public static let certificateAuthority = String(decoding: PackageResources.authority_pem, as: UTF8.self)

    private let handler: RequestHandler
    private let servers: ServerGroup
    private let plain: ReservedPort
    private let refusing: ReservedPort
    private let encrypted: [TLSCertificate: ReservedPort]

    /// Starts a server for a folder or for one file.
    ///
    /// - Parameters:
    ///   - media: the file URL of the folder or file.
    ///   - port: the port from 0 to 65535; 0 selects a free one.
    ///   - clock: the clock for delays, rates, live streams and the request log.
    /// - Throws: `CocoaError` if there is no such file, `FaultServerError` if the port is in use.
    public static func start(
        serving media: URL, port: Int = 0, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> FaultServer {
        try await FaultServer(RequestHandler(try Library(media), clock: clock), port: port)
    }

    /// Starts a server for files in memory.
    ///
    /// - Parameters:
    ///   - files: the contents by path, as in `/clip.mp4`.
    ///   - port: the port from 0 to 65535; 0 selects a free one.
    ///   - clock: the clock for delays, rates, live streams and the request log.
    /// - Throws: `FaultServerError` if the port is in use.
    public static func start(
        serving files: [String: Data], port: Int = 0, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> FaultServer {
        try await FaultServer(RequestHandler(Library(files), clock: clock), port: port)
    }

    private init(_ handler: RequestHandler, port: Int) async throws {
        self.handler = handler
        plain = try ReservedPort(port)
        refusing = try ReservedPort()
        encrypted = Dictionary(
            uniqueKeysWithValues: try TLSCertificate.allCases.map { ($0, try ReservedPort()) })
        servers = ServerGroup(handler, ports: [(plain, nil)] + encrypted.map { ($0.value, $0.key) })
        try await servers.start()
    }

    /// The port for plain HTTP. It stays the same after a restart.
    public var port: Int { plain.number }

    /// The sorted paths of the files.
    public var paths: [String] { handler.library.paths }

    // MARK: Stopping

    /// Closes all connections, as if the server were killed, and refuses new ones.
    ///
    /// The ports stay reserved until the last reference to the server is released.
    public func stop() async { try? await servers.stop() }

    /// Starts the server again on the same ports. Plans and counters are kept.
    ///
    /// - Throws: an error if a port cannot be opened.
    public func restart() async throws { try await servers.start() }

    // MARK: Plans

    /// Sets the plan of a path.
    ///
    /// - Parameters:
    ///   - plan: replaces the plan of the same path and resets its counters. `nil` removes it.
    ///   - path: the path of a file. With a `/` at its end, all files below a folder. The longest matching path is used.
    public func set(_ plan: FaultPlan?, for path: String = "/") { handler.set(plan, for: path) }

    /// Sets one fault as the plan of a path.
    ///
    /// - Parameters:
    ///   - fault: the fault. `.refused` and `.tls` have no effect here: see `url(for:fault:on:)`.
    ///   - occasion: the responses that have the fault.
    ///   - path: the path of a file. With a `/` at its end, all files below a folder. The longest matching path is used.
    public func set(_ fault: Fault, on occasion: FaultOccasion = .always, for path: String = "/") {
        set(FaultPlan(fault, on: occasion), for: path)
    }

    /// Removes the plans of all paths. Plans in addresses still apply.
    public func removeAllPlans() { handler.removeAllPlans() }

    // MARK: Addresses

    /// Returns the address of a file. The plan of its path applies.
    ///
    /// - Parameter path: the path as in `/clip.mp4`, without percent-encoding.
    public func url(for path: String) -> URL { url(path, plan: nil) }

    /// Returns the address of a file with one fault. The plan of its path does not apply.
    ///
    /// - Parameters:
    ///   - path: the path as in `/clip.mp4`, without percent-encoding.
    ///   - fault: the fault. `.refused` and `.tls` select the port, on every occasion.
    ///   - occasion: the responses that have the fault.
    public func url(for path: String, fault: Fault, on occasion: FaultOccasion = .always) -> URL {
        url(path, plan: FaultPlan(fault, on: occasion))
    }

    /// Returns the address of a file with a plan. The plan of its path does not apply.
    ///
    /// - Parameters:
    ///   - path: the path as in `/clip.mp4`, without percent-encoding.
    ///   - plan: the plan. `.refused` and `.tls` select the port, on every occasion.
    public func url(for path: String, plan: FaultPlan) -> URL { url(path, plan: plan) }

    private func url(_ path: String, plan: FaultPlan?) -> URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("http", "127.0.0.1", port)
        let faults = plan?.steps.map(\.fault) ?? []
        for case .tls(let certificate) in faults.map(\.kind) {
            (components.scheme, components.port) = ("https", encrypted[certificate]?.number)
        }
        if faults.contains(.refused) { components.port = refusing.number }
        let file = path.split(separator: "/").map {
            $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
        }
        components.percentEncodedPath = "/" + ((plan.map { [$0.description] } ?? []) + file).joined(separator: "/")
        // All components are percent-encoded, so the URL is valid.
        return components.url!
    }

    // MARK: Requests

    /// All requests so far, in order, with the current state of their responses.
    public var requests: [FaultServerRequest] { handler.log.requests }

    /// A stream of the next requests. Each is sent when it arrives and again when its response has ended. The stream continues while
    /// the server is stopped.
    public var requestUpdates: AsyncStream<FaultServerRequest> { handler.log.changes(ofEndings: true).changes }

    /// Waits for a request that matches a condition. Checks the earlier requests too.
    ///
    /// - Parameters:
    ///   - bound: the timeout, in real time.
    ///   - matches: the condition. It is checked for all requests after each change.
    /// - Returns: the first match.
    /// - Throws: `FaultServerError` at the timeout.
    public func request(
        within bound: Duration = .seconds(120), where matches: @Sendable (FaultServerRequest) -> Bool
    ) async throws -> FaultServerRequest {
        let (changes, end) = handler.log.changes()
        let timer = Task {
            try await Task.sleep(for: bound)
            end.finish()
        }
        defer { timer.cancel() }
        var iterator = changes.makeAsyncIterator()
        repeat {
            if let request = requests.first(where: matches) { return request }
        } while await iterator.next() != nil
        let received = requests.map { "\($0.method) \($0.path) \($0.ending.rawValue)" }.joined(separator: ", ")
        throw FaultServerError(description: "No such request arrived within \(bound). Received: \(received)")
    }
}
