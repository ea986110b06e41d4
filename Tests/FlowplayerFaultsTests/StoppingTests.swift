import FlowplayerFaults
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

@Suite struct StoppingTests {
    @Test func aServerIsKilledAndBackOnItsPort() async throws {
        let server = try await Clip.server()
        let url = server.url(for: Clip.path)
        #expect(try await Curl.get(url).code == Curl.Code.fine)
        for _ in 1...3 {
            await server.stop()
            #expect(try await Curl.get(url).code == Curl.Code.cannotConnect)
            try await server.restart()
            #expect(try await Curl.get(url).body == Clip.data)
        }
        #expect(server.requests.count == 4)
    }

    /// A program that starts while the server stops has a copy of the listening socket for a moment.
    @Test func aCopyOfItsSocketDoesNotHoldThePort() async throws {
        let server = try await Clip.server()
        let copy = dup(try #require(listeningSocket(port: server.port)))
        defer { close(copy) }
        await server.stop()
        #expect(try await Curl.get(server.url(for: Clip.path)).code == Curl.Code.cannotConnect)
        try await server.restart()
        #expect(try await Curl.get(server.url(for: Clip.path)).body == Clip.data)
    }

    /// The descriptor of this process that listens on a port.
    private func listeningSocket(port: Int) -> Int32? {
        (0..<Int32(getdtablesize())).first { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let hasName = withUnsafeMutableBytes(of: &address) { bytes in
                getsockname(descriptor, bytes.bindMemory(to: sockaddr.self).baseAddress!, &size) == 0
            }
            var listens: Int32 = 0
            size = socklen_t(MemoryLayout<Int32>.size)
            return hasName && address.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: address.sin_port) == port
                && getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1
        }
    }

    @Test func stoppingAndStartingTwiceIsOnce() async throws {
        let server = try await Clip.server()
        try await server.restart()
        await server.stop()
        await server.stop()
        #expect(try await Curl.get(server.url(for: Clip.path)).code == Curl.Code.cannotConnect)
        async let once: Void = server.restart()
        async let twice: Void = server.restart()
        _ = try await (once, twice)
        #expect(try await Curl.get(server.url(for: Clip.path)).code == Curl.Code.fine)
    }

    @Test func anOutageClosesAllConnectionsAndPasses() async throws {
        let clock = ManualClock()
        let server = try await Clip.server(clock: clock)
        async let other = Curl.get(server.url(for: Clip.path, fault: .hang(.afterHeaders)))
        _ = try await server.request { $0.status == 200 }
        let url = server.url(for: Clip.path, fault: .outage(for: .seconds(3)), on: .request(1))
        let result = try await Curl.get(url)
        #expect(result.code == Curl.Code.partialFile)
        #expect(result.body == Clip.data.prefix(Clip.size / 2))
        #expect(try await other.code == Curl.Code.partialFile)
        #expect(try await Curl.get(url).code == Curl.Code.cannotConnect)
        await clock.untilSleeping()
        await clock.advance(by: .seconds(2.9))
        #expect(try await Curl.get(url).code == Curl.Code.cannotConnect)
        await clock.advance(by: .seconds(0.2))
        #expect(try await eventually { try await Curl.get(url).body == Clip.data })
    }

    @Test func whoStopsDuringAnOutageIsObeyed() async throws {
        let clock = ManualClock()
        let server = try await Clip.server(clock: clock)
        let url = server.url(for: Clip.path, fault: .outage(after: 0, for: .seconds(3)))
        #expect(try await Curl.get(url).code == Curl.Code.partialFile)
        await server.stop()
        await clock.advance(by: .seconds(10))
        #expect(try await Curl.get(url).code == Curl.Code.cannotConnect)
    }

    @Test func aPortThatIsTakenIsSaidToBe() async throws {
        let server = try await Clip.server()
        let error = await #expect(throws: FaultServerError.self) {
            _ = try await FaultServer.start(serving: [:], port: server.port)
        }
        #expect(error?.description == "Port \(server.port) is in use. Choose another one, or 0 for a free one.")
        await #expect(throws: FaultServerError.self) { _ = try await FaultServer.start(serving: [:], port: 70_000) }
    }

    @Test func whatIsNotThereCannotBeServed() async throws {
        await #expect(throws: CocoaError.self) {
            _ = try await FaultServer.start(serving: URL(filePath: "/no/such/folder"))
        }
    }

    @Test func aServerThatNobodyHoldsStops() async throws {
        var server: FaultServer? = try await Clip.server()
        let url = try #require(server?.url(for: Clip.path))
        #expect(try await Curl.get(url).code == Curl.Code.fine)
        server = nil
        #expect(try await eventually { try await Curl.get(url).code == Curl.Code.cannotConnect })
    }

    @Test func otherMachinesCannotComeIn() async throws {
        let server = try await Clip.server()
        // A server on all interfaces would accept this connection.
        let address = "http://127.0.0.2:\(server.port)\(Clip.path)"
        #expect(try await Curl.get(URL(string: address)!).code == Curl.Code.cannotConnect)
        #expect(try await Curl.get(server.url(for: Clip.path)).code == Curl.Code.fine)
    }
}
