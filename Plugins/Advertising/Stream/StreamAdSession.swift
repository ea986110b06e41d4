import Foundation
import Playback

/// Follows the breaks that a server has inserted into the stream of one item.
@MainActor
final class StreamAdSession {
    private let player: MediaPlayer
    private let clock: any PlaybackClock
    private let isSession: Bool
    private var machine = StreamAdMachine()
    private var timer: ObservationToken?
    private var isOver = false

    /// - Parameters:
    ///   - player: the player of the item, which has loaded it.
    ///   - isSession: `true` if the server has started a session for the item.
    init(player: MediaPlayer, clock: any PlaybackClock, isSession: Bool) {
        (self.player, self.clock, self.isSession) = (player, clock, isSession)
        player.adjustSeek = { [weak self] in self?.target(of: $0) ?? $0 }
        markersChanged()
    }

    /// Ends everything, because the item is replaced.
    func end() {
        isOver = true
        player.adjustSeek = nil
        timer = nil
        for effect in machine.handle(.closed) { perform(effect) }
    }

    func handle(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        case .duration, .playbackType: markersChanged()
        case .position, .seek(.seeked, _), .state(.play): positionChanged(snapshot)
        case .state(.ready): if isSession { handle(.loaded) }
        case .state(.complete): handle(.ended)
        case .state(.failure): handle(.failed)
        default: break
        }
        updateTimer()
    }

    private func positionChanged(_ snapshot: PlayerSnapshot) {
        // An observer before the plugin may have requested a seek.
        let isCurrent = snapshot.generation == player.snapshot.generation && player.snapshot.seek.state != .seeking
        guard isCurrent, snapshot.isOpen else { return }
        handle(.position(snapshot.position, isPlaying: snapshot.isPlaying))
    }

    /// The marks of the stream may have changed.
    func markersChanged() {
        let snapshot = player.snapshot
        let breaks = StreamBreak.breaks(snapshot.markers)
        handle(.breaks(breaks, duration: snapshot.duration, isLive: snapshot.playbackType == .live))
    }

    /// The user, or the environment, has paused or resumed.
    func intentChanged() {
        handle(.wanted(player.snapshot.isPlaybackWanted))
        updateTimer()
    }

    private func target(of requested: Double) -> Double {
        machine.target(of: requested, from: player.position.seconds)
    }

    private func handle(_ input: StreamAdMachine.Input) {
        guard !isOver else { return }
        // The host may load another item in a callback.
        for effect in machine.handle(input) where !isOver { perform(effect) }
        if !isOver { showBreaks() }
    }

    private func perform(_ effect: StreamAdMachine.Effect) {
        switch effect {
        case .report(let state): player.report(.streamState(state))
        case .show(let advertisement): player.advertisement = advertisement
        case .seek(let position): player.seek(to: position)
        }
    }

    private func showBreaks() {
        let breaks = machine.unseen.map { $0.start...($0.end ?? $0.start) }
        if player.adBreaks != breaks.filter({ $0.lowerBound >= 0 }) { player.adBreaks = breaks }
    }

    /// The item sends its position only some times a second, but the content after a break may begin with another one.
    private func updateTimer() {
        timer = nil
        let snapshot = player.snapshot
        guard !isOver, let edge = machine.nextEdge, snapshot.isPlaying, snapshot.seek.state != .seeking else { return }
        let rest = (edge - player.position.seconds) / snapshot.rate
        timer = clock.schedule(at: clock.hostTime + .seconds(max(rest, Self.shortestWait))) { [weak self] in
            self?.reachEdge()
        }
    }

    private func reachEdge() {
        timer = nil
        if player.snapshot.isPlaying { handle(.position(player.position.seconds, isPlaying: true)) }
        updateTimer()
    }

    private static let shortestWait = 0.02
}
