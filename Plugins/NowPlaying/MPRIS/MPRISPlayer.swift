#if Systemd
import DBus
import Foundation
import Playback

/// `org.mpris.MediaPlayer2.Player`: what plays.
///
/// What cannot be done now has no effect, as the specification says of most methods; what nobody handles is refused where
/// it says so.
@MainActor
struct MPRISPlayer {
    unowned let center: NowPlayingCenter

    static let name = "org.mpris.MediaPlayer2.Player"

    var interface: DBusInterface {
        DBusInterface(
            Self.name, methods: methods, properties: state + settings + abilities,
            signals: [DBusSignalKind("Seeked", [DBusArgument("Position", "x")])])
    }

    // MARK: Methods

    private var methods: [DBusMethod] {
        [
            command("Next") { $0.nextTrackCommand },
            command("Previous") { $0.previousTrackCommand },
            command("Pause") { $0.pauseCommand },
            command("Play") { $0.playCommand },
            DBusMethod("PlayPause") { _ throws(DBusError) in
                guard canPause else { throw .notSupported("nobody can pause") }
                try check(center.togglePlayPause())
                return []
            },
            DBusMethod("Stop") { _ throws(DBusError) in
                guard center.handler(of: { $0.stopCommand }) != nil else { throw .notSupported("nobody can stop") }
                try check(center.perform(RemoteCommandEvent()) { $0.stopCommand })
                return []
            },
            DBusMethod("Seek", [DBusArgument("Offset", "x")]) { arguments throws(DBusError) in
                try skip(Double(arguments[0].int64 ?? 0) / 1_000_000)
                return []
            },
            DBusMethod("SetPosition", [DBusArgument("TrackId", "o"), DBusArgument("Position", "x")]) {
                arguments throws(DBusError) in
                try go(to: Double(arguments[1].int64 ?? 0) / 1_000_000, in: arguments[0])
                return []
            },
            DBusMethod("OpenUri", [DBusArgument("Uri", "s")]) { arguments throws(DBusError) in
                try open(arguments[0].string ?? "")
                return []
            },
        ]
    }

    private func command(
        _ name: String,
        _ command: @escaping @MainActor (RemoteCommandCenter) -> RemoteCommand<RemoteCommandEvent>
    ) -> DBusMethod {
        DBusMethod(name) { _ throws(DBusError) in
            try check(center.perform(RemoteCommandEvent(), command))
            return []
        }
    }

    /// Nothing is wrong where nothing can be done.
    private func check(_ status: RemoteCommandHandlerStatus?) throws(DBusError) {
        switch status {
        case .success, nil: break
        case .noSuchContent: throw .failed("there is nothing to do it to")
        case .commandFailed: throw .failed("it could not be done")
        }
    }

    private func skip(_ offset: Double) throws(DBusError) {
        guard canSeek else { return }
        let target = max(0, center.position + offset)
        if let duration = center.info.playbackDuration, target > duration {
            return try check(center.perform(RemoteCommandEvent()) { $0.nextTrackCommand })
        }
        let interval = SkipIntervalCommandEvent(interval: abs(offset))
        let status = center.perform(interval) { offset < 0 ? $0.skipBackwardCommand : $0.skipForwardCommand }
        if status != nil { return try check(status) }
        try check(
            center.perform(ChangePlaybackPositionCommandEvent(positionTime: target)) {
                $0.changePlaybackPositionCommand
            })
    }

    /// A track that is not played any more, or a position that it does not have, comes from somebody who is late.
    private func go(to position: Double, in track: DBusValue) throws(DBusError) {
        let info = center.info
        guard track == .track(info.contentIdentifier), (0...(info.playbackDuration ?? .infinity)).contains(position)
        else { return }
        try check(
            center.perform(ChangePlaybackPositionCommandEvent(positionTime: position)) {
                $0.changePlaybackPositionCommand
            })
    }

    private func open(_ text: String) throws(DBusError) {
        guard let url = URL(string: text), let scheme = url.scheme else {
            throw .invalidArguments("\(text) is no address")
        }
        guard let handler = center.openHandler, center.identity.uriSchemes.contains(scheme.lowercased()) else {
            throw .notSupported("addresses with \(scheme) are not opened")
        }
        try check(handler(url))
    }

    // MARK: Properties

    private var state: [DBusProperty] {
        [
            DBusProperty("PlaybackStatus", "s") { .string(status) },
            DBusProperty("Metadata", "a{sv}") { .metadata(center.info) },
            DBusProperty("Position", "x", telling: .nothing) { .microseconds(center.position) },
            DBusProperty("MinimumRate", "d") { .double(rates.lowerBound) },
            DBusProperty("MaximumRate", "d") { .double(rates.upperBound) },
        ]
    }

    private var status: String {
        switch center.playbackState {
        case .playing: "Playing"
        case .paused, .interrupted: "Paused"
        case .stopped, .unknown: "Stopped"
        }
    }

    private var rates: ClosedRange<Double> {
        let rates = center.handler { $0.changePlaybackRateCommand }?.supportedPlaybackRates ?? []
        let positive = rates.filter { $0 > 0 } + [1]
        return (positive.min() ?? 1)...(positive.max() ?? 1)
    }

    private var settings: [DBusProperty] {
        [
            DBusProperty(
                "LoopStatus", "s", get: { .string(LoopStatus(center.info.repeatMode).rawValue) },
                set: { value throws(DBusError) in try setLoopStatus(value.string ?? "") }),
            DBusProperty(
                "Rate", "d", get: { .double(center.rate) },
                set: { value throws(DBusError) in try setRate(value.double ?? .nan) }),
            DBusProperty(
                "Shuffle", "b", get: { .bool(center.info.isShuffled ?? false) },
                set: { value throws(DBusError) in
                    try set("Shuffle", ChangeShuffleModeCommandEvent(isShuffled: value.bool == true)) {
                        $0.changeShuffleModeCommand
                    }
                }),
            DBusProperty(
                "Volume", "d", get: { .double(center.info.volume ?? 1) },
                set: { value throws(DBusError) in try setVolume(value.double ?? .nan) }),
        ]
    }

    private func setLoopStatus(_ text: String) throws(DBusError) {
        guard let status = LoopStatus(rawValue: text) else {
            throw .invalidArguments("LoopStatus is None, Track or Playlist")
        }
        try set("LoopStatus", ChangeRepeatModeCommandEvent(repeatMode: status.mode)) { $0.changeRepeatModeCommand }
    }

    private func setVolume(_ volume: Double) throws(DBusError) {
        guard volume.isFinite else { throw .invalidArguments("Volume is a number") }
        try set("Volume", ChangeVolumeCommandEvent(volume: max(0, volume))) { $0.changeVolumeCommand }
    }

    private func setRate(_ rate: Double) throws(DBusError) {
        if rate == 0 { return try check(center.perform(RemoteCommandEvent()) { $0.pauseCommand }) }
        guard rates.contains(rate) else {
            throw .invalidArguments("Rate is in \(rates.lowerBound)...\(rates.upperBound)")
        }
        try set("Rate", ChangePlaybackRateCommandEvent(playbackRate: rate)) { $0.changePlaybackRateCommand }
    }

    private func set<Event>(
        _ name: String, _ event: Event, _ command: (RemoteCommandCenter) -> RemoteCommand<Event>
    ) throws(DBusError) {
        guard let status = center.perform(event, command) else {
            throw .notSupported("\(name) cannot be set")
        }
        try check(status)
    }

    private var abilities: [DBusProperty] {
        [
            DBusProperty("CanGoNext", "b") { .bool(center.can { $0.nextTrackCommand }) },
            DBusProperty("CanGoPrevious", "b") { .bool(center.can { $0.previousTrackCommand }) },
            DBusProperty("CanPlay", "b") { .bool(center.can { $0.playCommand }) },
            DBusProperty("CanPause", "b") { .bool(canPause) },
            DBusProperty("CanSeek", "b") { .bool(canSeek) },
            DBusProperty("CanControl", "b", telling: .nothing) { .bool(true) },
        ]
    }

    private var canPause: Bool { center.can { $0.pauseCommand } || center.can { $0.togglePlayPauseCommand } }

    private var canSeek: Bool {
        center.can { $0.changePlaybackPositionCommand } || center.can { $0.skipForwardCommand }
            || center.can { $0.skipBackwardCommand }
    }
}

/// What MPRIS calls the modes of repetition.
private enum LoopStatus: String {
    case none = "None"
    case track = "Track"
    case playlist = "Playlist"

    init(_ mode: PlaybackQueue.RepeatMode?) {
        switch mode {
        case .off, nil: self = .none
        case .one: self = .track
        case .all: self = .playlist
        }
    }

    var mode: PlaybackQueue.RepeatMode {
        switch self {
        case .none: .off
        case .track: .one
        case .playlist: .all
        }
    }
}
#endif
