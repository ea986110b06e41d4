import DBus
import Foundation
import Playback

/// The MPRIS 2 service on the session bus, until `close()`. Shows the state of the center.
///
/// Without a bus, the service reconnects: at once, and then after delays that double up to 1.5 s. It then has the same
/// name and object again.
///
/// MPRIS clients extrapolate the position from the last `Seeked` signal, the rate and the status. The service does the
/// same calculation, and sends `Seeked` when its result is wrong.
@MainActor
final class MPRISService {
    private unowned let center: NowPlayingCenter
    private let trackList: MPRISTrackList
    private let object: DBusObject
    private let address: String?
    private let names: [String]

    private var connection: DBusConnection?
    private var reconnection: Task<Void, Never>?
    /// The delay of the next reconnection. Longer than the minimum while there is no bus.
    private var delay = minimumDelay

    private var isRefreshPending = false
    /// `true` if the player has finished a seek since the last signal.
    private var hasSeeked = false
    private var shown: Shown
    private var position = ExtrapolatedPosition()

    private static let path = "/org/mpris/MediaPlayer2"
    private static let minimumDelay = Duration.milliseconds(100)
    private static let maximumDelay = Duration.milliseconds(1500)
    /// A smaller difference is not worth a signal, in seconds.
    private static let tolerance = 1.0
    /// The tolerance when a wait for data ends. Clients have extrapolated during the wait.
    private static let toleranceAfterWaiting = 0.2

    init(center: NowPlayingCenter) {
        self.center = center
        address = DBusAddress.session(in: center.environment).map(DBusAddress.anyBus)
        names = Self.names(center.identity.name)
        trackList = MPRISTrackList(center: center)
        object = DBusObject([
            MPRISRoot(center: center).interface, MPRISPlayer(center: center).interface, trackList.interface,
        ])
        shown = Shown(tracks: trackList.tracks)
        // A program that finds the name reads all properties first.
        _ = object.takeChanges()
        connect()
    }

    /// Releases the name and the object.
    func close() {
        disconnect()
        reconnection?.cancel()
    }

    // MARK: Connection

    /// The first name is for the first program of that name. The others are different for each process.
    private static func names(_ name: String) -> [String] {
        // A name has 255 characters at most.
        let element = name.prefix(180).replacing(/[^A-Za-z0-9_-]/, with: "_")
        let prefix = element.first?.isNumber == false ? "" : "_"
        let base = "org.mpris.MediaPlayer2.\(prefix)\(element)"
        let instance = "\(base).instance\(ProcessInfo.processInfo.processIdentifier)"
        return [base, instance] + (2...99).map { "\(instance)_\($0)" }
    }

    private func connect() {
        guard let address else {
            return center.report("Remote control is not available, because the session bus has no address.")
        }
        let connection = DBusConnection(address: address) { [weak self] error in self?.reconnect(after: error) }
        self.connection = connection
        connection.serve(Self.path, answer: object.call)
        requestName(names[...], over: connection)
    }

    private func requestName(_ names: ArraySlice<String>, over connection: DBusConnection) {
        guard let name = names.first else { return reportRefusal(.failed("all names are taken")) }
        let doNotQueue = DBusValue.uint32(4)
        connection.call(.bus("RequestName", [.string(name), doNotQueue])) { [weak self, weak connection] reply in
            guard let self, let connection, connection === self.connection else { return }
            switch reply {
            // This connection is the owner now, or was the owner before.
            case .success([.uint32(1)]), .success([.uint32(4)]): join(as: name)
            case .success: requestName(names.dropFirst(), over: connection)
            case .failure(let error) where error.isRefusal: reportRefusal(error)
            case .failure(let error): reconnect(after: error)
            }
        }
    }

    private func join(as name: String) {
        center.busName = name
        if delay > Self.minimumDelay { center.report("The session bus is available: remote control by \(name).") }
        delay = Self.minimumDelay
    }

    private func reportRefusal(_ error: DBusError) {
        center.report("Remote control is not available, because the session bus refuses it: \(error).")
    }

    private func reconnect(after error: DBusError) {
        disconnect()
        center.busName = nil
        if delay == Self.minimumDelay {
            center.report("Remote control waits until the session bus is available: \(error).")
        }
        reconnection = Task { [weak self, delay] in
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { self?.connect() }
        }
        delay = min(delay * 2, Self.maximumDelay)
    }

    private func disconnect() {
        let old = connection
        connection = nil
        old?.close()
    }

    private func emit(_ interface: String, _ member: String, _ arguments: [DBusValue]) {
        connection?.emit(path: Self.path, interface: interface, member, arguments)
    }

    // MARK: Changes

    /// The state at the last signal.
    private struct Shown {
        var tracks: [DBusValue]
        var track: String?
        var state = NowPlayingPlaybackState.stopped
        var isWaiting = false
        /// The position that the host has set.
        var hostPosition: Double?
    }

    /// Sends signals for everything that has changed, once per main actor job.
    func refresh(hasSeeked: Bool) {
        self.hasSeeked = self.hasSeeked || hasSeeked
        guard !isRefreshPending else { return }
        isRefreshPending = true
        Task { [weak self] in
            self?.isRefreshPending = false
            self?.sendChanges()
        }
    }

    private func sendChanges() {
        for change in object.takeChanges() { emit(DBusObject.propertiesInterface, "PropertiesChanged", change) }

        let now = center.hostTime
        let before = shown
        shown = Shown(
            tracks: trackList.tracks, track: center.info.contentIdentifier, state: center.playbackState,
            isWaiting: center.isWaiting, hostPosition: center.info.elapsedPlaybackTime)
        if shown.tracks != before.tracks {
            emit(MPRISTrackList.name, "TrackListReplaced", [.array(of: "o", shown.tracks), .track(shown.track)])
        }
        // Clients start a new track at 0.
        let isNew = shown.track != before.track
        if isNew || shown.state == .playing && before.state == .stopped { position.set(0, at: now) }
        position.setRate(shown.state == .playing ? center.rate : 0, at: now)

        let isSought = hasSeeked && !isNew || shown.hostPosition != before.hostPosition
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
        position.set(center.position, at: center.hostTime)
        emit(MPRISPlayer.name, "Seeked", [.microseconds(center.position)])
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

extension DBusError {
    /// `true` for an answer of the bus, `false` if the bus does not answer.
    fileprivate var isRefusal: Bool {
        let prefix = "org.freedesktop.DBus.Error."
        return name.hasPrefix(prefix) && !["NoReply", "Disconnected", "Timeout"].contains(name.dropFirst(prefix.count))
    }
}
