/// Where the sound of a player goes.
public enum AudioOutput: String, Sendable, CaseIterable {
    /// PulseAudio if a server answers, else ALSA if there is a card, else nowhere.
    case auto
    /// Nowhere: playback runs on the clock.
    case none
    /// PulseAudio, or what answers in its place; nowhere if nothing answers.
    case pulse
    /// ALSA, without a sound server; nowhere if there is no card.
    case alsa
}
