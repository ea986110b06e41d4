#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport

/// One medium over a server with one fault, and what a host is told.
struct FaultRun {
    /// A medium that faults are tried on.
    enum Medium: String, CaseIterable, Sendable {
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

        /// With the fault on top of what the medium is anyway.
        func plan(_ fault: FaultPlan) -> FaultPlan {
            // In HLS every file has its first request: one outage is enough.
            if isHLS, fault.description == "outage=3@1" { return plan(FaultPlan("outage=3@segment3@1")!) }
            guard self == .live else { return fault }
            return FaultPlan(steps: [.init(.endlessLive(window: 3))] + fault.steps)
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
    /// Whether `buffer` was told as empty while it played.
    let stalls: Bool
    /// In seconds, from when playback last came further, or from `load`, to the error; `nil` if it did not fail.
    let silence: Double?
    /// How many events say that it is over.
    let finalEvents: Int

    /// In seconds: a live stream that has gone on for so long plays on.
    private static let longEnough = 12.0
    private static let longest = Duration.seconds(60)

    @MainActor
    init(_ medium: Medium, _ fault: FaultPlan, _ server: FaultServer) async throws {
        let player = MediaPlayer(backend: VLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        let started = ContinuousClock.now
        let watch = ProgressWatch(player)
        let isLive = medium == .live || fault.isLive
        player.load(server.url(for: medium.path, plan: medium.plan(fault)), autoPlay: true)
        let isOver = await recorder.event(within: Self.longest) { event in
            switch event {
            case .state(.complete), .error: true
            case .position: isLive && ContinuousClock.now - started > .seconds(Self.longEnough)
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
        player.stop()
    }

    /// What a person is told, with `n` for numbers that differ from run to run; `nil` if it did not fail. Whether something was being
    /// tried again when the time ran out differs too.
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
    var text: String {
        let ending =
            switch ending {
            case .complete: "plays"
            case .playsOn: "continues"
            case .stuck: "stuck"
            case .failed(let error):
                "`\(error.code.name)`" + (error.httpStatus.map { " \($0)" } ?? "")
            }
        return ending + (stalls ? ", `buffer`" : "")
    }
}

/// How long a person has seen nothing move when a failure is told.
@MainActor
private final class ProgressWatch {
    /// In seconds; `nil` before a failure.
    private(set) var silence: Double?
    private var furthest = 0.0
    private var lastStep = ContinuousClock.now
    private var token: ObservationToken?

    init(_ player: MediaPlayer) {
        token = player.observe { [weak self] event, snapshot in self?.take(event, snapshot) }
    }

    private func take(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        // A failure tells its position as well, and so does a stall: neither has come further with it.
        case .position(let position) where snapshot.phase == .ready && position > furthest:
            (furthest, lastStep) = (position, .now)
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
    /// Whether it makes a stream live, and without an end.
    fileprivate var isLive: Bool { description.hasPrefix("live-") }
}
#endif
