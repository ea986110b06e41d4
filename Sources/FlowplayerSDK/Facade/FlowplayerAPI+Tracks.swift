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

    /// The qualities of the item, the best first. See ``MediaPlayer/qualities``.
    public var qualities: [VideoQuality] { snapshot.qualities }

    /// The quality that the host has selected; `nil` if the backend chooses automatically.
    public var selectedQuality: VideoQuality? { snapshot.selectedQuality }

    /// Selects a quality until another item is loaded. See ``MediaPlayer/select(quality:)``.
    ///
    /// - Parameter quality: one of `qualities`, or `nil` for the backend's choice.
    public func select(quality: VideoQuality?) { queue?.select(quality: quality) }
}
