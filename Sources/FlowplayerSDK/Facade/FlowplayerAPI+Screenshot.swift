import Images
import Playback

extension MediaPlayer {
    /// Returns the frame that is shown at this moment, in display pixels.
    ///
    /// With the output `.frames` it is the last frame that the sink has received, at no cost. Otherwise a second player
    /// without audio opens the item at the position, which takes about 0.1 s for a local file. The second player shows
    /// the live edge of a live stream.
    ///
    /// ```swift
    /// let frame = try await player.screenshot()
    /// try frame.pngData().write(to: file)
    /// ```
    ///
    /// - Throws: `ImageError.noVideo` if no item is loaded, or it has no video. The `PlaybackError` of the second player.
    public func screenshot() async throws -> VideoFrame {
        if let newestFrame { return newestFrame }
        guard let item = currentItem, !item.isDeferred, snapshot.missingVideo == nil else { throw ImageError.noVideo }
        do {
            return try await FrameReader.frame(
                of: item, at: position.seconds, backend: BackendRegistry.makeSilentBackend(), clock: ContinuousClock()
            ).frame
        } catch let error as PlaybackError where error.code == .noPlayableStream {
            throw ImageError.noVideo
        }
    }
}

extension FlowplayerAPI {
    /// Returns the frame that is shown at this moment. See `MediaPlayer.screenshot`.
    ///
    /// - Throws: `ImageError.noVideo` if no item is loaded, or it has no video. The `PlaybackError` of the second player.
    public func screenshot() async throws -> VideoFrame {
        guard let queue else { throw ImageError.noVideo }
        return try await queue.screenshot()
    }
}
