#if VLC
import EventLog
import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

/// Documents that try to use up the memory: the process stays small.
@Suite struct FlowplayAdMemoryTests {
    private static let head = "<VAST version=\"3.0\">"

    /// Documents, each with its error. Without limits, the first one and the entities need far more than `allowance`, and the nested
    /// elements end the process.
    private static let documents: [(error: Int, answer: @Sendable (_ web: String) throws -> HTTPResponse)] = [
        (100, { _ in try zeros(count: 250_000_000) }),
        (100, { _ in answer(head + String(repeating: "<a/>", count: 500_000)) }),
        (100, { _ in answer(String(repeating: "<a>", count: 600_000)) }),
        (100, { _ in answer(bomb) }),
        (302, { web in answer(wrappers(to: "\(web)/4?[CACHEBUSTING]")) }),
    ]

    /// A file that needs no space on the disk.
    private static func zeros(count: UInt64) throws -> HTTPResponse {
        let file = MediaFixtures.shared.directory.appending(path: "zeros-\(UUID().uuidString)")
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: count)
        return HTTPResponse(statusCode: .ok, body: try HTTPBodySequence(file: file))
    }

    /// How much more memory the documents may need, in MB. The player of an advertisement needs less too.
    private static let allowance = 100.0

    private static func wrappers(to address: String) -> String {
        let wrapper = "<Ad><Wrapper><VASTAdTagURI>\(address)</VASTAdTagURI></Wrapper></Ad>"
        return head + String(repeating: wrapper, count: 1000) + "</VAST>"
    }

    private static let bomb: String = {
        let entities = (1...9).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
        return "<!DOCTYPE VAST [<!ENTITY e0 \"ha\">\(entities.joined())]>\(head)<Error>&e9;</Error></VAST>"
    }()

    /// The breaks before the item follow each other. Each is requested when the one before begins, so the last one when all hostile
    /// documents were read.
    @Test func hostileDocumentsNeedLittleMemory() async throws {
        let process = Mutex<pid_t?>(nil)
        let peaks = Mutex<[Double]>([])
        let server = try await LoopbackServer { request in
            let web = "http://\(request.headers[.host] ?? "")"
            let path = String(request.path.dropFirst())
            if path == "schedule" { return Self.answer(Self.schedule(at: web)) }
            if let number = Int(path) { return try Self.documents[number].answer(web) }
            guard path.hasPrefix("measure") else { return HTTPResponse(statusCode: .notFound) }
            _ = await eventually { process.withLock { $0 != nil } }
            if let peak = process.withLock(\.self).flatMap({ Self.peak(of: $0) }) { peaks.withLock { $0.append(peak) } }
            return Self.answer("<VAST version=\"3.0\"/>")
        }
        let clip = try await MediaFixtures.shared.file("mp4")
        let command = FlowplayCommand.command([
            "--json", "--no-mpris", "--no-video", "--audio", "none", "--ad-timeout", "100", "--ads",
            server.base.appending(path: "schedule").absoluteString, clip.path(),
        ])
        let running = try await command.start()
        process.withLock { $0 = running.processIdentifier }
        let result = try await running.result
        #expect(result.status == 0, "\(result.errors)")
        let errors = try EventLogReader.entries(in: Data(result.output.utf8)).compactMap(\.event.vast)
        #expect(errors == [303] + Self.documents.map(\.error) + [303, 303])
        let measured = peaks.withLock(\.self)
        try #require(measured.count == 3)
        #expect(measured[2] - measured[0] < Self.allowance, "\(measured) MB")
    }

    private static func schedule(at web: String) -> String {
        let paths = ["measure-before"] + documents.indices.map(String.init) + ["measure-after", "measure-end"]
        let breaks = paths.map { path in
            let source = "<AdSource><AdTagURI>\(web)/\(path)</AdTagURI></AdSource>"
            return "<AdBreak timeOffset=\"start\" breakType=\"linear\">\(source)</AdBreak>"
        }
        return "<VMAP version=\"1.0\">\(breaks.joined())</VMAP>"
    }

    private static func answer(_ text: String) -> HTTPResponse { HTTPResponse(statusCode: .ok, body: Data(text.utf8)) }

    /// The largest memory that a process has used so far, in MB.
    private static func peak(of process: pid_t) -> Double? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1000 }
    }
}
#endif
