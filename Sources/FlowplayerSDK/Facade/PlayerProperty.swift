/// Something about a player that can be observed with `observe(_:handler:)`.
@MainActor
public struct PlayerProperty<Value> {
    /// The new value that an event tells, or `nil` if it is about something else.
    let value: @MainActor (PlayerEvent, any FlowplayerAPI) -> Value?
    /// What there is now, or `nil` if there is nothing yet.
    let current: @MainActor (any FlowplayerAPI) -> Value?

    init(
        current: @escaping @MainActor (any FlowplayerAPI) -> Value?,
        value: @escaping @MainActor (PlayerEvent, any FlowplayerAPI) -> Value?
    ) {
        self.current = current
        self.value = value
    }
}

extension PlayerProperty where Value == PlayerState {
    /// What the player does.
    public static var state: Self {
        Self(
            current: { $0.state },
            value: { event, _ in if case .state(let state) = event { state } else { nil } })
    }
}

extension PlayerProperty where Value == PlaybackState {
    /// What the player shows.
    public static var playbackState: Self {
        Self(
            current: { $0.playbackState },
            value: { event, _ in if case .playbackState(let state) = event { state } else { nil } })
    }
}

extension PlayerProperty where Value == Double {
    /// In seconds.
    public static var position: Self {
        Self(
            current: { $0.position?.seconds },
            value: { event, _ in if case .position(let position) = event { position } else { nil } })
    }

    /// In seconds.
    public static var duration: Self {
        Self(
            current: { $0.duration?.seconds },
            value: { event, _ in if case .duration(let duration) = event { duration } else { nil } })
    }
}

extension PlayerProperty where Value == Float {
    /// In `0...1`.
    public static var volume: Self {
        Self(
            current: { $0.volume },
            value: { event, _ in if case .volume(let volume) = event { Float(volume) } else { nil } })
    }

    /// Media seconds a second.
    public static var rate: Self {
        Self(
            current: { $0.rate },
            value: { event, _ in if case .rate(let rate) = event { Float(rate) } else { nil } })
    }
}

extension PlayerProperty where Value == Bool {
    /// Whether the sound is off.
    public static var isMuted: Self {
        Self(
            current: { $0.isMuted },
            value: { event, _ in if case .mute(let isMuted) = event { isMuted } else { nil } })
    }
}

extension PlayerProperty where Value == PlayerError {
    /// Why playback failed. Nothing is told of an earlier failure.
    public static var error: Self {
        Self(
            current: { _ in nil },
            value: { event, _ in if case .error(let error) = event { PlayerError(error) } else { nil } })
    }
}

extension PlayerProperty where Value == MediaTracks {
    /// All tracks of the medium; of those that there are already, the sounds and the texts.
    public static var tracks: Self {
        Self(
            current: { $0.isReady ? MediaTracks(audio: $0.audioList, subtitles: $0.subtitleList) : nil },
            value: { event, _ in if case .tracks(let tracks) = event { tracks } else { nil } })
    }
}

extension PlayerProperty where Value == AudioTrack? {
    /// The sound that is heard.
    public static var currentAudio: Self {
        Self(
            current: { $0.currentAudio },
            value: { event, _ in if case .selectedAudio(let track) = event { .some(track) } else { nil } })
    }
}

extension PlayerProperty where Value == SubtitleTrack? {
    /// The text that is shown.
    public static var currentSubtitle: Self {
        Self(
            current: { $0.currentSubtitle },
            value: { event, _ in if case .selectedSubtitle(let track) = event { .some(track) } else { nil } })
    }
}

extension PlayerProperty where Value == PlayerQuality {
    /// How fine the picture is.
    public static var quality: Self {
        Self(
            current: { $0.quality },
            value: { event, _ in if case .quality(let quality) = event { quality } else { nil } })
    }
}

extension PlayerProperty where Value == PlaybackBufferState {
    /// How well playback is supplied with data.
    public static var bufferState: Self {
        Self(
            current: { $0.bufferState },
            value: { event, _ in if case .buffer(let state) = event { state } else { nil } })
    }
}

extension PlayerProperty where Value == PlaybackType {
    /// How the medium reaches the player.
    public static var playbackType: Self {
        Self(
            current: { $0.playbackType },
            value: { event, _ in if case .playbackType(let type) = event { type } else { nil } })
    }
}

extension PlayerProperty where Value == DVRWindow {
    /// The part of a live stream that can be played.
    public static var dvrWindow: Self {
        Self(
            current: { $0.dvrWindow },
            value: { event, _ in if case .dvrWindow(let window) = event { window } else { nil } })
    }
}

extension PlayerProperty where Value == MediaMetadata {
    /// What is known about the medium.
    public static var metadata: Self {
        Self(
            current: { $0.metadata.isEmpty ? nil : $0.metadata },
            value: { event, _ in if case .metadata(let metadata) = event { metadata } else { nil } })
    }
}

extension PlayerProperty where Value == ItemTransition {
    /// The item of the queue that is played, and how it became that.
    public static var item: Self {
        Self(
            current: { $0.avPlayer?.snapshot.item?.transition },
            value: { event, _ in if case .item(let transition) = event { transition } else { nil } })
    }
}

extension PlayerProperty where Value == OVPConfig {
    /// The configuration of a `MediaOVP`.
    public static var ovpConfig: Self {
        Self(
            current: { $0.ovpConfig },
            value: { event, player in if case .resolved = event { player.ovpConfig } else { nil } })
    }
}

extension PlayerProperty where Value == (state: PlaybackSeekState, position: Double) {
    /// How far a seek has come, and the position that is told with it, in seconds.
    public static var seek: Self {
        Self(
            current: { _ in nil },
            value: { event, _ in if case .seek(let state, let position) = event { (state, position) } else { nil } })
    }
}
