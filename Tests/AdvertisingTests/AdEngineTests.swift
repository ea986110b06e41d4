#if VLC || GStreamer
import FlowplayerIsolation
import FlowplayerSDK
import FlowplayerTesting
import FlyingFox
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import Advertising

#if GStreamer
import GStreamerBackend
#endif

/// Breaks with real engines, real media and an ad server.
@MainActor
@Suite struct AdEngineTests {
    enum Engine: String, CaseIterable {
        #if VLC
        case libVLC
        #endif
        #if GStreamer
        case isolatedGStreamer
        #endif
        #if VLC
        case isolatedLibVLC
        #endif

        private static let isLong = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] != nil
        private static let hasSanitizer = ProcessInfo.processInfo.environment["FLOWPLAYER_SANITIZER"] != nil

        /// libVLC and GStreamer, and all in the long form. With a sanitizer those of this process, see `Scripts/sanitize`.
        static let usable = hasSanitizer ? [allCases[0]] : isLong ? allCases : Array(allCases.prefix(2))

        /// One engine, and all in the long form.
        static let some = isLong ? usable : [allCases[0]]

        /// The documents that the engine plays.
        fileprivate static let plays: [(Engine, AdDocument)] = {
            let short: Set = ["3.0 pod", "3.0 skippable, skipped", "3.0 replacement", "4.1 audio", schedule]
            let documents = AdDocument.all.filter { isLong || short.contains($0.name) }
            let all = usable.flatMap { engine in documents.map { (engine, $0) } }
            if isLong || hasSanitizer { return all }
            return all
                + allCases.dropFirst(2).flatMap { engine in
                    documents.filter { $0.name == schedule }.map { (engine, $0) }
                }
        }()

        fileprivate static let schedule = "VMAP three breaks"

        func makeBackend() -> any PlaybackBackend {
            switch self {
            #if VLC
            case .libVLC: LibVLCBackend(audioOutput: .none)
            #endif
            #if GStreamer
            case .isolatedGStreamer:
                IsolatedBackend(
                    running: "gstreamer", options: ["audio": "none"],
                    capabilities: LibGStreamerBackend.installedCapabilities)
            #endif
            #if VLC
            case .isolatedLibVLC: IsolatedBackend(options: ["audio": "none"])
            #endif
            }
        }
    }

    @Test
    func thereAreThirtyDocuments() {
        #expect(AdDocument.all.count == 30)
        #expect(Set(AdDocument.all.map(\.name)).count == 30)
    }

    @Test(arguments: Engine.plays)
    func eachDocumentPlaysWithItsTrackers(_ engine: Engine, _ document: AdDocument) async throws {
        let server = try await AdServer(document)
        let player = MediaPlayer(backend: engine.makeBackend(), audioSession: AudioSession(focus: AudioFocus()))
        let view = FlowplayerView(
            avPlayer: player, lifecycle: ApplicationLifecycle(), notificationCenter: NotificationCenter())
        let ads = AdPlugin { engine.makeBackend() }
        // A busy machine needs longer than 5 s.
        ads.options.timeout = .seconds(100)
        ads.options.documentTimeout = .seconds(50)
        view.attach(ads)
        let recorder = EventRecorder(player)
        let sink = ColourSink()
        view.videoOutput = .frames(sink)
        let film = server.url("media/film.mp4")
        let schedule: any AdSchedule =
            document.name.hasPrefix("VMAP")
            ? AdScheduleRemote(url: server.url("doc/first"))
            : AdScheduleWaterfall(preAdBreak: AdBreak(adTags: [server.url("doc/first").absoluteString]))
        let skipping = document.skipsAfter.map { seconds in
            view.observe(\.advertisement) { view, ad in
                if ad?.canSkip == true, ad?.position ?? 0 >= seconds { view.skipAd() }
            }
        }
        view.autoPlay = true
        var item = MediaExternal(url: film, adSchedule: schedule)
        item.retryPolicy = .unlimited
        view.load(external: item)
        #expect(await recorder.reaches(.complete))
        skipping?.cancel()

        let states = recorder.events.compactMap { event -> String? in
            switch event {
            case .ad(.state(let state, let type)): "\(state.name) \(type)"
            case .ad(.failed(_, let type, _, let code)): "failed \(type) \(code ?? 0)"
            default: nil
            }
        }
        let usual = ["start", "loaded", "play", "complete", "idle"].map { "\($0) preRoll" }
        #expect(states == document.states ?? usual)
        #expect(recorder.errors == [])
        let trackers = await server.trackers(document.trackers.count)
        #expect(trackers == document.trackers)
        // A paused item may show its frame before and after its breaks. Nothing black is between the players.
        let colours = sink.colours.drop { $0 == "red" }
        if document.name == Engine.schedule { #expect(colours == ["blue", "red", "blue", "red", "blue", "red"]) }
        // The item resumes where it was.
        let positions = recorder.positions
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 })
    }
}

/// An ad server on the loopback interface.
private final class AdServer: Sendable {
    private let server: LoopbackServer
    private let log: RequestLog

    init(_ document: AdDocument) async throws {
        let log = RequestLog()
        self.log = log
        let media = MediaFixtures.shared
        // On a busy machine libVLC leaves frames out, and shows grey in place of those that need them.
        let film = try Data(contentsOf: try await media.solid(colour: "red", duration: 4, hasOnlyKeyFrames: true))
        let ad = try Data(contentsOf: try await media.solid(colour: "blue", duration: 1, hasOnlyKeyFrames: true))
        let long = try Data(contentsOf: try await media.solid(colour: "blue", duration: 30))
        let audio = try Data(contentsOf: try await media.audio("mp3", rate: 44_100))
        let files = ["/media/film.mp4": film, "/media/ad.mp4": ad, "/media/ad.mp3": audio, "/media/long.mp4": long]
        server = try await LoopbackServer { request in
            let base = "http://\(request.headers[.host] ?? "")"
            if let file = files[request.path] { return HTTPResponse(statusCode: .ok, body: file) }
            let texts = document.others.merging(["first": document.text]) { $1 }
            if request.path.hasPrefix("/doc/") {
                guard let text = texts[String(request.path.dropFirst(5))] else {
                    return HTTPResponse(statusCode: .notFound)
                }
                return HTTPResponse(statusCode: .ok, body: Data(text.replacing("{s}", with: base).utf8))
            }
            if request.path.contains("missing") { return HTTPResponse(statusCode: .notFound) }
            log.add(String(request.path.dropFirst()))
            return HTTPResponse(statusCode: .ok)
        }
    }

    func url(_ path: String) -> URL { server.base.appending(path: path) }

    /// Waits for so many trackers, and returns those that were called.
    func trackers(_ count: Int) async -> [String] {
        _ = await eventually { log.paths.count >= count }
        return log.paths
    }
}

/// Keeps the colours of the frames, each run of one colour once.
private final class ColourSink: VideoFrameSink {
    private let found = Mutex<[String]>([])
    var colours: [String] { found.withLock(\.self) }

    func receive(_ frame: VideoFrame) {
        guard let pixel = frame.pixel(x: frame.width / 2, y: frame.height / 2) else { return }
        let colour = pixel.red > 150 ? "red" : pixel.blue > 150 ? "blue" : "\(pixel)"
        found.withLock { if $0.last != colour { $0.append(colour) } }
    }
}
#endif
