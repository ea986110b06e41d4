import FlowplayerFaults
import FlowplayerTesting
import Foundation
import MediaTransport
import Synchronization

/// An ad server on the loopback interface that fails on purpose. Its clock and that of its clients is a manual one.
///
/// In documents, `{s}` stands for its address, and `{f}` for that of its folder on this machine.
final class FaultyAdServer: TestAdServer {
    private let server: FaultServer
    private let clock: ManualClock
    /// A file URL.
    let folder: URL
    private let latePaths: Set<String>
    /// The times at which the client gives up the requests whose answers come too late.
    private let givenUp = Mutex<[Duration]>([])

    /// - Parameters:
    ///   - faults: by path.
    ///   - latePaths: the paths whose answers come after the time-out.
    init(faults: [String: Fault] = [:], latePaths: Set<String> = [], clock: ManualClock) async throws {
        (self.clock, self.latePaths) = (clock, latePaths)
        folder = FileManager.default.temporaryDirectory.appending(path: "ads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try await FaultServer.start(serving: folder, clock: clock)
        for (path, fault) in faults { server.set(fault, for: path) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ document: String, to name: String) throws {
        let text = document.replacingOccurrences(of: "{s}", with: "http://127.0.0.1:\(server.port)")
            .replacingOccurrences(of: "{f}", with: "file://" + folder.path())
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func copy(_ file: URL, to name: String) throws {
        try FileManager.default.copyItem(at: file, to: folder.appending(path: name))
    }

    func url(_ path: String) -> URL { server.url(for: path) }
    func url(_ path: String, fault: Fault) -> URL { server.url(for: path, fault: fault) }

    // MARK: The client

    /// The client's own time-out is by the manual clock.
    func answer(_ request: HTTPFetch.Request) async throws(HTTPFetch.Failure) -> HTTPFetch.Answer {
        if latePaths.contains(request.url.path()) {
            let end = clock.hostTime + request.timeout
            givenUp.withLock { $0.append(end) }
        }
        var request = request
        request.timeout = .seconds(600)
        return try await HTTPFetch.answer(to: request)
    }

    var asleep: Int {
        let now = clock.hostTime
        return givenUp.withLock { $0.count { $0 > now } }
    }

    // MARK: Requests

    /// Waits for a request.
    func request(for path: String) async throws { _ = try await server.request { $0.path == path } }

    /// The paths and queries of all requests so far.
    var requests: [String] { server.requests.map { $0.path + ($0.query.map { "?" + $0 } ?? "") } }
}
