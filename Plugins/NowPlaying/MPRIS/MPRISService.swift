#if Systemd
import DBus
import Foundation
import Playback

/// The MPRIS 2 service on the session bus, until `close()`. Shows the state of the center.
///
/// MPRIS clients extrapolate the position from the last `Seeked` signal, the rate and the status. The service does the
/// same calculation, and sends `Seeked` when its result is wrong.
@MainActor
final class MPRISService {
    /// The state at the last signal.
    private struct Shown {
        var track: String?
        var state = NowPlayingPlaybackState.stopped
        var isWaiting = false
    }

    private unowned let center: NowPlayingCenter
    private let trackList: MPRISTrackList
    private var bus: DBusService?

    private var isRefreshPending = false
    private var isMissing = false
    /// `true` if the player has finished a seek since the last signal.
    private var hasSeeked = false
    private var shown = Shown()
    private var position = ExtrapolatedPosition()

    /// A smaller difference is not worth a signal, in seconds.
    private static let tolerance = 1.0
    /// The tolerance when a wait for data ends. Clients have extrapolated during the wait.
    private static let toleranceAfterWaiting = 0.2

    init(center: NowPlayingCenter) {
        self.center = center
        trackList = MPRISTrackList(center: center)
        guard let address = DBusAddress.session(in: center.environment) else {
            center.report("Remote control is not available, because the session bus has no address.")
            return
        }
        let interfaces = [
            MPRISRoot(center: center).interface, MPRISPlayer(center: center).interface, trackList.interface,
        ]
        bus = DBusService(
            address: address, names: Self.names(center.identity.name),
            object: DBusObject("/org/mpris/MediaPlayer2", interfaces)
        ) { [weak self] in self?.receive($0) }
        _ = trackList.takeChange()
    }

    func close() {
        bus?.close()
        bus = nil
    }

    /// The first name is for the first program of that name. The others are different for each process.
    private static func names(_ name: String) -> [String] {
        // A name has 255 characters at most.
        let base = "org.mpris.MediaPlayer2." + DBusAddress.nameElement(from: String(name.prefix(180)))
        let instance = "\(base).instance\(ProcessInfo.processInfo.processIdentifier)"
        return [base, instance] + (2...99).map { "\(instance)_\($0)" }
    }

    private func receive(_ event: DBusService.Event) {
        switch event {
        case .joined(let name):
            center.busName = name
            if isMissing { center.report("The session bus is available: remote control by \(name).") }
            isMissing = false
        case .missing(let error):
            center.busName = nil
            isMissing = true
            center.report("Remote control waits until the session bus is available: \(error).")
        case .refused(let error):
            center.report("Remote control is not available, because the session bus refuses it: \(error).")
        }
    }

    // MARK: Changes

    /// Sends the changes, all changes of one main actor job together.
    func refresh(hasSeeked: Bool) {
        if hasSeeked { self.hasSeeked = true }
        guard !isRefreshPending, bus != nil else { return }
        isRefreshPending = true
        Task { [weak self] in
            self?.isRefreshPending = false
            self?.sendChanges()
        }
    }

    private func sendChanges() {
        guard let bus else { return }
        bus.emitChanges()
        if let list = trackList.takeChange() { bus.emit(MPRISTrackList.name, "TrackListReplaced", list) }

        let now = center.hostTime
        let before = shown
        shown = Shown(
            track: center.info.contentIdentifier, state: center.playbackState, isWaiting: center.isWaiting)
        // Clients start a new track at 0.
        let isNew = shown.track != before.track
        if isNew || shown.state == .playing && before.state == .stopped { position.set(0, at: now) }
        position.setRate(shown.state == .playing ? center.rate : 0, at: now)

        let isSought = hasSeeked && !isNew || center.takePositionIsNew()
        hasSeeked = false
        if isSought {
            sendPosition()
        } else {
            let hasWaited = before.isWaiting && !shown.isWaiting
            comparePosition(tolerance: hasWaited ? Self.toleranceAfterWaiting : Self.tolerance)
        }
    }

    /// Sends the position if the playhead is not where clients expect it.
    func refreshPosition() {
        if !isRefreshPending { comparePosition(tolerance: Self.tolerance) }
    }

    private func comparePosition(tolerance: Double) {
        guard shown.state != .stopped, !center.isWaiting else { return }
        let difference = center.position - position.value(at: center.hostTime)
        if abs(difference) > tolerance { sendPosition() }
    }

    private func sendPosition() {
        guard let bus else { return }
        position.set(center.position, at: center.hostTime)
        bus.emit(MPRISPlayer.name, "Seeked", [.microseconds(center.position)])
    }
}

/// The position that a client extrapolates from the signals so far, in seconds.
private struct ExtrapolatedPosition {
    private var anchor = 0.0
    private var time = Duration.zero
    private var rate = 0.0

    func value(at time: Duration) -> Double { anchor + (time - self.time).inSeconds * rate }

    mutating func setRate(_ rate: Double, at time: Duration) {
        anchor = value(at: time)
        (self.time, self.rate) = (time, rate)
    }

    mutating func set(_ position: Double, at time: Duration) {
        (anchor, self.time) = (position, time)
    }
}
#endif
