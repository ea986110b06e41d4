/// Where the sound of a player goes.
public enum AudioOutput: String, Sendable, CaseIterable {
    /// PulseAudio if a server answers, else ALSA if there is a card, else nowhere.
    case auto
    /// Nowhere: playback runs on the clock.
    case none
    case pulse
    case alsa
}
