import Playback

/// A command without parameters, such as *play*.
public struct RemoteCommandEvent: Hashable, Sendable {}

/// A command to skip.
public struct SkipIntervalCommandEvent: Hashable, Sendable {
    /// The interval in seconds, not negative.
    public let interval: Double
}

/// A command to seek.
public struct ChangePlaybackPositionCommandEvent: Hashable, Sendable {
    /// The position in seconds, not negative.
    public let positionTime: Double
}

/// A command to change the rate.
public struct ChangePlaybackRateCommandEvent: Hashable, Sendable {
    /// A rate that the command supports.
    public let playbackRate: Double
}

/// A command to change the repeat mode.
public struct ChangeRepeatModeCommandEvent: Hashable, Sendable {
    /// The new mode.
    public let repeatMode: PlaybackQueue.RepeatMode
}

/// A command to turn shuffle on or off.
public struct ChangeShuffleModeCommandEvent: Hashable, Sendable {
    /// `true` if the queue is to be shuffled.
    public let isShuffled: Bool
}

/// A command to change the volume.
public struct ChangeVolumeCommandEvent: Hashable, Sendable {
    /// The volume, not negative. 1 is the volume of the item itself.
    public let volume: Double
}
