import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import MediaTransport
import Playback
import Testing

@testable import Advertising

/// Breaks inside a stream, in virtual time.
@MainActor
@Suite struct StreamAdPlaybackTests {
    /// A stream of 60 s with breaks at 10 s and 40 s, each of two advertisements of 3 s.
    private static let stream: SimulatedMedia = {
        var media = SimulatedMedia(duration: 60, playbackType: .vod)
        media.markers = [10.0, 13, 40, 43].map { start in
            StreamMarker(id: "out \(start)", kind: .cueOut, start: start, duration: 3)
        }
        return media
    }()

    private static let wholeBreak = [
        "ad adBreakStarted stream", "playbackState ads", "ad adStarted stream", "ad adCompleted stream",
        "ad adStarted stream", "ad adCompleted stream", "playbackState playing", "ad adBreakEnded stream",
    ]

    private func world(_ media: SimulatedMedia = stream, options: AdOptions = AdOptions()) async -> (AdWorld, DAILog) {
        let world = AdWorld(content: media, options: options)
        let log = DAILog()
        world.view.daiDelegate = log
        await world.load(nil)
        await world.run { world.view.state == .play }
        return (world, log)
    }

    @Test
    func theDelegateFollowsPlayback() async {
        let (world, log) = await world()
        #expect(log.lines == ["loaded"] && world.view.snapshot.adBreaks == [10...16, 40...46])
        await world.run { world.view.playbackState == .ads }
        #expect((10...10.3).contains(world.position))
        #expect(world.view.snapshot.advertisement?.count == 2 && world.view.state == .play)
        await world.run { world.view.playbackState == .playing }
        #expect((16...16.1).contains(world.position) && world.view.snapshot.advertisement == nil)
        #expect(world.view.snapshot.adBreaks == [40...46])
        await world.run { world.view.state == .complete }
        let start = ["ad loaded stream", "playbackState playing"]
        #expect(world.story == start + Self.wholeBreak + Self.wholeBreak + ["playbackState ended"])
        world.view.stop()
        #expect(log.lines.first == "loaded" && log.lines.last == "idle" && log.lines.count == 14)
        #expect(world.delegate.lines == [], "These are no events of the ad delegate.")
    }

    @Test(arguments: [true, false])
    func aBreakAtTheStartComesBeforeTheItem(autoPlay: Bool) async {
        var media = SimulatedMedia(duration: 60, playbackType: .vod)
        media.markers = [StreamMarker(id: "out", kind: .cueOut, start: 0, duration: 3)]
        let world = AdWorld(content: media)
        world.view.autoPlay = autoPlay
        await world.load(nil)
        await world.run { world.view.state == (autoPlay ? .play : .ready) }
        if !autoPlay {
            #expect(world.story == ["ad loaded stream"] && world.view.snapshot.advertisement?.type == .preRoll)
            world.view.play()
        }
        await world.run { world.view.playbackState == .playing }
        #expect(
            world.story == [
                "ad loaded stream", "playbackState ads", "ad adBreakStarted stream", "ad adStarted stream",
                "ad adCompleted stream", "playbackState playing", "ad adBreakEnded stream",
            ])
    }

    @Test
    func pauseAndResumeAreReported() async {
        let (world, log) = await world()
        await world.run { world.view.playbackState == .ads }
        world.view.pause()
        #expect(log.lines.last == "adPaused" && world.view.playbackState == .ads)
        await world.run(5)
        world.view.play()
        #expect(log.lines.last == "adResumed")
    }

    @Test
    func aSeekOverABreakReturnsToItAndThenContinues() async {
        let (world, log) = await world()
        world.view.seek(30)
        #expect(world.position == 10)
        await world.run { world.view.playbackState == .ads }
        world.view.queue?.skip(by: 60)
        await world.run(0.2)
        #expect(world.view.playbackState == .ads && world.position < 11)
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(world.position == 40, "The later request crosses another break.")
        await world.run { world.view.playbackState == .ads }
        await world.run { world.view.playbackState == .playing || world.view.state == .complete }
        #expect(world.position == 60)
        let seeks = world.recorder.events.compactMap { event in
            if case .seek(.seeked, let position) = event { position.rounded() } else { nil }
        }
        #expect(seeks == [10, 10, 40, 60])
    }

    @Test
    func aSeekInACallbackIsRemembered() async {
        let (world, log) = await world()
        var hasSought = false
        let token = world.view.observe(\.position) { view, position in
            guard position > 5, !hasSought else { return }
            hasSought = true
            view.seek(30)
        }
        await world.run { log.lines.last == "adBreakEnded" }
        #expect(hasSought && world.position == 30)
        token.cancel()
    }

    /// At this rate the positions are 1 s apart.
    @Test(arguments: [9.1, 60.1])
    func aBreakBetweenTwoPositionsIsReported(start: Double) async {
        var media = SimulatedMedia(duration: 61, playbackType: .vod)
        media.markers = [(start, 0.6), (start + 0.6, 0.2)].map { start, duration in
            StreamMarker(id: "out \(start)", kind: .cueOut, start: start, duration: duration)
        }
        let world = AdWorld(content: media)
        world.view.defaultRate = 4
        await world.load(nil)
        await world.run { world.view.state == .complete }
        #expect(!world.recorder.positions.contains { (start...start + 0.8).contains($0) })
        let states = world.story.filter { $0.hasPrefix("ad ") }
        #expect(states == ["ad loaded stream"] + Self.wholeBreak.filter { $0.hasPrefix("ad ") })
        #expect(world.view.snapshot.adBreaks == [] && world.view.snapshot.advertisement == nil)
    }

    @Test
    func aBreakThatWasSeenIsContent() async {
        let (world, log) = await world()
        await world.run { log.lines.last == "adBreakEnded" }
        world.view.seek(5)
        await world.run { world.position > 20 }
        #expect(log.lines.count { $0 == "adBreakStarted" } == 1)
        world.view.seek(12)
        #expect(world.position == 12)
    }

    @Test
    func aStartPositionSkipsTheBreaksBeforeIt() async {
        let world = AdWorld(content: Self.stream)
        let log = DAILog()
        world.view.daiDelegate = log
        world.view.load(external: MediaExternal(url: AdWorld.film), startPosition: 30)
        await world.run { world.view.playbackState == .ads }
        #expect((40...40.3).contains(world.position))
    }

    @Test
    func theBackgroundKeepsItsPlaybackState() async {
        let (world, log) = await world()
        world.view.enableBackgroundPlayback = true
        world.lifecycle.enterBackground(.hidden)
        await world.run { log.lines.last == "adStarted" }
        #expect(world.view.playbackState == .background)
        world.lifecycle.leaveBackground(.hidden)
        #expect(world.view.playbackState == .ads)
    }

    @Test
    func aScheduleOrAnOptionReplacesTheMarks() async {
        var options = AdOptions()
        options.followsStreamBreaks = false
        let (world, log) = await world(options: options)
        await world.run { world.position > 20 }
        #expect(log.lines == [] && world.view.snapshot.adBreaks == [])

        let scheduled = AdWorld(content: Self.stream)
        let silent = DAILog()
        scheduled.view.daiDelegate = silent
        await scheduled.load(AdScheduleWaterfall(postAdBreak: AdBreak(adTags: ["http://ads.test/tag"])))
        await scheduled.run { scheduled.position > 20 }
        #expect(silent.lines == [])
    }

    @Test
    func anotherItemInACallbackEndsTheBreakOnce() async {
        let (world, log) = await world()
        log.onState = { [weak view = world.view] state in
            if state == .adStarted { view?.load(external: MediaExternal(url: AdWorld.film)) }
        }
        await world.run { log.lines.contains("idle") }
        #expect(log.lines.prefix(5) == ["loaded", "adBreakStarted", "adStarted", "adBreakEnded", "idle"])
    }

    @Test
    func theLinterFindsNothingInTheStory() async {
        let (world, _) = await world()
        world.view.seek(30)
        await world.run { world.view.state == .complete }
        world.view.stop()
        var linter = EventLogLinter()
        let breaches = world.recorder.events.enumerated().flatMap { index, event in
            linter.check(EventLogEntry(t: Double(index), player: "p", item: 1, event: LoggedEvent(event)))
        }
        #expect(breaches.filter { $0.rule == .ads }.isEmpty)
    }

    // MARK: Sessions

    private static let template = "http://dai.test/vod/[CONTENTSOURCEID]/[VIDEOID]?r=[CACHEBUSTING]&c=[CONSENT]"
    private static let backup = URL(string: "http://film.test/backup.mp4")!

    private func load(
        _ world: AdWorld, _ stream: any DAIStream, security: MediaSecurityPolicy = .standard
    ) async -> DAILog {
        let log = DAILog()
        world.view.daiDelegate = log
        var media = MediaDAI(stream: stream)
        media.securityPolicy = security
        world.view.load(dai: media)
        let isResolved = await world.recorder.event { event in
            switch event {
            case .resolved, .error: true
            default: false
            }
        }
        #expect(isResolved)
        if world.recorder.errors.isEmpty { await world.run { world.view.state == .play } }
        return log
    }

    private func vod(backup: URL? = backup) -> DAIStreamVOD {
        DAIStreamVOD(contentSourceID: "a b", videoID: "v/1", bookmark: 5, backupStream: backup)
    }

    @Test(arguments: [
        (#"{"stream_manifest": "http://cdn.test/1.m3u8", "id": 3}"#, "http://cdn.test/1.m3u8"),
        (#"{"manifestUrl": "/v1/x.mpd?s=1", "trackingUrl": "/t"}"#, "http://dai.test/v1/x.mpd?s=1"),
        (#"{"url": "../x.m3u8"}"#, "http://dai.test/vod/x.m3u8"),
    ])
    func theAnswerNamesTheStream(answer: String, address: String) async throws {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.vod = Self.template
        world.ads.options.macros["CONSENT"] = "yes"
        world.server.answerAll(with: answer)
        let log = await load(world, vod())
        #expect(world.view.sourceURL?.absoluteString == address)
        let request = try #require(world.server.requests.first)
        #expect(request.contains(#/^http://dai\.test/vod/a%20b/v%2F1\?r=\d{8}&c=yes$/#), "\(request)")
        #expect(log.lines == ["loaded"] && log.errors == [] && world.position == 5)
    }

    @Test(arguments: ["#EXTM3U\n#EXT-X-TARGETDURATION:1\n", "<?xml version=\"1.0\"?>\n<MPD/>"])
    func aServerMayAnswerWithThePlaylist(answer: String) async {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.live = "http://dai.test/live/[ASSETKEY]/x"
        world.server.answerAll(with: answer)
        let log = await load(world, DAIStreamLive(assetKey: "k"))
        #expect(world.view.sourceURL?.absoluteString == "http://dai.test/live/k/x" && log.lines == ["loaded"])
    }

    @Test
    func aPodSessionGivesAnIDToTheStream() async {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.podLive = "http://dai.test/[NETWORKCODE]/[CUSTOMASSETKEY]?key=[APIKEY]"
        world.server.answerAll(with: #"{"stream_id": "s 1"}"#)
        let data = DAIStreamPodLive.StreamData(streamURL: URL(string: "http://cdn.test/x.m3u8?s=[STREAMID]")!)
        let log = await load(
            world, DAIStreamPodLive(networkCode: "n", streamData: data, customAssetKey: "c", apiKey: "a&b"))
        #expect(world.server.requests == ["http://dai.test/n/c?key=a%26b"])
        #expect(world.view.sourceURL?.absoluteString == "http://cdn.test/x.m3u8?s=s%201" && log.lines == ["loaded"])
    }

    @Test(arguments: ["", "{}", "[]", "hello", #"{"url": 3}"#, #"{"url": "file:///etc/passwd"}"#, "<html>"])
    func aUselessAnswerPlaysTheBackupStream(answer: String) async {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.vod = Self.template
        world.server.answerAll(with: answer)
        let log = await load(world, vod())
        #expect(log.errors == [answer.contains("file") ? .invalidAdRequest : .adLoadFailed])
        #expect(world.view.sourceURL == Self.backup && world.view.state == .play)
        #expect(world.recorder.errors == [])
    }

    @Test
    func withoutABackupStreamTheErrorIsThatOfTheSession() async {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.vod = Self.template
        world.server.answerAll(with: "hello")
        let log = await load(world, vod(backup: nil))
        #expect(log.errors == [.adLoadFailed] && world.recorder.errors.map(\.code) == [.noPlayableStream])
    }

    @Test
    func thePolicyOfTheItemAppliesToTheSession() async {
        let world = AdWorld(content: Self.stream)
        world.ads.options.sessions.vod = Self.template
        let log = await load(world, vod(), security: .httpsOnly)
        #expect(log.errors == [.invalidAdRequest] && world.server.requests == [])
        #expect(world.view.queue?.currentItem?.securityPolicy == .httpsOnly)
    }

    @Test
    func withoutATemplateThePluginReportsIt() async {
        let world = AdWorld(content: Self.stream)
        let log = await load(world, vod())
        #expect(log.errors == [.adLoadFailed] && world.view.sourceURL == Self.backup)
        let notices = world.recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(notices.last == "streamUnavailable")
    }
}

/// Keeps the calls of the delegate of a stream.
@MainActor
final class DAILog: FlowplayerDAIDelegate {
    private(set) var lines: [String] = []
    private(set) var errors: [AdError] = []
    var onState: @MainActor (DAIStateStream) -> Void = { _ in }

    func player(_ player: any FlowplayerAPI, didStreamChangeState state: DAIStateStream) {
        lines.append(state.name)
        onState(state)
    }

    func player(_ player: any FlowplayerAPI, didStreamFailWith error: AdError) { errors.append(error) }
}
