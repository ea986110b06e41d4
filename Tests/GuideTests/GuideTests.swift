import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The code of the articles does what they describe. The tests run one after another, because they share the process's
/// paper and platform.
@MainActor
@Suite(.serialized) struct GuideTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))
    private static let media = SimulatedMedia(
        tracks: MediaTracks(
            audio: [AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Français", lang: "fra")],
            subtitles: [SubtitleTrack(id: 3, name: "English"), SubtitleTrack(id: 4, name: "Deutsch")]))

    /// Token and client are the process's.
    private let lock: TestLock

    init() async {
        lock = await TestLock.acquire(.facade)
        _ = Paper.take()
        Flowplayer.current.accessToken = nil
        Flowplayer.current.ovpClient = nil
        Flowplayer.current.platformURL = nil
    }

    private func view(_ media: SimulatedMedia = media) -> FlowplayerView {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let view = FlowplayerView(avPlayer: player, notificationCenter: center)
        view.id = "main"
        return view
    }

    @Test func aDelegateDistinguishesPlayers() async {
        let (main, side, lobby) = (view(), view(), Lobby())
        distinguish(main, side, lobby)
        main.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        side.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        #expect(Paper.take() == ["main load", "main ready", "side load", "side ready"])
    }

    @Test func everyObserverIsCalledInTheDocumentedOrder() async {
        let (view, witness) = (view(), Witness())
        view.delegate = witness
        view.attach(witness)
        let observer = listen(on: center)
        defer { center.removeObserver(observer) }
        let observation = view.observe(\.state) { _, state in print("observer", state.name) }
        defer { observation.cancel() }
        let reading = Task.immediate { await follow(view) }
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        let lines = await Paper.take(upTo: "state play")
        reading.cancel()
        let listeners = ["delegate", "main", "observer", "plugin"]
        #expect(
            lines.filter { !$0.hasPrefix("state") }
                == ["load", "ready", "play"].flatMap { state in listeners.map { "\($0) \(state)" } })
        #expect(lines.filter { $0.hasPrefix("state") } == ["state load", "state ready", "state play"])
    }

    @Test func aLateObserverReceivesTheCurrentValue() async {
        let view = view()
        view.autoPlay = true
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        let token = observePlayback(of: view)
        #expect(Paper.take() == ["main playing"])
        token.cancel()
        let reading = Task.immediate { await follow(view) }
        #expect(await Paper.take(upTo: "state play") == ["state play"])
        await clock.advance(by: .seconds(20))
        #expect(await Paper.take(upTo: "state complete") == ["state complete"], "the observer has gone")
        reading.cancel()
    }

    @Test func pluginsSeeEvents() async {
        let view = view()
        let tally = count(in: view)
        view.load(external: Self.clip)
        view.seek(3)
        await clock.advance(by: .seconds(1))
        view.seek(4)
        await clock.advance(by: .seconds(1))
        #expect(tally.seeks == 2)
    }

    @Test func languagesAreChosen() async {
        let (view, languages) = (view(), Languages())
        view.delegate = languages
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        for _ in 1...3 { showNextSubtitle(of: view) }
        #expect(
            Paper.take() == [
                "audio English", "audio Français", "subtitles English", "subtitles Deutsch", "subtitles Off",
            ])
        #expect(canChoose(view))
    }

    @Test func subtitleFilesAreListed() async {
        let view = view(SimulatedMedia())
        loadWithSubtitles(view)
        await clock.advance(by: .seconds(1))
        #expect(view.subtitleList.map(\.name) == ["English", "Deutsch"])
        #expect(view.currentSubtitle == nil)
    }

    @Test func whatCannotBeChosenIsSaid() async {
        let view = view()
        let warning = "noSuchTrack The item has no audio track 99."
        view.load(external: Self.clip)
        await clock.advance(by: .seconds(1))
        let reading = Task.immediate { await warnings(of: view) }
        view.selectTrack(audio: 99)
        #expect(await Paper.take(upTo: warning) == [warning])
        reading.cancel()
    }

    // MARK: The video platform

    private func loading(_ load: (FlowplayerView) -> Void) async -> FlowplayerView {
        let (view, titles) = (view(), Titles())
        view.delegate = titles
        load(view)
        let events = view.events(startsWithCurrent: true)
        for await event in events {
            if case .resolved = event { break }
            if case .state(.failure) = event { break }
        }
        withExtendedLifetime(titles) {}
        return view
    }

    @Test func aHostMayHaveAPlatformOfItsOwn() async {
        Flowplayer.current.ovpClient = Catalogue(addresses: ["tour": "/media/tour.mp4"])
        let view = await loading { $0.load(ovp: MediaOVP(mediaId: "tour", playerId: "lobby")) }
        #expect(view.sourceURL?.path() == "/media/tour.mp4")
        #expect(Paper.take() == ["title tour"])
        _ = await loading { $0.load(ovp: MediaOVP(mediaId: "unknown", playerId: "lobby")) }
        #expect(Paper.take() == ["mediaNotFound"])
    }

    @Test func configurationsAreReadFromAFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "lobby"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let article = try Article("VideoPlatformItems")
        let config = try #require(article.blocks("json").first).joined(separator: "\n")
        try Data(config.utf8).write(to: folder.appending(path: "lobby/tour.json"))
        let view = await loading { loadFromAFolder($0, folder) }
        #expect(Paper.take() == ["title A tour of the house"])
        #expect(view.sourceURL == URL(string: "https://cdn.example.com/tour/master.m3u8"))
        #expect(view.ovpConfig?.externalSubtitles.map(\.name) == ["English"])
    }

    @Test func aPlatformThatIsNotThereIsSaid() async throws {
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        _ = await loading { loadFromThePlatform($0, nowhere, token: "token") }
        #expect(Paper.take() == ["connectionFailed"])
        Flowplayer.current.accessToken = nil
        _ = await loading { $0.load(ovp: MediaOVP(mediaId: "tour", playerId: "lobby")) }
        #expect(Paper.take() == ["The platform wants another token."])
    }
}

/// Prints the order of its calls.
private final class Witness: FlowplayerDelegate, PlayerPlugin {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) { print("delegate", state.name) }

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        if case .state(let state) = event { print("plugin", state.name) }
    }
}
