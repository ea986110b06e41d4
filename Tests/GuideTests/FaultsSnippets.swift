import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

// The code of the guide to faults, word for word.

func whatGoesWrong(_ server: FaultServer) {
    server.set(.status(503), on: .request(1), for: "/clip.mp4")  // the first request only
    server.set(.reset(.midBody), for: "/clip.mp4")  // each time, after half of the body
    server.set(.drip(bytesPerSecond: 20_000), for: "/films/")  // all files in a folder
    server.set(.late(.seconds(3)), on: .on(.segment(2)), for: "/hls/")  // the second segment of a stream
    server.set(nil, for: "/clip.mp4")  // as before
    server.removeAllPlans()
}

func severalThings(_ server: FaultServer) throws {
    let plan = FaultPlan(.status(503), on: .request(1)).and(.noRanges).and(.drip(bytesPerSecond: 20_000))
    server.set(plan, for: "/clip.mp4")
    server.set(try FaultPlan(parsing: "status=503@1+no-ranges+drip=20000"), for: "/clip.mp4")  // the same
}

func addresses(_ server: FaultServer) -> [URL] {
    [
        server.url(for: "/clip.mp4", fault: .hang(.afterHeaders)),
        server.url(for: "/clip.mp4", fault: .tls(.expired)),
        server.url(for: "/clip.mp4", fault: .refused),
        server.url(for: "/hls/clip.m3u8", fault: .live(window: 3)),
    ]
}

func downAndUp(_ server: FaultServer) async throws {
    await server.stop()
    try await server.restart()
}

func standingStill(_ folder: URL) async throws -> FaultServer {
    let clock = ManualClock()
    let server = try await FaultServer.start(serving: folder, clock: clock)
    server.set(.stallingLive(window: 3, after: .seconds(30)), for: "/hls/")
    await clock.advance(by: .seconds(60))
    return server
}

func look(_ server: FaultServer) async throws {
    let request = try await server.request { $0.path == "/clip.mp4" && $0.ending == .abandoned }
    #expect(request.bytesSent < 100_000)
    #expect(server.requests.allSatisfy { $0.range != nil })
}

/// The snippets do what the guide says.
@Suite struct FaultsSnippetTests {
    private func curl(_ arguments: String...) async throws -> String {
        let fixed = ["--silent", "--noproxy", "*", "--max-time", "10", "--output", "/dev/null"]
        return try await Command("curl", fixed + ["--write-out", "%{http_code}"] + arguments).run().output
    }

    @Test func theAddressesAreThoseOfTheirFaults() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data(count: 10)])
        #expect(
            addresses(server).map { $0.path() } == [
                "/hang-after-headers/clip.mp4", "/tls-expired/clip.mp4", "/refused/clip.mp4", "/live=3/hls/clip.m3u8",
            ])
        #expect(addresses(server).map(\.scheme) == ["http", "https", "http", "http"])
        #expect(Set(addresses(server).map(\.port)).count == 3)
    }

    @Test func theTwoPlansAreTheSame() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data(count: 10)])
        try severalThings(server)
        let url = server.url(for: "/clip.mp4").absoluteString
        #expect(try await curl(url) == "503")
        #expect(try await curl("--range", "2-3", url) == "200")
        whatGoesWrong(server)
        #expect(try await curl("--range", "2-3", url) == "206")
        try await downAndUp(server)
        #expect(try await curl(url) == "200")
    }

    @Test func aClientThatLeavesIsSeen() async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data(count: 90_000)])
        let url = server.url(for: "/clip.mp4", fault: .hang(.midBody)).absoluteString
        _ = try await curl("--range", "0-", "--max-time", "0.5", url)
        try await look(server)
    }

    @Test func aClockMovesTheStream() async throws {
        let server = try await standingStill(MediaFixtures.shared.segments(seconds: 4))
        #expect(server.paths.contains("/all.m3u8"))
    }
}

#if VLC
private enum Media {
    static func folder() async throws -> URL {
        try await MediaFixtures.shared.file("mp4").deletingLastPathComponent()
    }
}

@MainActor
@Suite struct MissingFileTests {
    @Test func aMissingFileIsReportedWithItsStatus() async throws {
        let server = try await FaultServer.start(serving: Media.folder())
        server.set(.status(404), for: "/clip.mp4")
        let player = MediaPlayer()
        let recorder = EventRecorder(player)
        player.load(server.url(for: "/clip.mp4"), autoPlay: true)
        #expect(await player.reaches(.failure))
        #expect(recorder.errors.map(\.httpStatus) == [404])
        #expect(server.requests.first?.path == "/clip.mp4")
        await server.stop()
    }
}
#endif
