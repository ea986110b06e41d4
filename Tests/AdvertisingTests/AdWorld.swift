import FlowplayerSDK
import FlowplayerTesting
import Foundation
import MediaTransport
import Playback
import Synchronization

@testable import Advertising

/// A view, a plugin and an ad server, by a manual clock.
@MainActor
final class ServedAdWorld<Server: TestAdServer> {
    let clock: ManualClock
    let server: Server
    let view: FlowplayerView
    let player: MediaPlayer
    let ads: AdPlugin
    /// Detaches the plugin.
    let attachment: ObservationToken
    let recorder: EventRecorder
    let delegate = AdLog()
    private(set) var lifecycle = ApplicationLifecycle()
    /// The engine of the advertisements.
    var adBackend: SimulatedBackend? { backends.all.first as? SimulatedBackend }
    private let backends = Backends()

    @MainActor
    private final class Backends {
        var all: [any PlaybackBackend] = []
    }

    /// - Parameters:
    ///   - content: the item.
    ///   - reopened: the item when it is opened again; `nil` for the same.
    ///   - wrap: returns the engine of the item, from a simulated one.
    ///   - makeBackend: returns the engine of the advertisements.
    init(
        server: Server, clock: ManualClock, content: SimulatedMedia = SimulatedMedia(duration: 60),
        reopened: SimulatedMedia? = nil, options: AdOptions = AdOptions(), schedule: (any AdSchedule)? = nil,
        wrap: (SimulatedBackend) -> any PlaybackBackend = { $0 },
        makeBackend: @escaping @MainActor () -> any PlaybackBackend
    ) {
        (self.clock, self.server) = (clock, server)
        let backends = backends
        player = MediaPlayer(
            backend: wrap(SimulatedBackend(clock: clock, openings: [content, reopened ?? content])), clock: clock,
            audioSession: AudioSession(focus: AudioFocus()))
        view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: NotificationCenter())
        recorder = EventRecorder(player)
        ads = AdPlugin(schedule: schedule, options: options, clock: clock, send: server.answer) {
            backends.all.append(makeBackend())
            return backends.all[backends.all.count - 1]
        }
        attachment = view.attach(ads)
        view.adDelegate = delegate
        view.videoOutput = .frames(IgnoringSink())
        view.autoPlay = true
    }

    func load(_ media: MediaExternal) async {
        view.load(external: media)
        await untilLoaded()
    }

    /// Moves the time in steps. After each, the documents that the server has sent are loaded.
    func run(_ seconds: Double) async {
        for _ in 0..<Int((seconds * 10).rounded()) {
            await clock.advance(by: .milliseconds(100))
            await untilLoaded()
        }
    }

    /// Moves the time until a condition is true.
    @discardableResult
    func run(atMost seconds: Double = 100, until condition: () -> Bool) async -> Bool {
        for _ in 0..<Int(seconds * 10) where !condition() { await run(0.1) }
        return condition()
    }

    /// Waits for the documents that the server does not hold back.
    private func untilLoaded() async {
        while ads.requests.count > server.asleep { await Task.yield() }
        await clock.settle()
    }

    /// The advertisements' events and the playback states, in order.
    var story: [String] {
        recorder.events.compactMap { event in
            switch event {
            case .ad, .playbackState: event.text
            default: nil
            }
        }
    }

    /// The errors of breaks, in order.
    var errors: [(type: AdType, code: Int?)] {
        recorder.events.compactMap { event in
            guard case .ad(.failed(_, let type, _, let code)) = event else { return nil }
            return (type, code)
        }
    }

    var position: Double { player.snapshot.position }
}

/// The world with simulated engines and a simulated server.
typealias AdWorld = ServedAdWorld<SimulatedAdServer>

extension AdWorld {
    nonisolated static let film = URL(string: "http://film.test/film.mp4")!
    nonisolated static let schedule = URL(string: "http://ads.test/schedule")!

    /// - Parameters:
    ///   - documents: the answers of the ad server, by their addresses.
    ///   - content: the item.
    ///   - media: the media files of the advertisements, by the last component of their addresses; two seconds by default.
    convenience init(
        _ documents: [String: String] = [:], content: SimulatedMedia = SimulatedMedia(duration: 60),
        reopened: SimulatedMedia? = nil, media: [String: SimulatedMedia] = [:], options: AdOptions = AdOptions(),
        schedule: (any AdSchedule)? = nil, wrap: (SimulatedBackend) -> any PlaybackBackend = { $0 }
    ) {
        let clock = ManualClock()
        self.init(
            server: SimulatedAdServer(documents, clock: clock), clock: clock, content: content, reopened: reopened,
            options: options, schedule: schedule, wrap: wrap
        ) {
            SimulatedBackend(clock: clock) { media[$0.lastPathComponent] ?? SimulatedMedia(duration: 2) }
        }
    }

    func load(_ schedule: (any AdSchedule)? = AdScheduleRemote(url: AdWorld.schedule)) async {
        await load(MediaExternal(url: Self.film, adSchedule: schedule))
    }

    /// Waits for the trackers until a path was called, and returns the paths.
    func trackers(through path: String) async -> [String] {
        while !server.trackers.contains(path) { await Task.yield() }
        return server.trackers
    }
}

/// An ad server of a test.
protocol TestAdServer: Sendable {
    func answer(_ request: HTTPFetch.Request) async throws(HTTPFetch.Failure) -> HTTPFetch.Answer
    /// The requests that are held back now.
    var asleep: Int { get }
}

/// An ad server without a network.
final class SimulatedAdServer: TestAdServer {
    private struct State {
        var documents: [String: String]
        /// The answer for all addresses without a document.
        var answer: String?
        var delays: [String: Duration] = [:]
        var statuses: [String: Int] = [:]
        var requests: [String] = []
        var trackers: [String] = []
        /// The requests that are held back, with the time at which each is answered or given up.
        var asleep: [Duration] = []
    }

    private let state: Mutex<State>
    private let clock: ManualClock

    init(_ documents: [String: String], clock: ManualClock) {
        self.clock = clock
        state = Mutex(State(documents: documents))
    }

    var asleep: Int {
        let now = clock.hostTime
        return state.withLock { $0.asleep.count { $0 > now } }
    }
    /// The paths of the trackers, in the order of their requests, without the address of the server.
    var trackers: [String] { state.withLock(\.trackers) }
    /// The addresses of the documents, in order.
    var requests: [String] { state.withLock(\.requests) }

    /// Answers each address that has no document.
    func answerAll(with text: String) { state.withLock { $0.answer = text } }
    /// Replaces a document.
    func set(_ document: String, at address: String) { state.withLock { $0.documents[address] = document } }
    /// Answers an address later.
    func delay(_ address: String, by seconds: Double) { state.withLock { $0.delays[address] = .seconds(seconds) } }
    /// Answers an address with an error.
    func fail(_ address: String, with status: Int) { state.withLock { $0.statuses[address] = status } }

    func answer(_ request: HTTPFetch.Request) async throws(HTTPFetch.Failure) -> HTTPFetch.Answer {
        let address = request.url.absoluteString
        let (text, delay, status) = state.withLock { state in
            let isKnown = [
                state.delays[address] != nil, state.statuses[address] != nil, state.documents[address] != nil,
                state.answer != nil,
            ]
            if isKnown.contains(true) {
                state.requests.append(address)
            } else {
                state.trackers.append(request.url.path() + (request.url.query().map { "?" + $0 } ?? ""))
            }
            if let delay = state.delays[address] {
                state.asleep.append(clock.hostTime + min(delay, request.timeout))
            }
            let text = state.documents[address] ?? state.answer ?? ""
            return (text, state.delays[address], state.statuses[address] ?? 200)
        }
        if let delay { try? await clock.sleep(for: delay) }
        return HTTPFetch.Answer(status: status, body: Data(text.utf8), url: request.url)
    }
}

/// Keeps the calls of an ad delegate.
@MainActor
final class AdLog: FlowplayerAdDelegate {
    private(set) var lines: [String] = []
    private(set) var pages: [URL] = []
    /// Called after each line.
    var react: @MainActor (String) -> Void = { _ in }

    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {
        lines.append("\(state.name) \(adType)")
        react(lines[lines.count - 1])
    }

    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {
        lines.append("failed \(type) \(error) \(metadata?.adId ?? "-")")
        react(lines[lines.count - 1])
    }

    func player(_ player: any FlowplayerAPI, didRequestPage url: URL) { pages.append(url) }
}

final class IgnoringSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}
