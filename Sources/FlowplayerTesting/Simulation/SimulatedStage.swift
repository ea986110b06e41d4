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
        case .open(let request):
            guard let begun = next, begun.generation == request.generation else {
                let opening = closeNext(at: now) + current.handle(command, at: now)
                return isInterrupted ? opening + current.perform(at: now) { $0.beginInterruption() } : opening
            }
            let closing = current.handle(.close(current.generation), at: now)
            (current, next) = (begun, nil)
            if isInterrupted { _ = current.perform(at: now) { $0.beginInterruption() } }
            return closing + current.perform(at: now) { $0.begin(request) }
        case .prepare(let request, _):
            let closing = closeNext(at: now)
            var prepared = SimulatedEngine(script: script)
            let rate = current.rate
            let preparing = prepared.perform(at: now) { $0.prepare(request, rate: rate) }
            next = prepared
            return closing + preparing
        case .close(let generation) where generation == next?.generation: return closeNext(at: now)
        case .readdress, .setRate: return current.handle(command, at: now) + (next?.handle(command, at: now) ?? [])
        default: return current.handle(command, at: now)
        }
    }

    /// Changes the environment of the item that plays.
    ///
    /// - Parameter isInterrupted: `true` if items that are opened later are interrupted too; `nil` for no change.
    mutating func perform(
        at now: Duration, isInterrupted: Bool? = nil, _ change: (inout SimulatedEngine) -> Void
    ) -> [BackendEvent] {
        self.isInterrupted = isInterrupted ?? self.isInterrupted
        return current.perform(at: now, change)
    }

    /// Performs everything that is due.
    mutating func advance(to now: Duration) -> [BackendEvent] {
        current.advance(to: now) + (next?.advance(to: now) ?? [])
    }

    private mutating func closeNext(at now: Duration) -> [BackendEvent] {
        defer { next = nil }
        return next?.perform(at: now) { $0.close() } ?? []
    }
}
