import FlowplayerFaults
import FlyingSocks
import Foundation
import Testing

@Suite struct RequestLogTests {
    @Test func requestsAreReportedUnchanged() async throws {
        let server = try await Clip.server()
        let url = server.url(for: "/folder/other clip.mp4", fault: .drip(bytesPerSecond: 1_000_000), on: .request(2))
        _ = try await Curl.get(url)
        _ = try await Curl.get(url.appending(queryItems: [.init(name: "a", value: "b")]), "--range", "5-9")
        _ = try await Curl.get(server.url(for: "/no.mp4"), "--head")
        let requests = server.requests
        #expect(requests.map(\.id) == [1, 2, 3])
        #expect(requests.map(\.method) == ["GET", "GET", "HEAD"])
        #expect(requests.map(\.path) == ["/folder/other clip.mp4", "/folder/other clip.mp4", "/no.mp4"])
        #expect(requests.map(\.query) == [nil, "a=b", nil])
        #expect(requests.map(\.range) == [nil, "bytes=5-9", nil])
        #expect(requests.map(\.number) == [1, 2, 1])
        #expect(requests.map(\.faults) == [[], [.drip(bytesPerSecond: 1_000_000)], []])
        #expect(requests.map(\.status) == [200, 206, 404])
        #expect(requests.map(\.bytesSent) == [Clip.size, 5, 0])
        #expect(requests.map(\.time) == requests.map(\.time).sorted())
        #expect(try await server.request { $0.id == 3 && $0.ending == .sent }.status == 404)
        let coded = try JSONEncoder().encode(server.requests)
        #expect(try JSONDecoder().decode([FaultServerRequest].self, from: coded) == server.requests)
    }

    @Test func aRequestThatDoesNotComeIsNotWaitedForForEver() async throws {
        let server = try await Clip.server()
        _ = try await Curl.get(server.url(for: Clip.path))
        let error = await #expect(throws: FaultServerError.self) {
            try await server.request(within: .milliseconds(200)) { $0.path == "/never" }
        }
        #expect(error?.description.contains("GET /clip.mp4 sent") == true, "\(error?.description ?? "")")
    }

    @Test func whatIsSetForMoreOfThePathGoes() async throws {
        let server = try await Clip.server()
        let (clip, other) = (server.url(for: Clip.path), server.url(for: "/folder/other clip.mp4"))
        func statuses() async throws -> [Int] { [try await Curl.get(clip).status, try await Curl.get(other).status] }
        server.set(.status(500))
        #expect(try await statuses() == [500, 500])
        server.set(.status(404), for: "/folder/")
        #expect(try await statuses() == [500, 404])
        server.set(FaultPlan(), for: "/folder/other clip.mp4")
        #expect(try await statuses() == [500, 200])
        server.set(nil, for: "/folder/other clip.mp4")
        #expect(try await statuses() == [500, 404])
        #expect(try await Curl.get(server.url(for: Clip.path, plan: FaultPlan())).status == 200)
        server.removeAllPlans()
        #expect(try await statuses() == [200, 200])
    }

    @Test func settingAPlanCountsAnew() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path)
        for _ in 1...2 {
            server.set(.status(503), on: .request(1), for: Clip.path)
            #expect(try await Curl.get(url).status == 503)
            #expect(try await Curl.get(url).status == 200)
        }
    }

    // MARK: One connection

    private func talk(_ server: FaultServer, _ text: String) async throws -> String {
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: UInt16(server.port)))
        try await socket.write(Data(text.utf8))
        var bytes: [UInt8] = []
        do {
            for try await byte in socket.bytes { bytes.append(byte) }
        } catch SocketError.disconnected {}
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A reset waits until the client's system has received the bytes before it.
    @Test func aClientThatIsSlowLosesNothingThatWasSentBeforeAReset() async throws {
        // More than the receive buffer of the client's system.
        let film = Data((0..<10).map { _ in Clip.data }.joined())
        let server = try await FaultServer.start(serving: [Clip.path: film])
        let target = server.url(for: Clip.path, fault: .reset(.midBody(after: 2_500_000))).path()
        let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: UInt16(server.port)))
        try await socket.write(Data("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        _ = try await server.request { $0.bytesSent > 0 }
        var bytes = Data()
        await #expect(throws: (any Error).self) {
            while true { bytes += try await socket.read(atMost: 4000) }
        }
        let head = try #require(bytes.firstRange(of: Data("\r\n\r\n".utf8)))
        #expect(bytes[head.upperBound...] == film.prefix(2_500_000))
        _ = try await server.request { $0.ending == .reset }
    }

    @Test func severalRequestsOnOneConnectionAreAnsweredInTheirOrder() async throws {
        let server = try await FaultServer.start(serving: ["/a": Data("AAA".utf8), "/b": Data("BBB".utf8)])
        let reported = try await talk(
            server,
            "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let (a, b) = (try #require(reported.firstRange(of: "AAA")), try #require(reported.firstRange(of: "BBB")))
        #expect(a.upperBound < b.lowerBound)
        #expect(reported.hasSuffix("BBB"))
        #expect(server.requests.map(\.path) == ["/a", "/b"])
    }

    @Test(arguments: ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"])
    func whatIsNoRequestEndsTheConnectionOnly(text: String) async throws {
        let server = try await Clip.server()
        _ = try? await talk(server, text)
        #expect(try await Curl.get(server.url(for: Clip.path)).body == Clip.data)
    }

    @Test func manyClientsAtOnceAreServed() async throws {
        let server = try await Clip.server()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let fault = [Fault.none, .chunked, .unframed, .noRanges][index % 4]
                group.addTask { try await Curl.get(server.url(for: Clip.path, fault: fault)).body == Clip.data }
            }
            for try await isWhole in group { #expect(isWhole) }
        }
        #expect(server.requests.count == 20)
    }
}
