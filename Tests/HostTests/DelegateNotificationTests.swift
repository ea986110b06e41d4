import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Every call of a delegate is also a notification with the same value, and the other way round.
@MainActor
@Suite struct DelegateNotificationTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private let delegate = EveryDelegate()
    private let posted: Posted
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    init() { posted = Posted(center) }

    /// The calls without a notification, and the notifications without a call.
    private var difference: CollectionDifference<HostEvent> { delegate.calls.difference(from: posted.events) }

    private func view(_ media: SimulatedMedia) -> FlowplayerView {
        view(MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock))
    }

    private func view(_ player: MediaPlayer) -> FlowplayerView {
        let view = FlowplayerView(avPlayer: player, notificationCenter: center)
        view.delegate = delegate
        view.viewDelegate = delegate
        view.adDelegate = delegate
        view.daiDelegate = delegate
        view.autoPlay = true
        return view
    }

    private func playsItems() async throws {
        let item = view(
            SimulatedMedia(
                tracks: MediaTracks(
                    audio: [AudioTrack(id: 1, name: "English"), AudioTrack(id: 2, name: "Deutsch")],
                    subtitles: [SubtitleTrack(id: 3, name: "English")],
                    video: [VideoTrack(id: 0, width: 640, height: 360)]),
                subtitle: 3, metadata: MediaMetadata(title: "A title"),
                sizes: [.init(at: 1, VideoSize(width: 1280, height: 720))],
                failure: .init(at: 8, error: PlaybackError(.endedEarly, url: nil))))
        item.volume = 0.5
        item.isMuted = true
        item.load(external: Self.clip)
        await clock.advance(by: .seconds(2))
        item.selectTrack(audio: 2)
        item.seek(4)
        await clock.advance(by: .seconds(20))
        #expect(item.state == .failure)

        let queue = view(SimulatedMedia())
        queue.load(queue: [Self.clip, Self.clip])
        await clock.advance(by: .seconds(20))
        let live = view(.live(window: 60))
        live.load(external: Self.clip)
        await clock.advance(by: .seconds(20))
    }

    private func loadsFromThePlatform() async throws {
        let lock = await TestLock.acquire(.facade)
        defer { withExtendedLifetime(lock) {} }
        let client = Flowplayer.current.ovpClient
        Flowplayer.current.ovpClient = Platform()
        defer { Flowplayer.current.ovpClient = client }
        let item = view(SimulatedMedia())
        item.load(ovp: MediaOVP(mediaId: "m", playerId: "p"))
        let recorder = EventRecorder(try #require(item.avPlayer))
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
    }

    private func showsAndHides() {
        let shown = view(SimulatedMedia())
        shown.openFullscreen()
        shown.hideControls = true
        shown.isVisible = false
        shown.reportError(nil)
        shown.reportError(AdError.apiError)
        shown.lifecycle = .destroyed
    }

    private func reportsAdvertisements() {
        let ads = view(SimulatedMedia())
        ads.load(external: MediaExternal(url: Self.clip.url, adSchedule: AdScheduleRemote(url: Self.clip.url)))
        ads.load(dai: MediaDAI(stream: DAIStreamLive(assetKey: "key", backupStream: Self.clip.url)))
        for event: AdEvent in [
            .state(.start, .preRoll), .failed(.apiError, .midRoll, IMAMetadata()), .clickThrough(Self.clip.url),
            .streamState(.adBreakStarted), .streamFailed(.vastLoadTimeout),
        ] { ads.queue?.report(event) }
    }

    @Test func eachCallIsANotificationAndEachNotificationIsACall() async throws {
        try await playsItems()
        try await loadsFromThePlatform()
        showsAndHides()
        reportsAdvertisements()
        #expect(difference.isEmpty)
        let listed = try Listed()
        #expect(listed.methods.subtracting(delegate.methods).isEmpty)
        #expect(delegate.methods.subtracting(listed.methods).isEmpty)
        let names = Set(posted.events.map(\.name.rawValue))
        #expect(listed.notifications.subtracting(names).isEmpty)
        #expect(names.subtracting(listed.notifications).isEmpty)
    }

    @Test func aReleasedViewCallsItsDelegateWithItsID() {
        var dropped: FlowplayerView? = view(SimulatedMedia())
        dropped?.id = "left"
        dropped = nil
        #expect(delegate.methods == ["view(_:didChangeLifecycle:)", "viewWasDestroyed(playerID:)"])
        #expect(posted.events.map(\.value) == ["created", "destroyed"])
        #expect(difference.isEmpty)
    }

    #if VLC || GStreamer
    @Test(arguments: RealEngine.allCases) func aRunOfTheEngineHasBothOfEachEvent(engine: RealEngine) async throws {
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        let view = view(player)
        view.videoOutput = .frames(IgnoringSink())
        view.load(external: MediaExternal(url: try await MediaFixtures.shared.tracks()))
        #expect(await recorder.reaches(.play))
        view.volume = 0.5
        view.selectTrack(audio: try #require(view.audioList.last).id)
        view.pause()
        view.seek(4)
        #expect(await recorder.event { if case .seek(.seeked, _) = $0 { true } else { false } })
        view.play()
        #expect(await recorder.reaches(.complete))
        view.load(external: MediaExternal(url: URL(filePath: "/no/file.mp4")))
        #expect(await recorder.reaches(.failure))
        #expect(difference.isEmpty)
        #expect(Set(posted.events.map(\.name)).count > 14, "\(Set(posted.events.map(\.name.rawValue)))")
        view.stop()
    }
    #endif
}

/// Records the notifications of players and views.
@MainActor private final class Posted {
    private(set) var events: [HostEvent] = []
    private let center: NotificationCenter
    private var token: (any NSObjectProtocol)?

    init(_ center: NotificationCenter) {
        self.center = center
        token = center.addObserver(forName: nil, object: nil, queue: nil) { [weak self] notification in
            let event = HostEvent(notification.name, notification.object)
            MainActor.assumeIsolated { self?.events.append(event) }
        }
    }

    isolated deinit { token.map { center.removeObserver($0) } }
}

/// The delegate methods and notifications in the lists of names.
private struct Listed {
    /// The long form of `didAdFailWith` replaces the short one.
    private static let replaced = "player(_:didAdFailWith:)"

    let methods: Set<String>
    let notifications: Set<String>

    init() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Docs/API").standardized
        let lines = try ["mirrored.txt", "additions.txt"].flatMap {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8).split(separator: "\n")
        }
        methods = Set(
            lines.compactMap { line in
                line.prefixMatch(of: /optional Flowplayer\w*Delegate\.(\S+)/).map { String($0.1) }
            }
        ).subtracting([Self.replaced])
        notifications = Set(
            lines.compactMap { line in
                line.wholeMatch(of: /Notification\.Name\.(flowplayer\w+)/).map { String($0.1) }
            })
    }
}

private struct Platform: OVPClient {
    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig { OVPConfig(src: ["file:///clip.mp4"]) }
}

#if VLC
private final class IgnoringSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}
#endif
