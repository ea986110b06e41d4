#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation

// The benchmark `faults` has links to this file.
#if canImport(BenchmarkSupport)
import BenchmarkSupport
#else
import TestSupport
import VLCBackend
#endif

/// Plays one kind of media over a server with one fault, and keeps the events that a host receives.
struct FaultRun {
    /// A kind of media.
    enum Media: String, CaseIterable, Sendable {
        case mp4, mp3
        case vod = "HLS vod"
        case live = "HLS live"

        var path: String {
            switch self {
            case .mp4: "/clip.mp4"
            case .mp3: "/clip.mp3"
            case .vod: "/vod/clip.m3u8"
            case .live: "/live/clip.m3u8"
            }
        }

        var isHLS: Bool { self == .vod || self == .live }

        /// The plan of the media plus the fault.
        func plan(_ fault: FaultPlan) -> FaultPlan {
            // In HLS every file has its first request: one outage is enough.
            if isHLS, fault.description == "outage=3@1" { return plan(FaultPlan("outage=3@segment3@1")!) }
            guard self == .live else { return fault }
            // A player may join a live stream at any segment, and this one must not fail. So the fault begins with the second round.
            let later = fault.description.replacing("@segment2", with: "@segment2@2-")
            return FaultPlan(steps: [.init(.endlessLive(window: 3))] + FaultPlan(later)!.steps)
        }
    }

    enum Ending: Equatable {
        case complete
        case failed(PlaybackError)
        /// A stream without an end.
        case playsOn
        /// Neither.
        case stuck
    }

    let ending: Ending
    /// `true` if playback stalled.
    let stalls: Bool
    /// The time from the last position, or from `load`, to the error, in seconds. `nil` if the item did not fail.
    let silence: Double?
    /// How many events say that it is over.
    let finalEvents: Int
    /// All events and requests with their times, for the message of a test that fails.
    let log: String

    /// A live stream that plays this far beyond its first position counts as playing on, in seconds. The test cannot use a clock: the main
    /// actor may be late.
    private static let longEnough = 12.0

    @MainActor
    init(
        _ media: Media, _ fault: FaultPlan, _ server: FaultServer, policy: RetryPolicy = .standard,
        backend: any PlaybackBackend = LibVLCBackend(audioOutput: .none)
    ) async throws {
        try await self.init(
            media.path, media.plan(fault), server, isLive: media == .live || fault.isLive, policy: policy,
            backend: backend)
    }

    /// - Parameter path: that of the media on the server.
    @MainActor
    init(
        _ path: String, _ plan: FaultPlan, _ server: FaultServer, isLive: Bool = false, policy: RetryPolicy,
        backend: any PlaybackBackend
    ) async throws {
        let player = MediaPlayer(backend: backend)
        let recorder = EventRecorder(player)
        let watch = ProgressWatch(player)
        var item = PlayerItem(url: server.url(for: path, plan: plan))
        item.retryPolicy = policy
        player.load(item, autoPlay: true)
        let isOver = await recorder.event { event in
            switch event {
            case .state(.complete), .error: true
            case .position: isLive && watch.played > Self.longEnough
            default: false
            }
        }
        // Nothing may follow.
        _ = await recorder.event(within: .milliseconds(500)) { $0.isFinal }
        finalEvents = recorder.events.count { $0.isFinal }
        stalls = recorder.events.contains(.buffer(.empty))
        silence = watch.silence
        if let error = recorder.errors.last {
            ending = .failed(error)
        } else if recorder.states.last == .complete {
            ending = .complete
        } else if isLive, isOver {
            ending = .playsOn
        } else {
            ending = .stuck
        }
        let events = recorder.entries.map { "\($0.time) \($0.event.text)" }
        let requests = server.requests.map { "\($0.time) \($0.path) \($0.bytesSent) bytes, \($0.ending)" }
        log = (events + ["Requests:"] + requests).joined(separator: "\n")
        player.stop()
    }

    /// The message of the error, with `n` for numbers that differ from run to run. `nil` without an error. A timeout may come during a
    /// retry or not, so its message has no retries.
    var message: String? {
        guard case .failed(let error) = ending else { return nil }
        let message = error.message
            .replacing(#/(127\.0\.0\.1|localhost):\d+/#) { $0.1 + ":n" }
            .replacing(#/\d+(\.\d)? s/#, with: "n s")
            .replacing(#/Retried (once|\d+ times)/#, with: "Retried n times")
        return error.code == .timedOut
            ? message.replacing("Retried n times in n s. ", with: "") : message
    }

    /// As the table has it.
    var text: String { endingText + (stalls ? ", `buffer`" : "") }

    /// The ending as the table has it.
    var endingText: String {
        switch ending {
        case .complete: "plays"
        case .playsOn: "continues"
        case .stuck: "stuck"
        case .failed(let error): "`\(error.code.name)`" + (error.httpStatus.map { " \($0)" } ?? "")
        }
    }
}

/// Measures the times from the first position to now, and from the last position to the error.
@MainActor
private final class ProgressWatch {
    /// In seconds; `nil` before a failure.
    private(set) var silence: Double?
    /// The distance from the first position, in seconds.
    var played: Double { furthest - (first ?? furthest) }
    private var first: Double?
    private var furthest = 0.0
    private var lastStep = ContinuousClock.now
    private var token: ObservationToken?

    init(_ player: MediaPlayer) {
        token = player.observe { [weak self] event, snapshot in self?.take(event, snapshot) }
    }

    private func take(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        // A failure and a stall also report a position, which is no progress.
        case .position(let position) where snapshot.phase == .ready && position > furthest:
            (first, furthest, lastStep) = (first ?? position, position, .now)
        case .error: silence = silence ?? (ContinuousClock.now - lastStep) / .seconds(1)
        default: break
        }
    }
}

extension PlayerEvent {
    fileprivate var isFinal: Bool {
        switch self {
        case .state(.complete), .error: true
        default: false
        }
    }
}

extension FaultPlan {
    /// `true` if the plan makes a stream live and endless.
    fileprivate var isLive: Bool { description.hasPrefix("live-") }
}
#endif
