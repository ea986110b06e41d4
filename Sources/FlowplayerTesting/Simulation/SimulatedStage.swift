import Foundation
import Playback

/// The item that plays, and the prepared one. Pure: the time is a parameter.
struct SimulatedStage {
    private let script: @Sendable (URL) -> SimulatedMedia
    private var current: SimulatedEngine
    private var next: SimulatedEngine?
    /// `true` during an interruption, whichever item plays.
    private var isInterrupted = false

    init(script: @escaping @Sendable (URL) -> SimulatedMedia) {
        self.script = script
        current = SimulatedEngine(script: script)
    }

    /// The time of the next scheduled event.
    var deadline: Duration? { [current.deadline, next?.deadline].compactMap(\.self).min() }

    mutating func handle(_ command: BackendCommand, at now: Duration) -> [BackendEvent] {
        switch command {
        case .open(let request) where request.generation == next?.generation:
            var begun = next!
            next = nil
            let closing = current.handle(.close(current.generation), at: now)
            if isInterrupted { _ = begun.beginInterruption(at: now) }
            let beginning = begun.begin(request, at: now)
            current = begun
            return closing + beginning
        case .open:
            let opening = closeNext(at: now) + current.handle(command, at: now)
            return opening + (isInterrupted ? current.beginInterruption(at: now) : [])
        case .prepare(let request, _):
            let closing = closeNext(at: now)
            var prepared = SimulatedEngine(script: script)
            let preparing = prepared.prepare(request, rate: current.rate, at: now)
            next = prepared
            return closing + preparing
        case .close(let generation) where generation == next?.generation: return closeNext(at: now)
        case .readdress(let generation, _) where generation == next?.generation:
            return next?.handle(command, at: now) ?? []
        case .setRate: return current.handle(command, at: now) + (next?.handle(command, at: now) ?? [])
        default: return current.handle(command, at: now)
        }
    }

    mutating func beginInterruption(at now: Duration) -> [BackendEvent] {
        isInterrupted = true
        return current.beginInterruption(at: now)
    }

    mutating func endInterruption(shouldResume: Bool, at now: Duration) -> [BackendEvent] {
        isInterrupted = false
        return current.endInterruption(shouldResume: shouldResume, at: now)
    }

    mutating func changeRoute(_ change: AudioRouteChange, at now: Duration) -> [BackendEvent] {
        current.changeRoute(change, at: now)
    }

    /// Lets happen what is due.
    mutating func advance(to now: Duration) -> [BackendEvent] {
        current.advance(to: now) + (next?.advance(to: now) ?? [])
    }

    private mutating func closeNext(at now: Duration) -> [BackendEvent] {
        guard var closing = next else { return [] }
        next = nil
        return closing.handle(.close(closing.generation), at: now)
    }
}
