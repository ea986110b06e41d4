// Preferences for tracks, beyond the original interface.
extension FlowplayerAPI {
    /// The languages of the audio, the most preferred one first, for this item and later ones.
    ///
    /// See ``MediaPlayer/preferredAudioLanguages``.
    public var preferredAudioLanguages: [String] {
        get { snapshot.preferredAudioLanguages }
        set { queue?.preferredAudioLanguages = newValue }
    }

    /// The languages of the subtitles, the most preferred one first, for this item and later ones.
    ///
    /// See ``MediaPlayer/preferredSubtitleLanguages``.
    public var preferredSubtitleLanguages: [String] {
        get { snapshot.preferredSubtitleLanguages }
        set { queue?.preferredSubtitleLanguages = newValue }
    }
}
