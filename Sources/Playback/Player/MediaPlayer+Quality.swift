// The selection of a quality.
extension MediaPlayer {
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
