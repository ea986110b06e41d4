import Playback

/// The commands of remote controls, and their handlers.
///
/// An attached player handles the commands that it can. A target of the host replaces the player's handler, and
/// `isEnabled = false` disables the command:
///
/// ```swift
/// let commands = RemoteCommandCenter.shared()
/// commands.nextTrackCommand.addTarget { _ in playlist.advance() ? .success : .noSuchContent }
/// commands.changePlaybackPositionCommand.isEnabled = false
/// ```
///
/// The shared center applies to all players. Each `NowPlayingSession` has another one for its own player.
@preconcurrency @MainActor
public final class RemoteCommandCenter {
    /// The center of the process.
    public static func shared() -> RemoteCommandCenter { NowPlayingCenter.shared.remoteCommandCenter }

    /// Play.
    public private(set) lazy var playCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Pause.
    public private(set) lazy var pauseCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Play or pause. Without a target for this command, *play* or *pause* is performed instead.
    public private(set) lazy var togglePlayPauseCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Stop. A later *play* starts the item again.
    public private(set) lazy var stopCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Go to the next item.
    public private(set) lazy var nextTrackCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Go to the previous item.
    public private(set) lazy var previousTrackCommand: RemoteCommand<RemoteCommandEvent> = command()
    /// Skip forward by an interval.
    public private(set) lazy var skipForwardCommand: RemoteCommand<SkipIntervalCommandEvent> = command()
    /// Skip backward by an interval.
    public private(set) lazy var skipBackwardCommand: RemoteCommand<SkipIntervalCommandEvent> = command()
    /// Seek to a position.
    public private(set) lazy var changePlaybackPositionCommand: RemoteCommand<ChangePlaybackPositionCommandEvent> =
        command()
    /// Change the rate.
    public private(set) lazy var changePlaybackRateCommand = ChangePlaybackRateCommand { [weak self] in
        self?.changed()
    }
    /// Change the repeat mode.
    public private(set) lazy var changeRepeatModeCommand: RemoteCommand<ChangeRepeatModeCommandEvent> = command()
    /// Turn shuffle on or off.
    public private(set) lazy var changeShuffleModeCommand: RemoteCommand<ChangeShuffleModeCommandEvent> = command()
    /// Change the volume.
    public private(set) lazy var changeVolumeCommand: RemoteCommand<ChangeVolumeCommandEvent> = command()

    /// Called when a command or its targets change.
    var changed: @MainActor () -> Void = {}

    init() {}

    private func command<Event>() -> RemoteCommand<Event> {
        RemoteCommand { [weak self] in self?.changed() }
    }
}
