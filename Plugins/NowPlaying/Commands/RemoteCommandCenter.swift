import Playback

/// What a remote control can ask for, and who does it.
///
/// An attached player does by itself what it can. A target of the host for a command replaces what the player would do, and
/// `isEnabled = false` takes the command away:
///
/// ```swift
/// let commands = RemoteCommandCenter.shared()
/// commands.nextTrackCommand.addTarget { _ in playlist.goOn() ? .success : .noSuchContent }
/// commands.changePlaybackPositionCommand.isEnabled = false
/// ```
///
/// What is said to the shared one counts for all players. Each `NowPlayingSession` has another one for its own player.
@MainActor
public final class RemoteCommandCenter {
    /// That of the process.
    public static func shared() -> RemoteCommandCenter { NowPlayingCenter.shared.remoteCommandCenter }

    /// Play.
    public let playCommand: RemoteCommand<RemoteCommandEvent>
    /// Stop where it is.
    public let pauseCommand: RemoteCommand<RemoteCommandEvent>
    /// Play if it does not, pause if it does. Without a target of its own, *play* or *pause* is given instead.
    public let togglePlayPauseCommand: RemoteCommand<RemoteCommandEvent>
    /// Stop, so that *play* begins from the beginning.
    public let stopCommand: RemoteCommand<RemoteCommandEvent>
    /// Go on to the next item.
    public let nextTrackCommand: RemoteCommand<RemoteCommandEvent>
    /// Go back to the previous item.
    public let previousTrackCommand: RemoteCommand<RemoteCommandEvent>
    /// Go forward by an interval.
    public let skipForwardCommand: RemoteCommand<SkipIntervalCommandEvent>
    /// Go back by an interval.
    public let skipBackwardCommand: RemoteCommand<SkipIntervalCommandEvent>
    /// Go to a position.
    public let changePlaybackPositionCommand: RemoteCommand<ChangePlaybackPositionCommandEvent>
    /// Play faster or slower.
    public let changePlaybackRateCommand: ChangePlaybackRateCommand
    /// Repeat nothing, one item or all.
    public let changeRepeatModeCommand: RemoteCommand<ChangeRepeatModeCommandEvent>
    /// Play in another order, or in the queue's own.
    public let changeShuffleModeCommand: RemoteCommand<ChangeShuffleModeCommandEvent>
    /// Play louder or quieter.
    public let changeVolumeCommand: RemoteCommand<ChangeVolumeCommandEvent>

    /// - Parameter changed: called when a command or its targets are others.
    init(changed: @escaping @MainActor () -> Void) {
        playCommand = RemoteCommand(changed: changed)
        pauseCommand = RemoteCommand(changed: changed)
        togglePlayPauseCommand = RemoteCommand(changed: changed)
        stopCommand = RemoteCommand(changed: changed)
        nextTrackCommand = RemoteCommand(changed: changed)
        previousTrackCommand = RemoteCommand(changed: changed)
        skipForwardCommand = RemoteCommand(changed: changed)
        skipBackwardCommand = RemoteCommand(changed: changed)
        changePlaybackPositionCommand = RemoteCommand(changed: changed)
        changePlaybackRateCommand = ChangePlaybackRateCommand(changed: changed)
        changeRepeatModeCommand = RemoteCommand(changed: changed)
        changeShuffleModeCommand = RemoteCommand(changed: changed)
        changeVolumeCommand = RemoteCommand(changed: changed)
    }
}
