import FlowplayerSDK
import FlowplayerTesting
import FlyingFox
import Foundation
import TestSupport
import Testing

/// Media of a video platform, from the request to playback. One after another: the token is the process's.
@MainActor
@Suite(.serialized) struct PlatformTests {
    private let clock = ManualClock()
    private let center = NotificationCenter()
    private let controller: PlayController
    private let recorder: EventRecorder
    private static let media = MediaOVP(mediaId: "m", playerId: "p", preferredPeakBitRate: 1_000_000)

    /// Token and client are the process's.
    private let lock: TestLock

    init() async {
        lock = await TestLock.acquire(.facade)
        _ = CapturedLog.shared
        Flowplayer.current.config = SDKConfig()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        recorder = EventRecorder(player)
        controller = PlayController(playerView: FlowplayerView(avPlayer: player, notificationCenter: center))
        Flowplayer.current.accessToken = nil
        Flowplayer.current.ovpClient = nil
        Flowplayer.current.platformURL = nil
    }

    private func load() {
        controller.video = VideoSingle(title: "A clip", media: Self.media, autoStart: true)
        controller.viewDidLoad()
    }

    private func serve(_ status: Int, _ body: String) async throws -> LoopbackServer {
        let server = try await LoopbackServer { _ in
            HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Test"), body: Data(body.utf8))
        }
        Flowplayer.current.accessToken = "secret"
        Flowplayer.current.ovpClient = HTTPOVPClient(baseURL: server.base)
        return server
    }

    @Test func theSettingsOfTheMediaAreThoseOfItsItem() async throws {
        let server = try await serve(200, #"{"src": ["clip.mp4"], "metadata": {"title": "Theirs"}}"#)
        var media = Self.media
        media.httpHeaders = ["Authorization": "Bearer abc"]
        media.userAgent = "Host/1.0"
        media.httpHeaderOrigins = [server.base]
        media.startPosition = 3
        media.retryPolicy = .none
        media.metadata.artist = "Ours"
        controller.playerView.load(ovp: media)
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        await clock.advance(by: .seconds(1))
        #expect(controller.playerView.position?.seconds == 3)
        let item = controller.playerView.avPlayer?.currentItem
        #expect(item?.httpHeaders == media.httpHeaders)
        #expect(item?.userAgent == "Host/1.0")
        #expect(item?.httpHeaderOrigins == [server.base])
        #expect(item?.retryPolicy == RetryPolicy.none)
        #expect(item?.metadata == MediaMetadata(title: "Theirs", artist: "Ours"))
        #expect(item?.preferredPeakBitRate == 1_000_000)
    }

    @Test func aConfigIsLoadedReportedAndPlayed() async throws {
        let server = try await serve(
            200, #"{"src": ["clip.mp4", "clip.m3u8"], "metadata": {"title": "A title"}, "poster": "poster.jpg"}"#)
        var configs: [OVPConfig] = []
        let token = center.addObserver(forName: .flowplayerDidReceiveConfig, object: nil, queue: nil) { notification in
            let config = notification.object as? OVPConfig
            MainActor.assumeIsolated { configs += [config].compactMap(\.self) }
        }
        defer { center.removeObserver(token) }
        load()
        #expect(controller.playerView.state == .load)
        #expect(controller.playerView.sourceURL == nil)
        #expect(controller.playerView.ovpConfig == nil)
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        await clock.advance(by: .seconds(1))
        #expect(controller.playerView.state == .play)
        #expect(controller.lines.prefix(2) == ["state load", "config A title"])
        #expect(configs == [controller.playerView.ovpConfig].compactMap(\.self))
        #expect(controller.playerView.sourceURL?.lastPathComponent == "clip.m3u8")
        #expect(controller.playerView.sourceURL?.port == server.base.port)
        #expect(controller.playerView.metadata.title == "A title")
        #expect(controller.playerView.preferredPeakBitRate == 1_000_000)
        #expect(controller.playerView.reload())
        #expect(controller.playerView.sourceURL == nil, "it is asked for again")
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
    }

    @Test(arguments: [
        (401, "", "invalid access token"), (403, "", "invalid access token"), (200, "not JSON", "invalid config"),
        (200, #"{"src": []}"#, "invalid config"), (200, #"{"src": 7}"#, "invalid config"),
        (404, "", "playback error"), (500, "", "playback error"),
    ])
    func eachFailureHasItsErrorCode(status: Int, body: String, line: String) async throws {
        let server = try await serve(status, body)
        load()
        #expect(await recorder.reaches(.failure))
        withExtendedLifetime(server) {}
        #expect(recorder.errors.count == 1)
        #expect(controller.lines.count == 3)
        #expect(controller.lines[1].hasPrefix(line))
        #expect(controller.lines.last == "state failure")
        #expect(!"\(recorder.events)".contains("secret"))
    }

    @Test func theLogHasItsLevelAndNeverTheToken() async throws {
        let server = try await serve(200, #"{"src": ["clip.mp4?key=secret"]}"#)
        let id = controller.playerView.id
        func lines() -> [String] { CapturedLog.shared.lines.filter { $0.contains(id) } }
        Flowplayer.current.config.loggerLevels = LogLevel.allCases
        load()
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        await clock.advance(by: .seconds(1))
        controller.playerView.selectTrack(audio: 99)
        withExtendedLifetime(server) {}
        #expect(lines().contains { $0.hasPrefix("info state play") })
        #expect(lines().contains { $0.hasPrefix("warning The item has no audio track 99") })
        #expect(lines().contains { $0.hasPrefix("debug position") })
        #expect(!lines().contains { $0.contains("secret") })
        let count = lines().count
        Flowplayer.current.config.disableLogging = true
        controller.playerView.pause()
        Flowplayer.current.config = SDKConfig()
        controller.playerView.play()
        await clock.advance(by: .seconds(1))
        #expect(lines().count == count, "what goes well is not logged unless it is asked for")
    }

    @Test func aPlatformThatCannotBeReachedIsANetworkFailure() async throws {
        Flowplayer.current.accessToken = "secret"
        Flowplayer.current.ovpClient = HTTPOVPClient(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        load()
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.connectionFailed])
        #expect(recorder.errors.first?.isRetryable == true)
    }

    @Test func aPlatformsAddressAndATokenAreEnough() async throws {
        let server = try await serve(200, #"{"src": ["clip.mp4"]}"#)
        Flowplayer.current.ovpClient = nil
        Flowplayer.current.platformURL = server.base
        load()
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        #expect(controller.playerView.sourceURL?.lastPathComponent == "clip.mp4")
    }

    @Test(arguments: [
        (
            401, "",
            "The video platform refused the access token (HTTP 401). Set a valid token: Flowplayer.current.accessToken."
        ),
        (404, "", "The video platform has no such item. Check the media and player ids."),
        (
            200, "not JSON",
            "The item's configuration is invalid. It is not JSON. Check the media and player ids, and what is published under them."
        ),
    ])
    func theErrorOfTheDelegateNamesItsCause(status: Int, body: String, text: String) async throws {
        let witness = ErrorWitness()
        let server = try await serve(status, body)
        load()
        controller.playerView.delegate = witness
        #expect(await recorder.reaches(.failure))
        withExtendedLifetime(server) {}
        #expect(witness.error?.localizedDescription == text)
        #expect(witness.error?.playbackError == recorder.errors.first)
    }

    @Test func aMissingPlatformIsReportedWithAdvice() async {
        let witness = ErrorWitness()
        Flowplayer.current.accessToken = "secret"
        load()
        controller.playerView.delegate = witness
        #expect(await recorder.reaches(.failure))
        #expect(witness.error == .invalidConfig)
        #expect(witness.error?.playbackError?.code == .platformMissing)
        #expect(witness.error?.localizedDescription.contains("Set Flowplayer.current.platformURL") == true)
    }

    @Test func aMissingTokenMakesNoRequest() async throws {
        load()
        #expect(await recorder.reaches(.failure))
        #expect(controller.lines.suffix(2) == ["invalid access token", "state failure"])
        #expect(recorder.errors.first?.summary == "There is no valid access token.")
    }

    @Test(arguments: [
        (401, "{}", "The video platform refused the access token (HTTP 401)."),
        (404, "{}", "The video platform has no such item."),
        (410, "{}", "The video platform refused the request (HTTP 410)."),
        (500, "{}", "The video platform reported an error (HTTP 500)."),
        (200, "{", "The item's configuration is invalid. It is not JSON."),
    ])
    func theErrorNamesItsCause(status: Int, body: String, cause: String) async throws {
        let server = try await serve(status, body)
        let witness = ErrorWitness()
        load()
        controller.playerView.delegate = witness
        #expect(await recorder.reaches(.failure))
        #expect(witness.error?.playbackError?.summary == cause)
        #expect(witness.error?.localizedDescription.hasPrefix(cause) == true)
        withExtendedLifetime(server) {}
    }

    @Test func aFolderOfConfigurationsNeedsNoToken() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(#"{"src": ["clip.mp4"]}"#.utf8).write(to: folder.appending(path: "m.json"))
        Flowplayer.current.ovpClient = DirectoryOVPClient(directory: folder)
        load()
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        #expect(controller.playerView.sourceURL?.path() == folder.appending(path: "clip.mp4").path())
    }

    @Test func anotherLoadReplacesAPendingOne() async throws {
        let client = HeldClient()
        Flowplayer.current.ovpClient = client
        load()
        await client.isAsked()
        controller.playerView.load(external: MediaExternal(url: URL(filePath: "/media/clip.mp4")))
        client.answer()
        await clock.advance(by: .seconds(1))
        #expect(controller.playerView.state == .play)
        #expect(controller.playerView.ovpConfig == nil)
        #expect(!controller.lines.contains { $0.hasPrefix("config") })
    }

    @Test func aSeekAndAPauseDuringALoadCount() async throws {
        let client = HeldClient()
        Flowplayer.current.ovpClient = client
        load()
        await client.isAsked()
        controller.playerView.seek(5)
        controller.playerView.pause()
        client.answer()
        #expect(await recorder.event { if case .resolved = $0 { true } else { false } })
        await clock.advance(by: .seconds(1))
        #expect(controller.playerView.state == .ready)
        #expect(controller.playerView.position?.seconds == 5)
    }
}

private final class ErrorWitness: FlowplayerDelegate {
    private(set) var error: PlayerError?

    func player(_: any FlowplayerAPI, didFailWith error: PlayerError) { self.error = error }
}

/// Answers on request.
private final class HeldClient: OVPClient {
    private let (asked, ask) = AsyncStream<Void>.makeStream()
    private let (answers, giveAnswer) = AsyncStream<Void>.makeStream()

    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        ask.yield()
        for await _ in answers { break }
        return OVPConfig(src: ["/media/platform.mp4"])
    }

    func isAsked() async { for await _ in asked { break } }

    func answer() { giveAnswer.yield() }
}
