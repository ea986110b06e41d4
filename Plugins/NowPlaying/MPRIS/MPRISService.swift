#if Systemd
import DBus
import Foundation
import Playback

/// What the centre has to show, as MPRIS 2 has it, on the bus of the session.
@MainActor
final class MPRISService {
    private weak var center: NowPlayingCenter?
    private let trackList: MPRISTrackList
    private var bus: DBusService?

    private var isRefreshing = false
    private var isMissing = false
    /// Whether somebody has sought since signals were sent last.
    private var hasJumped = false
    /// What was the case then.
    private var shown = Shown()
    private var shownPosition = ShownPosition()

    private struct Shown {
        var track: String?
        var state = NowPlayingPlaybackState.stopped
        var isWaiting = false
    }

    init(center: NowPlayingCenter) {
        self.center = center
        trackList = MPRISTrackList(center: center)
        guard let address = DBusAddress.session(in: center.environment) else {
            center.report("There is no remote control: nothing says where the session's bus is.")
            return
        }
        let interfaces = [
            MPRISRoot(center: center).interface, MPRISPlayer(center: center).interface, trackList.interface,
        ]
        bus = DBusService(
            address: address, names: Self.names(center.identity.name),
            object: DBusObject("/org/mpris/MediaPlayer2", interfaces), owner: center
        ) { [weak self] in self?.heard($0) }
        _ = trackList.takeChange()
    }

    func end() {
        bus?.end()
        bus = nil
    }

    /// The first one is for the first program of this name; the others tell one process from another.
    private static func names(_ name: String) -> [String] {
        // A name has 255 characters at most.
        let base = "org.mpris.MediaPlayer2." + DBusNames.element(from: String(name.prefix(180)))
        let instance = "\(base).instance\(ProcessInfo.processInfo.processIdentifier)"
        return [base, instance] + (2...99).map { "\(instance)_\($0)" }
    }

    private func heard(_ event: DBusService.Event) {
        guard let center, bus != nil else { return }
        switch event {
        case .joined(let name):
            center.busName = name
            if isMissing { center.report("The session's bus is there: remote control by \(name).") }
            isMissing = false
        case .missing(let error):
            center.busName = nil
            isMissing = true
            center.report("Without the session's bus there is no remote control, until it is there: \(error).")
        case .refused(let error):
            center.report("There is no remote control, since the session's bus refuses: \(error).")
        }
    }

    // MARK: Changes

    /// Something may be otherwise. What happens together is told together.
    func refresh(hasJumped: Bool) {
        if hasJumped { self.hasJumped = true }
        guard !isRefreshing, bus != nil else { return }
        isRefreshing = true
        Task { [weak self] in
            self?.isRefreshing = false
            self?.tell()
        }
    }

    private func tell() {
        guard let center, let bus else { return }
        bus.tellChanges()
        if let list = trackList.takeChange() { bus.emit(MPRISTrackList.name, "TrackListReplaced", list) }

        let now = center.hostTime
        let before = shown
        shown = Shown(
            track: center.info.contentIdentifier, state: center.playbackState, isWaiting: center.isWaiting)
        // A track begins at its beginning.
        let isNew = shown.track != before.track
        if isNew || shown.state == .playing && before.state == .stopped { shownPosition.place(at: 0, now) }
        shownPosition.move(at: shown.state == .playing ? center.rate : 0, from: now)

        let isSought = hasJumped && !isNew || center.takePositionIsNew()
        hasJumped = false
        if isSought {
            tellPosition()
        } else {
            let isStarting = before.isWaiting && !shown.isWaiting
            comparePosition(tolerance: isStarting ? ShownPosition.toleranceAtStart : ShownPosition.tolerance)
        }
    }

    /// The playhead has moved, and nothing else has happened.
    func refreshPosition() {
        if !isRefreshing { comparePosition(tolerance: ShownPosition.tolerance) }
    }

    private func comparePosition(tolerance: Double) {
        guard let center, shown.state != .stopped, !center.isWaiting else { return }
        let difference = center.position - shownPosition.position(at: center.hostTime)
        if abs(difference) > tolerance { tellPosition() }
    }

    private func tellPosition() {
        guard let center, let bus else { return }
        shownPosition.place(at: center.position, center.hostTime)
        bus.emit(MPRISPlayer.name, "Seeked", [.microseconds(center.position)])
    }
}
#endif
