#if VLC
import EventLog
import FlyingFox
import Foundation
import TestSupport
import Testing

/// A folder with something that nobody is to see, and a server that leads to it.
struct Trap {
    /// The addresses and media for answers.
    struct Bait: Sendable {
        /// The address of the files that nobody is to see, without their extension.
        let secret: String
        let clip: Data
        let stream: Data
        /// The address of the server, without a path.
        var server = ""
    }

    /// Returns the answer to the n-th request for a path.
    typealias Answer = @Sendable (_ path: String, _ count: Int, _ bait: Bait) -> HTTPResponse

    let folder: URL
    let server: LoopbackServer
    let requests = RequestLog()

    init(_ answer: @escaping Answer) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clip = try await MediaFixtures.shared.file("mp4")
        let stream = try await MediaFixtures.shared.file("ts")
        for (name, source) in [("SECRET.mp4", clip), ("SECRET.ts", stream)] {
            try FileManager.default.copyItem(at: source, to: folder.appending(path: name))
        }
        let bait = Bait(
            secret: folder.appending(path: "SECRET").absoluteString, clip: try Data(contentsOf: clip),
            stream: try Data(contentsOf: stream))
        let requests = requests
        server = try await LoopbackServer { request in
            let count = requests.add(request.path)
            var bait = bait
            bait.server = "http://\(request.headers[.host] ?? "")"
            return answer(request.path, count, bait)
        }
    }

    static func text(_ text: String, _ type: String = "application/vnd.apple.mpegurl") -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: HTTPHeaders([.contentType: type]), body: Data(text.utf8))
    }

    static func redirect(to address: String) -> HTTPResponse {
        HTTPResponse(statusCode: .found, headers: HTTPHeaders([.location: address]))
    }

    /// Puts a playlist beside what nobody is to see, and says where it is. `WEB` in it is the server.
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try text.replacing("WEB", with: server.base.absoluteString).write(to: file, atomically: true, encoding: .utf8)
        return file.path()
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// - Parameter options: more options of flowplay.
    func play(_ address: String, _ options: [String] = []) async throws -> Trace {
        let trace = folder.appending(path: "trace")
        var command = Command(
            "strace",
            ["-f", "-qq", "-e", "trace=open,openat,openat2,creat,connect", "-o", trace.path()]
                + [FlowplayCommand.path, "--no-mpris", "--json"] + options + [address])
        command.environment = FlowplayCommand.headless
        command.directory = folder
        let result = try await command.run()
        let lines = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
        // Most lines are of files, and a pattern is slow.
        let called = lines.filter { $0.contains("sin_port") }.compactMap { line in
            line.firstMatch(of: /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/).map {
                "\($0.2):\($0.1)"
            }
        }
        return Trace(
            status: result.status, log: result.output, opened: lines.filter { $0.contains("open") },
            called: Set(called))
    }

    /// Expects that a run opened nothing of the folder, and called no other machine.
    func expectContained(_ trace: Trace) throws {
        // The trace saw what there is to see.
        try #require(trace.opens("libvlc") || trace.opens("libgstcoreelements"))
        #expect(!trace.opens("SECRET"), "\(trace.opened.filter { $0.contains("SECRET") })")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "OUT").path()))
        // Port 53 is the resolver's, port 0 only asks the system for a way.
        let strangers = trace.called.filter {
            !$0.hasPrefix("127.0.0.1:") && !$0.hasSuffix(":53") && !$0.hasSuffix(":0")
        }
        #expect(strangers.isEmpty)
    }

    /// The result of a run.
    struct Trace {
        let status: Int32
        let log: String
        let opened: [Substring]
        let called: Set<String>

        /// The name of the error.
        var errors: [String] {
            get throws {
                try EventLogReader.entries(in: log).compactMap {
                    $0.event.name == "error" ? $0.event.code : nil
                }
            }
        }

        func opens(_ name: String) -> Bool { opened.contains { $0.contains(name) } }
    }
}
#endif
