import Foundation
import Playback

/// Follows the breaks that a server has inserted into the stream of one item.
@MainActor
final class StreamAdSession {
    private let player: MediaPlayer
    private let clock: any PlaybackClock
    private let isSession: Bool
    private let tracking: SessionTracking?
    private var machine = StreamAdMachine()
    private let effects = EffectQueue<StreamAdMachine.Effect>()
    /// The position to which playback has come; `nil` before the item plays.
    private var position: Double?
    private var timer: ObservationToken?
    private var isOver = false

    /// - Parameters:
    ///   - player: the player of the item, which has loaded it.
    ///   - isSession: `true` if the server has started a session for the item.
    ///   - tracking: the trackers of the session; `nil` if the server has none.
    init(player: MediaPlayer, clock: any PlaybackClock, isSession: Bool, tracking: SessionTracking?) {
        (self.player, self.clock, self.isSession, self.tracking) = (player, clock, isSession, tracking)
        player.adjustSeek = { [weak self] in self?.target(of: $0) ?? $0 }
        tracking?.onChange = { [weak self] in self?.markersChanged() }
        markersChanged()
    }

    /// Ends everything, because the item is replaced.
    func end() {
        isOver = true
        player.adjustSeek = nil
        timer = nil
        for effect in machine.handle(.closed) { perform(effect) }
        tracking?.end()
        player.adBreaks = []
    }

    func handle(_ event: PlayerEvent, _ snapshot: PlayerSnapshot) {
        switch event {
        case .duration, .playbackType: markersChanged()
        case .position, .seek(.seeked, _), .state(.play): positionChanged(snapshot)
        case .state(.ready):
            if isSession { handle(.loaded) }
            tracking?.load()
        case .seek(.seeking, let target):
            position = target
            tracking?.seek(to: target)
        case .seek(.failed, _): handle(.seekFailed)
        case .mute(let isMuted): tracking?.handle(.muted(isMuted))
        case .state(.complete):
            advance(to: snapshot.duration ?? snapshot.position)
            handle(.ended)
        case .state(.failure): handle(.failed)
        default: break
        }
        updateTimer()
    }

    private func positionChanged(_ snapshot: PlayerSnapshot) {
        // An observer before the plugin may have requested a seek.
        let isCurrent = snapshot.generation == player.snapshot.generation && player.snapshot.seek.state != .seeking
        guard isCurrent, snapshot.isOpen else { return }
        if snapshot.isPlaying {
            advance(to: snapshot.position)
        } else {
            handle(.position(snapshot.position, isPlaying: false))
        }
    }

    /// Playback has come to a position. Advertisements may have started and ended on the way.
    private func advance(to position: Double) {
        let start = self.position ?? position
        self.position = position
        for step in machine.edges(from: start, to: position) + [position] {
            // The host may seek or load another item in a callback.
            guard !isOver, player.snapshot.seek.state != .seeking else { return }
            tracking?.move(to: step)
            handle(.position(step, isPlaying: true))
        }
    }

    /// The marks of the stream may have changed.
    func markersChanged() {
        let snapshot = player.snapshot
        let named = tracking?.breaks.map(\.marked) ?? []
        let breaks = StreamBreak.breaks(snapshot.markers, replacedBy: named)
        handle(.breaks(breaks, duration: snapshot.duration, isLive: snapshot.playbackType == .live))
        // The item may start with a break.
        if snapshot.state == .ready { handle(.position(snapshot.position, isPlaying: false)) }
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
        let isLast = effects.perform(machine.handle(input)) { if !isOver { perform($0) } }
        if isLast, !isOver { showBreaks() }
    }

    private func perform(_ effect: StreamAdMachine.Effect) {
        switch effect {
        case .report(let state):
            tracking?.follow(state, adBreak: machine.currentBreak?.start, ad: machine.currentStart)
            player.report(.streamState(state))
        case .show(let advertisement): show(advertisement)
        case .seek(let position): player.seek(to: position)
        }
    }

    private func show(_ advertisement: Advertisement?) {
        var advertisement = advertisement
        if let tracking, let start = machine.currentStart {
            tracking.describe(&advertisement, startingAt: start)
            if !machine.canSkip { advertisement?.skipPosition = nil }
        }
        player.advertisement = advertisement
    }

    // MARK: The trackers

    /// The documents that are being loaded.
    var requests: [Task<Void, Never>] { tracking?.request.map { [$0] } ?? [] }

    /// The advertisement that plays, if the session names it.
    var trackedAd: TrackedAd? { tracking?.tracked }

    /// Something changed that only trackers follow.
    func track(_ event: AdTracker.Event) { tracking?.handle(event) }

    /// The video is shown or hidden.
    func visibilityChanged() { track(.visible(player.isVideoVisible)) }

    // MARK: The viewer

    /// Skips the advertisement that plays, if the viewer may do so now.
    func skip() {
        if player.advertisement?.canSkip == true { handle(.skipped) }
    }

    func click() {
        guard !isOver, let tracking, let ad = tracking.tracked, ad.canClick else { return }
        let page = ad.clickThrough
        tracking.handle(.clicked)
        tracking.context.reportClick(.streamState(.adClicked), page)
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
        if player.snapshot.isPlaying { advance(to: player.position.seconds) }
        updateTimer()
    }

    private static let shortestWait = 0.02
}
