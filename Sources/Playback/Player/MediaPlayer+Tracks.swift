// The selection of tracks and qualities.
extension MediaPlayer {
    /// Selects an audio track. Reported as a notice if that is not possible.
    public func selectAudio(id: Int) { perform(.selectAudio(id)) }

    /// Selects a subtitle track, or none. Reported as a notice if that is not possible.
    public func selectSubtitle(id: Int?) { perform(.selectSubtitle(id)) }

    /// The languages of the audio, the most preferred one first, for this item and later ones. Empty, the default: the
    /// choice of the engine.
    ///
    /// A language is a tag of BCP 47 or a code of ISO 639: `en` also matches `eng` and `en-GB`. A track that the user
    /// selects stays selected for its item.
    public var preferredAudioLanguages: [String] {
        get { snapshot.preferredAudioLanguages }
        set { perform(.preferAudio(newValue)) }
    }

    /// The languages of the subtitles, the most preferred one first, for this item and later ones. Empty, the default:
    /// the choice of the engine, which is usually none.
    ///
    /// A language is written as in `preferredAudioLanguages`. Subtitles that the user selects or turns off stay so for
    /// their item.
    public var preferredSubtitleLanguages: [String] {
        get { snapshot.preferredSubtitleLanguages }
        set { perform(.preferSubtitles(newValue)) }
    }

    // MARK: Quality

    /// The qualities of the item, the best first. Empty if there is no choice, and until the item is ready.
    ///
    /// Those above the item's limits are left out, see ``PlayerItem/maximumResolution``.
    public var qualities: [VideoQuality] { snapshot.qualities }

    /// The quality that the host has selected; `nil` if the backend chooses automatically. `snapshot.videoSize` is the
    /// size of the current video.
    public var selectedQuality: VideoQuality? { snapshot.selectedQuality }

    /// Selects a quality until another item is loaded. `nil` lets the backend choose automatically.
    ///
    /// Before the item is ready, the selection holds for its opening. With libVLC, a change during playback opens the
    /// stream again at the same position: the player reports `buffer`, and then `play`. An impossible selection is
    /// reported as a notice.
    ///
    /// - Parameter quality: one of `qualities`, or `nil`.
    public func select(quality: VideoQuality?) { perform(.selectQuality(quality)) }
}
