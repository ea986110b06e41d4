import Playback

/// A command without more to say, such as *play*.
public struct RemoteCommandEvent: Hashable, Sendable {}

/// How far to skip.
public struct SkipIntervalCommandEvent: Hashable, Sendable {
    /// In seconds, not negative.
    public let interval: Double
}

/// Where to go.
public struct ChangePlaybackPositionCommandEvent: Hashable, Sendable {
    /// Seconds from the beginning, not negative.
    public let positionTime: Double
}

/// How fast to play.
public struct ChangePlaybackRateCommandEvent: Hashable, Sendable {
    /// Media seconds a second, one of those that the command supports.
    public let playbackRate: Double
}

/// What is to come after the last item, or after every one.
public struct ChangeRepeatModeCommandEvent: Hashable, Sendable {
    /// The mode that is asked for.
    public let repeatMode: PlaybackQueue.RepeatMode
}

/// In which order to play.
public struct ChangeShuffleModeCommandEvent: Hashable, Sendable {
    /// Whether in another order than the queue's own.
    public let isShuffled: Bool
}

/// How loud to play.
public struct ChangeVolumeCommandEvent: Hashable, Sendable {
    /// Not negative; 1 is as loud as the medium.
    public let volume: Double
}
