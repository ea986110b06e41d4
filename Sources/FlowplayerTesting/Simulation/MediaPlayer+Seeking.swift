import Playback

extension MediaPlayer {
    /// Seeks without waiting for the end of the seek.
    ///
    /// In async code, `seek(to:)` waits. A test that advances the clock itself would wait forever.
    public func startSeek(to seconds: Double, tolerance: SeekTolerance = .exact) {
        seek(to: seconds, tolerance: tolerance)
    }
}
