import DBus
import Foundation
import Playback

/// `org.mpris.MediaPlayer2.Player`: the active player.
///
/// A method that is not possible now has no effect, as the specification demands for most methods. A method without a
/// handler fails where the specification allows it.
@MainActor
struct MPRISPlayer {
    unowned let center: NowPlayingCenter

    static let name = "org.mpris.MediaPlayer2.Player"

    var interface: DBusInterface {
        DBusInterface(
            name: Self.name, methods: methods, properties: state + settings + abilities,
            signals: [("Seeked", ["Position": "x"])])
    }

    // MARK: Methods

    private var methods: [DBusMethod] {
        [
            DBusMethod("Next") { _ in try perform(RemoteCommandEvent(), \.nextTrackCommand) },
            DBusMethod("Previous") { _ in try perform(RemoteCommandEvent(), \.previousTrackCommand) },
            DBusMethod("Pause") { _ in try perform(RemoteCommandEvent(), \.pauseCommand) },
            DBusMethod("Play") { _ in try perform(RemoteCommandEvent(), \.playCommand) },
            DBusMethod("PlayPause") { _ in
                guard canPause else { throw DBusError.notSupported("no handler can pause") }
                try check(center.togglePlayPause())
            },
            DBusMethod("Stop") { _ in
                let handler = center.handler(of: \.stopCommand)
                if handler == nil { throw DBusError.notSupported("no handler can stop") }
                try perform(RemoteCommandEvent(), \.stopCommand)
            },
            DBusMethod("Seek", ["Offset": "x"]) { try skip($0[0].seconds) },
            DBusMethod("SetPosition", ["TrackId": "o", "Position": "x"]) { try seek(to: $0[1].seconds, in: $0[0]) },
            DBusMethod("OpenUri", ["Uri": "s"]) { try open($0[0].string ?? "") },
        ]
    }

    private func perform<Event>(_ event: Event, _ command: (RemoteCommandCenter) -> RemoteCommand<Event>) throws {
        try check(center.perform(event, command))
    }

    /// A command that is not possible, `nil`, is not an error.
    private func check(_ status: RemoteCommandHandlerStatus?) throws {
        if status == .noSuchContent { throw DBusError.failed("there is no content for this command") }
        if status == .commandFailed { throw DBusError.failed("the command failed") }
    }

    private func skip(_ offset: Double) throws {
        guard canSeek else { return }
        let target = max(0, center.position + offset)
        if let duration = center.info.playbackDuration, target > duration {
            return try perform(RemoteCommandEvent(), \.nextTrackCommand)
        }
        let interval = SkipIntervalCommandEvent(interval: abs(offset))
        let status = center.perform(interval, offset < 0 ? \.skipBackwardCommand : \.skipForwardCommand)
        if status != nil { return try check(status) }
        try perform(ChangePlaybackPositionCommandEvent(positionTime: target), \.changePlaybackPositionCommand)
    }

    /// Ignores another track and a position outside the track: the caller's information is out of date.
    private func seek(to position: Double, in track: DBusValue) throws {
        let info = center.info
        guard track == .track(info.contentIdentifier), (0...(info.playbackDuration ?? .infinity)).contains(position)
        else { return }
        try perform(ChangePlaybackPositionCommandEvent(positionTime: position), \.changePlaybackPositionCommand)
    }

    private func open(_ text: String) throws {
        guard let url = URL(string: text), let scheme = url.scheme else {
            throw DBusError.invalidArguments("\(text) is not a URL")
        }
        guard let handler = center.openHandler, center.identity.uriSchemes.contains(scheme.lowercased()) else {
            throw DBusError.notSupported("URLs with the scheme \(scheme) are not supported")
        }
        try check(handler(url))
    }

    // MARK: Properties

    private var state: [DBusProperty] {
        [
            DBusProperty(name: "PlaybackStatus", type: "s") { .string(status) },
            DBusProperty(name: "Metadata", type: "a{sv}") { .metadata(center.info) },
            DBusProperty(name: "Position", type: "x", changeSignal: .none) { .microseconds(center.position) },
            DBusProperty(name: "MinimumRate", type: "d") { .double(rates.lowerBound) },
            DBusProperty(name: "MaximumRate", type: "d") { .double(rates.upperBound) },
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
                name: "LoopStatus", type: "s", get: { .string(loopStatus) },
                set: { try setLoopStatus($0.string ?? "") }),
            DBusProperty(
                name: "Rate", type: "d", get: { .double(center.rate) }, set: { try setRate($0.double ?? .nan) }),
            DBusProperty(
                name: "Shuffle", type: "b", get: { .bool(center.info.isShuffled ?? false) },
                set: { try setShuffle($0.bool == true) }),
            DBusProperty(
                name: "Volume", type: "d", get: { .double(center.info.volume ?? 1) },
                set: { try setVolume($0.double ?? .nan) }),
        ]
    }

    private static let loopStatuses: KeyValuePairs<PlaybackQueue.RepeatMode, String> = [
        .off: "None", .one: "Track", .all: "Playlist",
    ]

    private var loopStatus: String {
        Self.loopStatuses.first { $0.key == center.info.repeatMode }?.value ?? "None"
    }

    private func setLoopStatus(_ text: String) throws {
        guard let mode = Self.loopStatuses.first(where: { $0.value == text })?.key else {
            throw DBusError.invalidArguments("LoopStatus is None, Track or Playlist")
        }
        try set("LoopStatus", ChangeRepeatModeCommandEvent(repeatMode: mode), \.changeRepeatModeCommand)
    }

    private func setShuffle(_ isShuffled: Bool) throws {
        try set("Shuffle", ChangeShuffleModeCommandEvent(isShuffled: isShuffled), \.changeShuffleModeCommand)
    }

    private func setVolume(_ volume: Double) throws {
        guard volume.isFinite else { throw DBusError.invalidArguments("Volume is a number") }
        try set("Volume", ChangeVolumeCommandEvent(volume: max(0, volume)), \.changeVolumeCommand)
    }

    private func setRate(_ rate: Double) throws {
        if rate == 0 { return try perform(RemoteCommandEvent(), \.pauseCommand) }
        guard rates.contains(rate) else {
            throw DBusError.invalidArguments("Rate is in \(rates.lowerBound)...\(rates.upperBound)")
        }
        try set("Rate", ChangePlaybackRateCommandEvent(playbackRate: rate)) { $0.changePlaybackRateCommand }
    }

    private func set<Event>(
        _ name: String, _ event: Event, _ command: (RemoteCommandCenter) -> RemoteCommand<Event>
    ) throws {
        guard let status = center.perform(event, command) else { throw DBusError.notSupported("\(name) cannot be set") }
        try check(status)
    }

    private var abilities: [DBusProperty] {
        [
            DBusProperty(name: "CanGoNext", type: "b") { .bool(center.can(\.nextTrackCommand)) },
            DBusProperty(name: "CanGoPrevious", type: "b") { .bool(center.can(\.previousTrackCommand)) },
            DBusProperty(name: "CanPlay", type: "b") { .bool(center.can(\.playCommand)) },
            DBusProperty(name: "CanPause", type: "b") { .bool(canPause) },
            DBusProperty(name: "CanSeek", type: "b") { .bool(canSeek) },
            DBusProperty(name: "CanControl", type: "b", changeSignal: .none) { .bool(true) },
        ]
    }

    private var canPause: Bool { center.can(\.pauseCommand) || center.can(\.togglePlayPauseCommand) }

    private var canSeek: Bool {
        center.can(\.changePlaybackPositionCommand) || center.can(\.skipForwardCommand)
            || center.can(\.skipBackwardCommand)
    }
}
