import FlowplayerFaults
import FlowplayerTesting
import Foundation
import Testing

/// Faults of an HLS stream with an end, five segments and two variants.
@Suite struct HLSTests {
    private static let media = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:2
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-MAP:URI="init.mp4"
        #EXTINF:2.0,
        a.ts
        #EXTINF:2.0,
        b.ts
        #EXTINF:1.0,
        c.ts
        #EXT-X-MAP:URI="init2.mp4"
        #EXTINF:2.0,
        d%20d.ts
        #EXTINF:2.0,
        e.ts
        #EXT-X-ENDLIST

        """

    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=1
        low/media.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2
        high/media.m3u8

        """

    private let clock = ManualClock()
    private let server: FaultServer

    init() async throws {
        var files = ["/hls/master.m3u8": Data(Self.master.utf8)]
        for variant in ["low", "high"] {
            files["/hls/\(variant)/media.m3u8"] = Data(Self.media.utf8)
            for name in ["a", "b", "c", "d d", "e"] {
                files["/hls/\(variant)/\(name).ts"] = Data("\(variant) \(name)".utf8)
            }
        }
        server = try await FaultServer.start(serving: files, clock: clock)
    }

    private static let playlist = "/hls/low/media.m3u8"

    /// Returns the lines of the playlist, except those that all playlists share.
    private func lines(_ plan: FaultPlan, path: String = playlist) async throws -> [String] {
        let body = try await Curl.get(server.url(for: path, plan: plan)).body
        let common = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"]
        return String(decoding: body, as: UTF8.self).split(separator: "\n").map(String.init).filter {
            !common.contains($0) && !$0.hasPrefix("#EXTINF")
        }
    }

    private func sequence(_ number: Int) -> String { "#EXT-X-MEDIA-SEQUENCE:\(number)" }

    // MARK: Addresses that expire

    @Test func whatPlaylistsNameHasTheirToken() async throws {
        func text(_ path: String, token: String) async throws -> String {
            let url = server.url(for: path, fault: .expires(afterRequests: 3))
            let body = try await Curl.get(url.appending(queryItems: [URLQueryItem(name: "token", value: token)])).body
            return String(decoding: body, as: UTF8.self)
        }
        #expect(try await text("/hls/master.m3u8", token: "a").contains("\nlow/media.m3u8?token=a\n"))
        let media = try await text(Self.playlist, token: "a")
        #expect(media.contains("\nd%20d.ts?token=a\n"))
        #expect(media.contains("#EXT-X-MAP:URI=\"init.mp4?token=a\""))
        #expect(try await text(Self.playlist, token: "") == Self.media)
    }

    // MARK: Live

    @Test func theWindowMovesOnWithTheSegmentsAndEndsWithTheLast() async throws {
        let live = FaultPlan(.live(window: 3))
        let (map, second, end) = ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:URI=\"init2.mp4\"", "#EXT-X-ENDLIST")
        await clock.advance(by: .seconds(100))
        #expect(try await lines(live) == [sequence(10), map, "a.ts", "b.ts", "c.ts"], "it begins when it is asked for")
        await clock.advance(by: .seconds(1.9))
        #expect(try await lines(live) == [sequence(10), map, "a.ts", "b.ts", "c.ts"])
        await clock.advance(by: .seconds(0.1))
        #expect(try await lines(live) == [sequence(11), map, "b.ts", "c.ts", second, "d%20d.ts"])
        await clock.advance(by: .seconds(2))
        #expect(try await lines(live) == [sequence(12), map, "c.ts", second, "d%20d.ts", "e.ts", end])
        await clock.advance(by: .seconds(1000))
        #expect(try await lines(live) == [sequence(12), map, "c.ts", second, "d%20d.ts", "e.ts", end])
    }

    @Test func variantsMoveOnTogether() async throws {
        let live = FaultPlan(.live(window: 3))
        let first = try await lines(live)
        await clock.advance(by: .seconds(2))
        #expect(try await lines(live) != first)
        #expect(try await lines(live, path: "/hls/high/media.m3u8") == lines(live))
    }

    @Test func anEndlessStreamBeginsAgain() async throws {
        let live = FaultPlan(.endlessLive(window: 2))
        _ = try await lines(live)
        func names() async throws -> [String] { try await lines(live).filter { !$0.contains("MAP") } }
        await clock.advance(by: .seconds(7))
        #expect(try await names() == [sequence(14), "e.ts", "#EXT-X-DISCONTINUITY", "a.ts"])
        await clock.advance(by: .seconds(2))
        #expect(try await names() == [sequence(15), "#EXT-X-DISCONTINUITY", "a.ts", "b.ts"])
        await clock.advance(by: .seconds(2))
        #expect(try await names() == [sequence(16), "#EXT-X-DISCONTINUITY-SEQUENCE:1", "b.ts", "c.ts"])
        await clock.advance(by: .seconds(9 * 1000))
        #expect(
            try await names() == [sequence(16 + 5000), "#EXT-X-DISCONTINUITY-SEQUENCE:1001", "b.ts", "c.ts"])
    }

    @Test func aStreamStopsMoving() async throws {
        let live = FaultPlan(.stallingLive(window: 3, after: .seconds(3)))
        let first = try await lines(live)
        await clock.advance(by: .seconds(2))
        let second = try await lines(live)
        #expect(first != second)
        await clock.advance(by: .seconds(1000))
        #expect(try await lines(live) == second)
        #expect(!second.contains("#EXT-X-ENDLIST"))
    }

    @Test func aWindowThatHoldsAllIsTheWholeStream() async throws {
        #expect(try await lines(FaultPlan(.live(window: 5))).last == "#EXT-X-ENDLIST")
    }

    @Test func whatIsNoMediaPlaylistStaysAsItIs() async throws {
        for fault in [Fault.live(window: 3), .duplicateSegment(1), .playlistToFile] {
            let master = try await Curl.get(server.url(for: "/hls/master.m3u8", fault: fault))
            #expect(master.body == Data(Self.master.utf8))
            let segment = try await Curl.get(server.url(for: "/hls/low/a.ts", fault: fault))
            #expect(segment.body == Data("low a".utf8))
        }
    }

    // MARK: Segments and variants

    @Test func oneSegmentIsMissingLateOrRotten() async throws {
        server.set(.status(404), on: .on(.segment(4)))
        func status(_ name: String) async throws -> Int {
            try await Curl.get(server.url(for: "/hls/high/\(name)")).status
        }
        #expect(try await status("d d.ts") == 404)
        for name in ["a.ts", "b.ts", "c.ts", "e.ts", "media.m3u8"] { #expect(try await status(name) == 200) }
        server.set(.garbage, on: .on(.segments))
        #expect(try await Curl.get(server.url(for: "/hls/low/a.ts")).body != Data("low a".utf8))
        #expect(try await lines(FaultPlan()).contains("a.ts"))
        server.set(.late(.seconds(3)), on: .on(.segment(2)))
        let start = clock.hostTime
        async let late = Curl.get(server.url(for: "/hls/low/b.ts"))
        _ = try await server.request { $0.faults == [.late(.seconds(3))] }
        #expect(server.requests.last?.status == nil, "no response before the clock advances")
        await clock.untilSleeping()
        await clock.advance(by: .seconds(3))
        #expect(try await late.body == Data("low b".utf8))
        #expect(clock.hostTime - start >= .seconds(3))
    }

    @Test func aSegmentFailsOnceOnly() async throws {
        server.set(.status(503), on: FaultOccasion(part: .segment(1), requests: 1...1), for: "/hls/")
        let url = server.url(for: "/hls/low/a.ts")
        #expect(try await Curl.get(url).status == 503)
        #expect(try await Curl.get(url).status == 200)
    }

    @Test func aVariantIsMissing() async throws {
        server.set(.status(404), on: .on(.variant(2)))
        #expect(try await Curl.get(server.url(for: "/hls/master.m3u8")).status == 200)
        #expect(try await Curl.get(server.url(for: "/hls/low/media.m3u8")).status == 200)
        #expect(try await Curl.get(server.url(for: "/hls/high/media.m3u8")).status == 404)
    }

    @Test func playlistsFail() async throws {
        server.set(.status(500), on: FaultOccasion(part: .playlists, requests: 2...Int.max))
        let url = server.url(for: Self.playlist)
        #expect(try await Curl.get(url).status == 200)
        #expect(try await Curl.get(url).status == 500)
        #expect(try await Curl.get(server.url(for: "/hls/low/a.ts")).status == 200)
    }

    @Test func aSegmentIsNamedTwice() async throws {
        let names = try await lines(FaultPlan(.duplicateSegment(2))).filter { $0.hasSuffix(".ts") }
        #expect(names == ["a.ts", "b.ts", "b.ts", "c.ts", "d%20d.ts", "e.ts"])
        #expect(try await lines(FaultPlan(.duplicateSegment(9))).count { $0.hasSuffix(".ts") } == 5)
    }

    @Test func thePlaylistNamesFilesOfTheMachine() async throws {
        let names = try await lines(FaultPlan(.playlistToFile)).filter { $0.contains(".ts") }
        #expect(names.first == "file:///hls/low/a.ts")
        #expect(names.count == 5)
        #expect(names[3] == "file:///hls/low/d%20d.ts")
    }

    @Test func faultsAreJoined() async throws {
        let plan = FaultPlan(.live(window: 2)).and(.playlistToFile).and(.status(404), on: .on(.segment(1)))
        #expect(
            try await lines(plan).filter { $0.contains(".ts") } == ["file:///hls/low/a.ts", "file:///hls/low/b.ts"])
        #expect(try await Curl.get(server.url(for: "/hls/low/a.ts", plan: plan)).status == 404)
        #expect(try await Curl.get(server.url(for: "/hls/low/b.ts", plan: plan)).status == 200)
    }
}
