import Foundation

/// A media server on the loopback interface that does what is wrong on purpose.
///
/// ```swift
/// let server = try await FaultServer.start(serving: folder)
/// server.set(.reset(.midBody), on: .request(1), for: "/clip.mp4")
/// player.load(external: MediaExternal(url: server.url(for: "/clip.mp4")))
/// ```
///
/// What goes wrong is set for paths, or is chosen by the address: `http://127.0.0.1:PORT/reset-mid-body@1/clip.mp4`. An address with
/// a plan is not concerned by what is set for its path. Playlists with relative addresses hand the plan down to what they
/// name. GET and HEAD are answered, with ranges; a file is found anew for every request.
///
/// All calls are thread-safe. The server stops when the last reference to it is gone.
public final class FaultServer: Sendable {
    /// The authority whose certificate `TLSCertificate.trusted` is by, in PEM, for a client that is to trust it.
    public static let certificateAuthority = TestCertificates.authority

    private let site: Site
    private let listening: Listening
    private let plain: ReservedPort
    private let refusing: ReservedPort
    private let encrypted: [TLSCertificate: ReservedPort]

    /// Starts to serve a folder, or one file under its name.
    ///
    /// - Parameters:
    ///   - media: a file URL.
    ///   - port: from 0 to 65535; 0 for one that is free.
    ///   - clock: by which answers are late, drip and go on, and which the log tells.
    /// - Throws: `CocoaError` if there is no such file, `FaultServerError` if the port is in use.
    public static func start(
        serving media: URL, port: Int = 0, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> FaultServer {
        try await FaultServer(Site(try Library(media), clock: clock), port: port)
    }

    /// Starts to serve what is in memory.
    ///
    /// - Parameters:
    ///   - files: the content by path, as in `/clip.mp4`.
    ///   - port: from 0 to 65535; 0 for one that is free.
    ///   - clock: by which answers are late, drip and go on, and which the log tells.
    /// - Throws: `FaultServerError` if the port is in use.
    public static func start(
        serving files: [String: Data], port: Int = 0, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> FaultServer {
        try await FaultServer(Site(Library(files), clock: clock), port: port)
    }

    private init(_ site: Site, port: Int) async throws {
        self.site = site
        plain = try ReservedPort(port)
        refusing = try ReservedPort()
        encrypted = Dictionary(
            uniqueKeysWithValues: try TLSCertificate.allCases.map { ($0, try ReservedPort()) })
        listening = Listening(site, ports: [(plain, nil)] + encrypted.map { ($0.value, $0.key) })
        try await listening.start()
    }

    /// On which the server listens without encryption, also after it was started again.
    public var port: Int { plain.number }

    /// The paths of the files that it has, sorted.
    public var paths: [String] { site.library.paths }

    // MARK: Stopping

    /// Closes all connections, as if the server were killed. From then on connections are refused.
    ///
    /// The ports stay reserved as long as there is a reference to the server.
    public func stop() async { try? await listening.stop() }

    /// Listens again, on the same ports. What was set and counted is kept.
    ///
    /// - Throws: if the ports cannot be listened on.
    public func restart() async throws { try await listening.start() }

    // MARK: What goes wrong

    /// From now on, what goes wrong for a path.
    ///
    /// - Parameters:
    ///   - plan: replaces what was set for the same path; requests are counted anew. `nil`: what is set for more paths goes.
    ///   - path: of a file, or, with a `/` at its end, of all files in a folder and below. Of several, the longest goes.
    public func set(_ plan: FaultPlan?, for path: String = "/") { site.set(plan, for: path) }

    /// From now on, the one thing that goes wrong for a path.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong. `.refused` and `.tls` have no effect here: see `url(for:fault:on:)`.
    ///   - occasion: in which answers.
    ///   - path: of a file, or, with a `/` at its end, of all files in a folder and below. Of several, the longest goes.
    public func set(_ fault: Fault, on occasion: FaultOccasion = .always, for path: String = "/") {
        set(FaultPlan(fault, on: occasion), for: path)
    }

    /// From now on nothing goes wrong, but for addresses that begin with a plan.
    public func removeAllPlans() { site.removeAllPlans() }

    // MARK: Addresses

    /// The address of a file, with what is set for it.
    ///
    /// - Parameter path: as in `/clip.mp4`, not percent-encoded.
    public func url(for path: String) -> URL { url(path, plan: nil) }

    /// The address of a file with which one thing goes wrong, whatever is set for it.
    ///
    /// - Parameters:
    ///   - path: as in `/clip.mp4`, not percent-encoded.
    ///   - fault: what goes wrong. `.refused` and `.tls` choose the port, whatever the occasion.
    ///   - occasion: in which answers.
    public func url(for path: String, fault: Fault, on occasion: FaultOccasion = .always) -> URL {
        url(path, plan: FaultPlan(fault, on: occasion))
    }

    /// The address of a file with a plan, whatever is set for it.
    ///
    /// - Parameters:
    ///   - path: as in `/clip.mp4`, not percent-encoded.
    ///   - plan: what goes wrong. `.refused` and `.tls` choose the port, whatever the occasion.
    public func url(for path: String, plan: FaultPlan) -> URL { url(path, plan: plan) }

    private func url(_ path: String, plan: FaultPlan?) -> URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("http", "127.0.0.1", port)
        for case .tls(let certificate) in plan?.steps.map(\.fault.kind) ?? [] {
            (components.scheme, components.port) = ("https", encrypted[certificate]?.number)
        }
        if plan?.steps.contains(where: { $0.fault == .refused }) == true { components.port = refusing.number }
        let file = path.split(separator: "/").map {
            $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
        }
        components.percentEncodedPath = "/" + ((plan.map { [$0.description] } ?? []) + file).joined(separator: "/")
        // All of it is encoded.
        return components.url!
    }

    // MARK: What was asked

    /// All requests so far, the oldest first, each as far as its answer has come.
    public var requests: [FaultServerRequest] { site.log.requests }

    /// Each request from now on, when it comes and again when its answer has ended. Goes on until it is no longer read, also
    /// while the server is stopped.
    public var requestUpdates: AsyncStream<FaultServerRequest> { site.log.updates() }

    /// Waits for a request that is as it should be, or has become so: perhaps one that is there already.
    ///
    /// - Parameters:
    ///   - bound: how long to wait, in real time.
    ///   - isRight: asked about all requests, whenever one has come or has changed.
    /// - Returns: the first that is right.
    /// - Throws: `FaultServerError` if none is in time.
    public func request(
        within bound: Duration = .seconds(120), where isRight: @Sendable (FaultServerRequest) -> Bool
    ) async throws -> FaultServerRequest {
        let (changes, stop) = site.log.changes()
        let timer = Task {
            try await Task.sleep(for: bound)
            stop()
        }
        defer { timer.cancel() }
        for await _ in changes {
            if let request = requests.first(where: isRight) { return request }
        }
        let told = requests.map { "\($0.method) \($0.path) \($0.ending.rawValue)" }.joined(separator: ", ")
        throw FaultServerError(description: "No such request came within \(bound). There were: \(told)")
    }
}
