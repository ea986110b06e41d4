/// The audio output of a player.
public enum AudioOutput: String, Sendable, CaseIterable {
    /// PulseAudio if a server answers, else ALSA if there is a card, else no output.
    case auto
    /// No output. Playback runs on the clock.
    case none
    /// PulseAudio or a compatible server. No output if none answers.
    case pulse
    /// ALSA without an audio server. No output if there is no card.
    case alsa
}
