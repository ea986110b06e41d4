import Foundation
import Playback

/// Plays a script as an engine plays a file. Pure: time is what it is told.
struct SimulatedEngine {
    private enum Phase {
        case closed
        case opening(until: Duration)
        case standing
        case running(nextTick: Duration)
        case stalled(until: Duration)
    }

    private static let tick = Duration.milliseconds(250)

    private let script: @Sendable (URL) -> SimulatedMedia
    private var media = SimulatedMedia()
    private var url = URL(filePath: "/")
    private var generation = Generation.none
    private var phase = Phase.closed
    private var wantsToPlay = false
    private var rate = 1.0
    private var position = 0.0
    private var positionTime = Duration.zero
    private var pendingSeek: (target: Double, due: Duration)?
    private var comingStalls: [SimulatedMedia.Stall] = []
    private var output: [BackendEvent] = []

    init(script: @escaping @Sendable (URL) -> SimulatedMedia) {
        self.script = script
    }

    /// When something happens by itself next.
    var deadline: Duration? {
        let next: Duration? =
            switch phase {
            case .closed, .standing: nil
            case .opening(let due), .stalled(let due): due
            case .running(let nextTick): min(nextTick, landmark.map { time(of: $0) } ?? nextTick)
            }
        return [next, pendingSeek?.due].compactMap(\.self).min()
    }

    mutating func handle(_ command: BackendCommand, at now: Duration) -> [BackendEvent] {
        output = []
        move(to: now)
        switch command {
        case .open(let request): open(request, at: now)
        case .play(generation):
            wantsToPlay = true
            if case .standing = phase { run(at: now) }
        case .pause(generation):
            wantsToPlay = false
            if case .running = phase {
                phase = .standing
                tell(.paused(position: position), at: now)
            }
        case .seek(generation, let target): seek(to: target, at: now)
        case .close(generation): close(at: now)
        case .setRate(let rate): self.rate = rate
        case .play, .pause, .seek, .close, .setVolume, .setMuted: break
        }
        return output
    }

    /// Lets happen what is due.
    mutating func advance(to now: Duration) -> [BackendEvent] {
        output = []
        while let due = deadline, due <= now { step(at: due) }
        return output
    }

    private mutating func open(_ request: OpenRequest, at now: Duration) {
        close(at: now)
        generation = request.generation
        url = request.url
        media = script(request.url)
        wantsToPlay = request.playsWhenReady
        position = min(request.startPosition, media.duration ?? .infinity)
        positionTime = now
        comingStalls = media.stalls.filter { $0.position >= position }
        phase = .opening(until: now + .seconds(media.loadDelay))
    }

    private mutating func close(at now: Duration) {
        if case .closed = phase { return }
        finish(.closed, at: now)
    }

    private mutating func finish(_ body: BackendEvent.Body, at now: Duration) {
        phase = .closed
        pendingSeek = nil
        tell(body, at: now)
    }

    private mutating func seek(to target: Double, at now: Duration) {
        if case .closed = phase { return }
        guard media.isSeekable else { return tell(.seekFailed(position: position), at: now) }
        pendingSeek = (target, now + .seconds(media.seekDelay))
    }

    private mutating func step(at now: Duration) {
        move(to: now)
        if let seek = pendingSeek, seek.due <= now { return finish(seek, at: now) }
        switch phase {
        case .closed, .standing: break
        case .opening: opened(at: now)
        case .stalled: run(at: now)
        case .running(let nextTick):
            if let landmark, position >= landmark.position - 1e-6 { return reach(landmark, at: now) }
            phase = .running(nextTick: nextTick + Self.tick)
            tell(.time(position: position), at: now)
        }
    }

    private mutating func opened(at now: Duration) {
        if let failure = media.failure, failure.position == nil {
            return finish(.failed(failure.error, position: 0), at: now)
        }
        tell(
            .opened(
                OpenedMedia(
                    duration: media.duration, isSeekable: media.isSeekable, playbackType: media.playbackType,
                    tracks: media.tracks, position: position)), at: now)
        phase = .standing
        if wantsToPlay { run(at: now) }
    }

    private mutating func run(at now: Duration) {
        guard wantsToPlay else {
            phase = .standing
            return
        }
        phase = .running(nextTick: now + Self.tick)
        tell(.playing(position: position), at: now)
    }

    private mutating func finish(_ seek: (target: Double, due: Duration), at now: Duration) {
        pendingSeek = nil
        position = min(seek.target, media.duration ?? .infinity)
        comingStalls = media.stalls.filter { $0.position >= position }
        if case .stalled = phase { run(at: now) }
        tell(.seeked(position: position), at: now)
    }

    // MARK: Places where something happens

    private enum Landmark {
        case stall(SimulatedMedia.Stall)
        case failure(PlaybackError, at: Double)
        case end(Double)

        var position: Double {
            switch self {
            case .stall(let stall): stall.position
            case .failure(_, let position), .end(let position): position
            }
        }
    }

    private var landmark: Landmark? {
        var candidates: [Landmark] = []
        if let failure = media.failure, let position = failure.position {
            candidates.append(.failure(failure.error, at: position))
        }
        if let stall = comingStalls.first { candidates.append(.stall(stall)) }
        if let duration = media.duration { candidates.append(.end(duration)) }
        return candidates.min { $0.position < $1.position }
    }

    private mutating func reach(_ landmark: Landmark, at now: Duration) {
        switch landmark {
        case .stall(let stall):
            comingStalls.removeFirst()
            phase = .stalled(until: now + .seconds(stall.duration))
            tell(.stalled(position: position), at: now)
        case .failure(let error, let position): finish(.failed(error, position: position), at: now)
        case .end(let end): finish(.ended(position: end), at: now)
        }
    }

    private func time(of landmark: Landmark) -> Duration {
        positionTime + .seconds(max(0, landmark.position - position) / rate) + .nanoseconds(1)
    }

    private mutating func move(to now: Duration) {
        if case .running = phase {
            position = min(
                position + (now - positionTime).inSeconds * rate, landmark?.position ?? .infinity)
        }
        positionTime = now
    }

    private mutating func tell(_ body: BackendEvent.Body, at now: Duration) {
        output.append(BackendEvent(body, generation: generation, hostTime: now))
    }
}
