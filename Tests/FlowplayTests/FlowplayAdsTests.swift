#if VLC
import EventLog
import FlowplayerSDK
import Foundation
import Playback
import TestSupport
import Testing

/// `flowplay --ads` and `--ad-schedule`.
@Suite struct FlowplayAdsTests {
    private func schedule(
        _ media: URL, at offset: String = "start", trackers: String = "http://127.0.0.1:9"
    ) -> String {
        """
        <VMAP version="1.0"><AdBreak timeOffset="\(offset)" breakType="linear"><AdSource><VASTAdData><VAST version="4.2">
        <Ad id="a" adType="hybrid"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>\(trackers)/impression</Impression>
        <Creatives><Creative><Linear><Duration>00:00:02</Duration><TrackingEvents>
        <Tracking event="complete">\(trackers)/complete</Tracking></TrackingEvents><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4">\(media.absoluteString)</MediaFile></MediaFiles></Linear></Creative>
        </Creatives></InLine></Ad></VAST></VASTAdData></AdSource></AdBreak></VMAP>
        """
    }

    private func play(_ arguments: [String]) async throws -> (result: Command.Result, events: [LoggedEvent], log: URL) {
        let clip = try await MediaFixtures.shared.file("mp4")
        let result = try await FlowplayCommand.command(
            ["--json", "--no-mpris", "--no-video", "--audio", "none", "--ad-timeout", "100"] + arguments + [clip.path()]
        ).run()
        let log = try await MediaFixtures.shared.bytes("ads-\(UUID().uuidString).jsonl", Data(result.output.utf8))
        return (result, try EventLogReader.entries(in: Data(result.output.utf8)).map(\.event), log)
    }

    /// The media file is local, because the schedule is.
    @Test(arguments: [("start", "preRoll"), ("00:00:01", "midRoll"), ("end", "postRoll")])
    func aScheduleOfAFilePlays(offset: String, type: String) async throws {
        let clip = try await MediaFixtures.shared.file("mp4")
        let file = try await MediaFixtures.shared.bytes(
            "schedule-\(type).xml", Data(schedule(clip, at: offset).utf8))
        let (result, events, log) = try await play(["--ad-schedule", file.path()])
        #expect(result.status == 0, "\(result.errors)")
        let states = events.filter { $0.name == "ad" }.compactMap(\.state)
        #expect(states == ["start", "loaded", "play", "complete", "idle"])
        #expect(events.filter { $0.name == "ad" }.allSatisfy { $0.adType == type })
        #expect(events.contains { $0.name == "playbackState" && $0.state == "ads" })
        let check = try await FlowplayCommand.run("check-log", log.path())
        #expect(check.status == 0, "\(check.output)")
    }

    /// The program waits for the last trackers, whose server takes its time.
    @Test func anAdServerPlays() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))
        let log = RequestLog()
        let server = try await LoopbackServer { request in
            let base = "http://\(request.headers[.host] ?? "")"
            switch request.path {
            case "/ad.mp4": return .init(statusCode: .ok, body: clip)
            case "/vmap":
                let text = schedule(URL(string: "\(base)/ad.mp4")!, at: "end", trackers: base)
                return .init(statusCode: .ok, body: Data(text.utf8))
            default:
                for _ in 0..<100 { await Task.yield() }
                log.add(request.path)
                return .init(statusCode: .ok)
            }
        }
        let (result, events, _) = try await play(["--ads", server.base.appending(path: "vmap").absoluteString])
        #expect(result.status == 0, "\(result.errors)")
        #expect(events.contains { $0.name == "ad" && $0.state == "complete" })
        #expect(log.paths == ["/impression", "/complete"])
    }

    /// Reading a pipe would block until another program writes to it.
    @Test func aScheduleThatIsNoRegularFileIsReported() async throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: "schedule-\(UUID().uuidString)").path()
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let (result, events, _) = try await play(["--ad-schedule", pipe])
        #expect(result.status == 0 && events.last?.state == "ended", "\(result.errors)")
        #expect(events.filter { $0.name == "ad" }.map(\.vast) == [300])
    }

    @Test func aServerThatIsNotThereIsReported() async throws {
        let (result, events, _) = try await play(["--ads", "http://127.0.0.1:9/"])
        #expect(result.status == 0)
        #expect(result.errors.contains("(VAST 300)"), "\(result.errors)")
        #expect(events.filter { $0.name == "ad" }.map(\.vast) == [300])
        #expect(events.last?.state == "ended")
    }

    @Test func theBreaksOfAStreamAreFollowed() async throws {
        let stream = try await LiveStream(window: 4, seconds: 4, tags: [1: "#EXT-X-CUE-OUT:2", 3: "#EXT-X-CUE-IN"])
        let result = try await FlowplayCommand.command([
            "--json", "--no-mpris", "--no-video", "--audio", "none", "--stream-ads", stream.url.absoluteString,
        ]).run()
        #expect(result.status == 0, "\(result.errors)")
        let events = try EventLogReader.entries(in: Data(result.output.utf8)).map(\.event)
        let states = events.filter { $0.name == "ad" }.compactMap(\.state)
        #expect(states == ["loaded", "adBreakStarted", "adStarted", "adCompleted", "adBreakEnded"])
        #expect(events.contains { $0.name == "playbackState" && $0.state == "ads" })
        withExtendedLifetime(stream) {}
    }

    @Test(arguments: [
        (["--ads", "schedule.xml"], "--ads takes an address. --ad-schedule takes a file."),
        (["--ad-schedule", "/no/such.xml"], "There is no file /no/such.xml."),
        (["--ads", "http://a.test", "--ad-schedule", "/etc/hostname"], "exclude each other"),
        (["--ads", "http://a.test", "--stream-ads"], "the breaks of the stream are not followed"),
        (["--ads", "http://a.test", "--ad-timeout", "0"], "--ad-timeout takes a number of seconds above 0."),
        (["--ads", "http://a.test", "--ad-timeout", "1e300"], "The longest is 3600."),
    ])
    func wrongOptionsAreRefused(arguments: [String], message: String) async throws {
        let result = try await FlowplayCommand.command(arguments + ["clip.mp4"]).run()
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }
}
#endif
