import FlowplayerFaults
import FlyingFox
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import MediaTransport

/// The HTTP client and its readers, against servers on the loopback interface.
@Suite struct HTTPReaderTests {
    private let options = HTTPRequestOptions(retry: .unlimited, security: .standard, cookies: CookieJar())

    /// The client's ports that a server has seen: one for each connection.
    private final class Ports: Sendable {
        private let ports = Mutex<Set<UInt16>>([])

        var count: Int { ports.withLock(\.count) }

        func add(_ request: HTTPRequest) {
            guard case .ip4(_, let port)? = request.remoteAddress else { return }
            ports.withLock { _ = $0.insert(port) }
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
    }

    /// Also while other items use many connections.
    @Test(arguments: [0, 40]) func requestsUseTheSameConnection(others: Int) async throws {
        let silent = try await LoopbackServer(files: FileManager.default.temporaryDirectory)
        let hanging = (0..<others).map { _ in
            let item = HTTPRequestOptions(retry: .unlimited, security: .standard, cookies: CookieJar())
            return HTTPReader(silent.base.appending(path: "silence"), by: item)
        }
        defer { for reader in hanging { reader.cancel() } }
        let ports = Ports()
        let server = try await LoopbackServer { request in
            ports.add(request)
            return HTTPResponse(statusCode: .ok, body: Data(Self.bytes(50_000)))
        }
        for number in 1...17 {
            let reader = HTTPReader(server.base.appending(path: "segment\(number).ts"), by: options)
            #expect(await reader.whole(upTo: 1 << 20) == Self.bytes(50_000))
        }
        #expect(ports.count == 1)
    }

    @Test func aRedirectKeepsTheConnection() async throws {
        let ports = Ports()
        let server = try await LoopbackServer { request in
            ports.add(request)
            guard request.path != "/file" else { return HTTPResponse(statusCode: .ok, body: Data(Self.bytes(1000))) }
            let headers = HTTPHeaders([.location: "/file"])
            return HTTPResponse(statusCode: .found, headers: headers, body: Data("It is elsewhere.".utf8))
        }
        let reader = HTTPReader(server.base.appending(path: "start"), by: options)
        #expect(await reader.whole(upTo: 1 << 20) == Self.bytes(1000))
        #expect(ports.count == 1)
    }

    /// Answers requests in pairs: each waits until another one is there.
    private actor Pairs {
        private(set) var mostAtOnce = 0
        private var atOnce = 0
        private var partner: CheckedContinuation<Void, Never>?

        func answer() async {
            atOnce += 1
            mostAtOnce = max(mostAtOnce, atOnce)
            // Other jobs may run at each `await`.
            await withCheckedContinuation { continuation in
                guard let partner else {
                    self.partner = continuation
                    return
                }
                self.partner = nil
                partner.resume()
                continuation.resume()
            }
            atOnce -= 1
        }
    }

    @Test func atMostTwoConnectionsToOneOrigin() async throws {
        let (ports, pairs) = (Ports(), Pairs())
        let server = try await LoopbackServer { request in
            ports.add(request)
            await pairs.answer()
            return HTTPResponse(statusCode: .ok, body: Data(Self.bytes(1000)))
        }
        let readers = (1...8).map { HTTPReader(server.base.appending(path: "\($0)"), by: options) }
        for reader in readers { #expect(await reader.whole(upTo: 1 << 20) == Self.bytes(1000)) }
        #expect(ports.count == 2)
        #expect(await pairs.mostAtOnce == 2)
    }

    /// The engine can be stopped although its thread waits for a server.
    @Test func cancellingUnblocksReads() async throws {
        let server = try await LoopbackServer(files: FileManager.default.temporaryDirectory)
        let silent = server.base.appending(path: "silence")
        // The third waits for one of the others to end.
        let readers = (1...3).map { _ in HTTPReader(silent, by: options) }
        for reader in readers {
            async let result = Self.read(reader)
            reader.cancel()
            #expect(await result == nil)
        }
        let log = RequestLog()
        let other = try await LoopbackServer(files: FileManager.default.temporaryDirectory, log: log)
        let reader = HTTPReader(other.base.appending(path: "missing"), by: options)
        await reader.opened()
        #expect(reader.error?.httpStatus == 404)
        let last = HTTPReader(server.base.appending(path: "status/404"), by: options)
        await last.opened()
        #expect(last.error?.httpStatus == 404)
    }

    private static func read(_ reader: HTTPReader) async -> Int? {
        await onNewThread {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
            defer { memory.deallocate() }
            return reader.read(into: memory)
        }
    }

    /// Makes a call that blocks.
    private static func onNewThread<Result: Sendable>(_ call: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: call()) }
        }
    }

    /// A file of 20 MB.
    private static let long: Data = (0..<320).reduce(into: Data()) { data, number in
        data.append(Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 << 16))
    }

    @Test func aReaderThatIsNotReadHoldsABoundedPart() async throws {
        let server = try await FaultServer.start(serving: ["/long.bin": Self.long])
        let reader = HTTPReader(server.url(for: "/long.bin"), by: options)
        #expect(await eventually(within: .seconds(60)) { reader.state.withLock { $0.isPaused } })
        let held = reader.state.withLock { $0.buffer.end }
        #expect(held <= UInt64(HTTPReader.capacity))
        #expect(await reader.whole(upTo: 21 << 20).map { Data($0) } == Self.long)
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test func aBrokenResponseResumesAtTheSameByte() async throws {
        let content = Self.bytes(500_000)
        let server = try await FaultServer.start(serving: ["/clip.bin": Data(content)])
        let plan = try FaultPlan(parsing: "reset-mid-body=200000@1+hang-mid-body=100000@2")
        // The second response hangs until the read timeout.
        var retry = RetryPolicy.unlimited
        retry.readTimeout = 2
        let options = HTTPRequestOptions(retry: retry, security: .standard, cookies: CookieJar())
        let reader = HTTPReader(server.url(for: "/clip.bin", plan: plan), by: options)
        #expect(await reader.whole(upTo: 1 << 20) == content)
        #expect(server.requests.count >= 3)
        await server.stop()
    }

    /// A server that has begun its first response is lost after the read timeout, not after the open timeout.
    @Test func theFirstResponseHasTheReadTimeout() async throws {
        let content = Self.bytes(200_000)
        let server = try await FaultServer.start(serving: ["/clip.bin": Data(content)])
        var retry = RetryPolicy.standard
        (retry.openTimeout, retry.readTimeout, retry.giveUpAfter) = (120, 2, 60)
        let options = HTTPRequestOptions(retry: retry, security: .standard, cookies: CookieJar())
        let url = server.url(for: "/clip.bin", plan: try FaultPlan(parsing: "hang-mid-body=100000@1"))
        let reader = HTTPReader(url, by: options)
        #expect(await reader.whole(upTo: 1 << 20) == content)
        #expect(server.requests.count >= 2)
        await server.stop()
    }

    @Test func aSeekLoadsFromTheNewPosition() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let reader = HTTPReader(server.url(for: "/clip.bin"), by: options)
        await reader.opened()
        for position in [15 << 20, 100, 19 << 20] {
            #expect(reader.seek(to: UInt64(position)))
            #expect(await reader.next(1)?.first == Self.long[position])
        }
        reader.cancel()
        #expect(await reader.next(1000) == nil)
        await server.stop()
    }

    /// A pipeline that waits for a slow server seeks with another reader, whose first response comes later.
    @Test func aSeekWaitsForTheFirstResponse() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let reader = HTTPReader(server.url(for: "/clip.bin"), by: options)
        #expect(await Self.onNewThread { reader.seek(to: 15 << 20) })
        #expect(await reader.next(1)?.first == Self.long[15 << 20])
        let missing = HTTPReader(server.url(for: "/missing.bin"), by: options)
        #expect(await !Self.onNewThread { missing.seek(to: 15 << 20) })
        reader.cancel()
        await server.stop()
    }

    /// An engine asks for the size of a file that it opens again, although the server does not answer any more.
    @Test func theSizeStaysKnown() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let url = server.url(for: "/clip.bin", plan: try FaultPlan(parsing: "hang-before-headers@2"))
        let reader = HTTPReader(url, by: options)
        await reader.opened()
        let bytes = HTTPMediaBytes(reader, stored: nil, .other)
        for _ in 1...2 {
            let reader = try #require(bytes.open())
            #expect(await Self.onNewThread { reader.size } == UInt64(Self.long.count))
            reader.cancel()
        }
        await server.stop()
    }

    @Test func aRangeOfAFileWithoutRangesHasItsBytesOnly() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let range = ByteRange(first: 1000, last: (9 << 20) - 1)
        let reader = HTTPReader(server.url(for: "/clip.bin", fault: .noRanges), range: range, by: options)
        #expect(await reader.whole(upTo: 21 << 20).map { Data($0) } == Self.long[1000..<9 << 20])
        #expect(server.requests.count == 1)
        await server.stop()
    }

    /// Swift holds a lock of the task while it is cancelled. The response, which resumes the task, needs it too.
    @Test func aReadThatIsCancelledDuringItsResponseEnds() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long.prefix(1000)])
        let options = options
        for round in 1...300 {
            let reader = HTTPReader(server.url(for: "/clip.bin"), by: options)
            let task = Task { await reader.whole(upTo: 2000, within: .seconds(600)) }
            for _ in 0..<round % 60 { await Task.yield() }
            task.cancel()
            let bytes = await task.value
            #expect(bytes == nil || bytes?.count == 1000)
        }
        await server.stop()
    }

    /// The third request begins in the moment in which the others end: it may be counted, or not.
    @Test func aRequestStartsAlsoIfTheOthersEndAtTheSameTime() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long.prefix(1000)])
        let url = server.url(for: "/clip.bin")
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<200 {
                        let options = HTTPRequestOptions(retry: .unlimited, security: .standard, cookies: CookieJar())
                        let first = (1...2).map { _ in HTTPReader(url, by: options) }
                        for _ in 0..<(number * 200 + round) % 150 { await Task.yield() }
                        for reader in first + [HTTPReader(url, by: options)] {
                            #expect(await reader.whole(upTo: 2000, within: .longestWait)?.count == 1000)
                        }
                    }
                }
            }
        }
        await server.stop()
    }

    @Test func aReaderThatIsCancelledBeforeItsLastByteIsReadHasNoFile() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long.prefix(1000)])
        let reader = HTTPReader(server.url(for: "/clip.bin"), by: options)
        #expect(await eventually { reader.hasEnded })
        reader.cancel()
        #expect(await reader.whole(upTo: 2000) == nil)
        await server.stop()
    }

    /// The server does not say how long the file is.
    @Test func aRangeThatBreaksOffContinuesWithoutByteRangesToo() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let plan = FaultPlan(.noRanges).and(.chunked).and(.reset(.midBody(after: 3 << 20)), on: .request(1))
        let range = ByteRange(first: 1 << 20, last: (6 << 20) - 1)
        let reader = HTTPReader(server.url(for: "/clip.bin", plan: plan), range: range, by: options)
        #expect(await reader.whole(upTo: 21 << 20).map { Data($0) } == Self.long[1 << 20..<6 << 20])
        #expect(server.requests.count == 2)
        await server.stop()
    }

    /// A demuxer of mp4 files looks for more boxes behind the video, before it reads the video.
    @Test func aSeekToTheEndAndBackNeedsNoRequest() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let reader = HTTPReader(server.url(for: "/clip.bin"), by: options)
        await reader.opened()
        #expect(reader.seek(to: UInt64(Self.long.count)))
        var byte: UInt8 = 0
        #expect(withUnsafeMutableBytes(of: &byte) { reader.read(into: $0) } == 0)
        #expect(reader.seek(to: 100))
        #expect(await reader.whole(upTo: 21 << 20).map { Data($0) } == Self.long[100...])
        #expect(server.requests.count == 1)
        await server.stop()
    }

    /// The retries count on, although each connection delivers some bytes. The delays are 0, 0.1 s, 0.1 s and so on.
    @Test(arguments: [(attempts: 3, time: 600), (Int.max, 0.25)])
    func connectionsThatBreakOffAtOnceAreLimited(_ limit: (attempts: Int, time: Double)) async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        var retry = RetryPolicy.unlimited
        (retry.attempts, retry.giveUpAfter, retry.firstDelay) = (limit.attempts, limit.time, 0)
        let options = HTTPRequestOptions(retry: retry, security: .standard, cookies: CookieJar())
        let reader = HTTPReader(server.url(for: "/clip.bin", fault: .reset(.midBody(after: 5000))), by: options)
        #expect(await reader.whole(upTo: 1 << 20) == nil)
        #expect(reader.error?.code == .connectionLost)
        #expect(limit.attempts == 3 ? server.requests.count == 4 : server.requests.count <= 4)
        await server.stop()
    }

    @Test func theEndOfAnEndlessStreamIsNotFound() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let plan = try FaultPlan(parsing: "no-ranges+chunked")
        let reader = HTTPReader(server.url(for: "/clip.bin", plan: plan), by: options)
        await reader.opened()
        #expect(!reader.seek(to: UInt64(Self.long.count) - 1000))
        #expect(await reader.whole(upTo: 21 << 20).map { Data($0) } == Self.long)
        await server.stop()
    }

    /// `gzip` compresses. The other names are those of servers that send the file as it is.
    @Test(arguments: ["gzip", "identity", "aws-chunked", "utf-8"])
    func compressedFilesAreDecompressed(encoding: String) async throws {
        let text = String(repeating: "#EXTINF:2,\n", count: 1000)
        let file = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID())")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file.appendingPathExtension("gz")) }
        #expect(try await Command("gzip", [file.path()]).run().status == 0)
        let compressed = try Data(contentsOf: file.appendingPathExtension("gz"))
        let body = encoding == "gzip" ? compressed : Data(text.utf8)
        let server = try await LoopbackServer { request in
            let range = request.headers[.range] != nil
            let fields = ["Content-Encoding": encoding, "ETag": "a"].merging(
                range ? ["Content-Range": "bytes 0-\(body.count - 1)/\(body.count)"] : [:], uniquingKeysWith: { $1 })
            return HTTPResponse(
                statusCode: range ? .partialContent : .ok,
                headers: HTTPHeaders(fields.reduce(into: [:]) { $0[HTTPHeader($1.key)] = $1.value }), body: body)
        }
        let reader = HTTPReader(server.base.appending(path: "list"), by: options)
        #expect(await reader.whole(upTo: 1 << 20) == Array(text.utf8))
        #expect(reader.head?.size == (encoding == "gzip" ? nil : UInt64(text.utf8.count)))
        #expect(reader.isSeekable == (encoding != "gzip"))
    }

    @Test(arguments: [("Content-Length", "5"), ("ETag", "a"), ("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT")])
    func aFileHasASizeOrAVersion(_ field: (name: String, value: String)) {
        let url = URL(filePath: "/")
        #expect(!HTTPHead(status: 200, url: url) { $0 == field.name ? field.value : nil }.mayBeEndless)
        #expect(HTTPHead(status: 200, url: url) { _ in nil }.mayBeEndless)
    }

    @Test func aFileWithoutRangesIsReadBackAndForthWithinTheBuffer() async throws {
        let server = try await FaultServer.start(serving: ["/clip.bin": Self.long])
        let reader = HTTPReader(server.url(for: "/clip.bin", fault: .noRanges), by: options)
        await reader.opened()
        func byte(at position: Int) -> UInt8? {
            var byte: UInt8 = 0
            guard reader.seek(to: UInt64(position)) else { return nil }
            return withUnsafeMutableBytes(of: &byte) { reader.read(into: $0) } == 1 ? byte : nil
        }
        // The end is not read, and neither is a position that another seek replaces.
        #expect(byte(at: Self.long.count - 1000) == nil)
        #expect(reader.seek(to: 15 << 20))
        for position in [100, 6 << 20, (5 << 20) + 1000, 13 << 20, 18 << 20] {
            #expect(byte(at: position) == Self.long[position], "\(position)")
        }
        #expect(byte(at: 6 << 20) == nil, "the bytes were dropped")
        #expect(byte(at: Self.long.count - 1000) == Self.long[Self.long.count - 1000])
        #expect(server.requests.count == 1)
        await server.stop()
    }
}
