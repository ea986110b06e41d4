// Seeks. The position is that of the target at once. The outcome is reported as the event `seek`.
extension MediaPlayer {
    /// `true` if a seek can succeed now.
    public var canSeek: Bool { snapshot.canSeek }

    /// Seeks to a position in seconds, clamped to the item. If several seeks are requested before the first one
    /// finishes, only the last one is performed next.
    @_disfavoredOverload  // `.zero` is a `CMTime`.
    public func seek(to seconds: Double, tolerance: SeekTolerance = .exact) {
        perform(.seek(seconds, tolerance: tolerance))
    }

    /// Seeks to a position in seconds, clamped to the item, and waits for the end of the seek.
    ///
    /// Cancelling the task ends the waiting only.
    ///
    /// - Returns: `true` if the player has reached the position. `false` if the seek failed, another seek or load
    ///   replaced it, or the task was cancelled.
    @_disfavoredOverload
    @discardableResult
    public func seek(to seconds: Double, tolerance: SeekTolerance = .exact) async -> Bool {
        let last = snapshot.seek.number
        let number = perform(.seek(seconds, tolerance: tolerance)).seek.number
        guard number != last else { return false }
        for await seek in values(of: \.seek) {
            guard seek.number == number else { return false }
            if seek.state != .seeking { return seek.state == .seeked }
        }
        return false
    }

    /// Seeks by a number of seconds, backwards if it is negative. Several skips add up, also while the player seeks.
    public func skip(by seconds: Double, tolerance: SeekTolerance = .exact) {
        perform(.seek(position.seconds + seconds, tolerance: tolerance))
    }

    /// Pauses, and seeks by a number of frames, backwards if it is negative. Several steps add up, also while the player seeks.
    ///
    /// A frame lasts as long as `VideoTrack.frameRate` says, or 0.04 s if the rate is not known. If the rate varies, a step may skip or
    /// repeat a frame. libVLC does not show each frame: see the known issues.
    public func step(byCount count: Int) {
        let rate = snapshot.tracks?.video.first?.frameRate ?? 25
        let frame = (position.seconds * rate).rounded(.down) + Double(count)
        perform(.pause)
        // Engines round positions. In the middle of a frame, each of them shows this frame.
        perform(.seek((frame + 0.5) / rate))
    }

    /// Seeks to the live edge: as close to it as the stream was joined. Without effect for everything else than a live
    /// stream.
    public func seekToLive() {
        guard let window = snapshot.dvrWindow else { return }
        perform(.seek(window.end - snapshot.liveDelay))
    }

    /// How far the position is behind the live edge, in seconds; `nil` for everything else than a live stream.
    public var liveOffset: Double? { snapshot.liveOffset }

    /// `true` if a live stream plays as close to its edge as it did after loading, within ten seconds.
    public var isAtLiveEdge: Bool { snapshot.isAtLiveEdge }

    /// The part of the item that is repeated, in seconds; `nil` for none. `nil` again after a new load.
    ///
    /// When the item plays past the upper bound, the player seeks to the lower bound. It notices this with the next
    /// position that the engine reports, usually within 0.3 s. Ignored while no item is loaded.
    public var loop: ClosedRange<Double>? {
        get { snapshot.loop }
        set { perform(.setLoop(newValue)) }
    }
}
