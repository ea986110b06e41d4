#if !canImport(AVFoundation)
import Dispatch
import Foundation
import Playback

extension MediaPlayer {
    /// Calls a block at each multiple of an interval of the item, when the time jumps, and when playback starts or stops.
    ///
    /// - Parameters:
    ///   - interval: the interval in the time of the item, at least 0.01 s. With a time that is no interval, the block is
    ///     called only for jumps, starts and stops.
    ///   - queue: the queue on which the block is called. `nil` and `.main`: on the main actor, without waiting.
    ///   - block: called with the current time.
    /// - Returns: the observer for `removeTimeObserver`. The player keeps it.
    @preconcurrency @discardableResult
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        let interval = interval > .zero ? max(interval.seconds, 0.01) : .infinity
        return TimeObserver(of: self, isPeriodic: true, queue: queue, block) { position in
            (((position + TimeObserver.precision) / interval).rounded(.down) + 1) * interval
        }
    }

    /// Calls a block when playback passes one of several times of the item. Jumps do not call it.
    ///
    /// - Parameters:
    ///   - times: the times, as `NSValue(time:)`.
    ///   - queue: the queue on which the block is called. `nil` and `.main`: on the main actor, without waiting.
    ///   - block: called once for each passed time.
    /// - Returns: the observer for `removeTimeObserver`. The player keeps it.
    @preconcurrency @discardableResult
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        let times = times.map(\.timeValue.seconds).filter(\.isFinite).sorted()
        return TimeObserver(of: self, isPeriodic: false, queue: queue) { _ in
            block()
        } next: { position in
            times.first { $0 > position + TimeObserver.precision }
        }
    }

    /// Removes an observer of `addPeriodicTimeObserver` or `addBoundaryTimeObserver`. Its block is not called any more.
    public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserver)?.cancel() }
}

/// Calls a block when playback passes certain times. It has no timer while playback is paused.
@MainActor
private final class TimeObserver {
    /// The precision of positions, in seconds.
    nonisolated static let precision = 1e-6

    private weak var player: MediaPlayer?
    /// `true` if jumps, starts and stops call the block too.
    private let isPeriodic: Bool
    private let queue: DispatchQueue?
    private let block: @Sendable (CMTime) -> Void
    /// Returns the first time after a position at which the block is called.
    private let next: (Double) -> Double?
    /// The position up to which the times have been passed.
    private var position: Double
    private var isPlaying: Bool
    private var observation: ObservationToken?
    private var timer: ObservationToken?

    init(
        of player: MediaPlayer, isPeriodic: Bool, queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void,
        next: @escaping (Double) -> Double?
    ) {
        self.player = player
        self.isPeriodic = isPeriodic
        // On Linux, `DispatchQueue.main` is another object each time.
        self.queue = queue?.label == DispatchQueue.main.label ? nil : queue
        self.block = block
        self.next = next
        position = player.position.seconds
        isPlaying = player.snapshot.isPlaying
        // The player keeps the observer until it is cancelled.
        observation = player.observe { self.receive($0, $1) }
        setTimer(player.snapshot.playhead)
    }

    func cancel() {
        observation?.cancel()
        timer?.cancel()
        (observation, timer, player) = (nil, nil, nil)
    }

    private func receive(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        guard let player else { return }
        let reached = snapshot.playhead.position(at: player.clock.hostTime)
        var isDue = false
        switch event {
        case .media, .seek, .state(.load):
            isDue = isPeriodic && reached != position
            position = reached
        default: isDue = passes(reached)
        }
        if isPeriodic, snapshot.isPlaying != isPlaying { isDue = true }
        isPlaying = snapshot.isPlaying
        if isDue { call(at: reached) }
        setTimer(snapshot.playhead)
    }

    /// - Returns: `true` if playback has passed one of the times.
    private func passes(_ reached: Double) -> Bool {
        guard let time = next(position), reached >= time - Self.precision else { return false }
        position = max(reached, time)
        return true
    }

    private func setTimer(_ playhead: Playhead) {
        timer?.cancel()
        timer = nil
        guard let clock = player?.clock, playhead.isAdvancing, let time = next(position), time.isFinite else { return }
        let deadline = playhead.hostTime(of: time)
        // If the time should have come already, the engine is silent. Its next event sets the timer.
        guard deadline > clock.hostTime else { return }
        timer = clock.schedule(at: deadline) { [weak self] in self?.timeHasCome() }
    }

    private func timeHasCome() {
        guard let player else { return }
        let playhead = player.snapshot.playhead
        let reached = playhead.position(at: player.clock.hostTime)
        if passes(reached) { call(at: reached) }
        setTimer(playhead)
    }

    private func call(at position: Double) {
        let time = CMTime(seconds: position)
        guard let queue else { return block(time) }
        queue.async { [block] in block(time) }
    }
}
#endif
