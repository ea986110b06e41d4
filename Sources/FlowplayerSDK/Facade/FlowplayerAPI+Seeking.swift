// Seeks beyond the original interface. A double of a host without a player seeks by `seek(_:)`.
extension FlowplayerAPI {
    /// Seeks to a position in seconds, clamped to the item. If several seeks are requested before the first one
    /// finishes, only the last one is performed next.
    public func seek(to seconds: Double, tolerance: SeekTolerance = .exact) {
        guard let queue else { return seek(seconds) }
        queue.seek(to: seconds, tolerance: tolerance)
    }

    /// Seeks to a position in seconds, clamped to the item, and waits for the end of the seek.
    ///
    /// Cancelling the task ends the waiting only.
    ///
    /// - Returns: `true` if the player has reached the position. `false` if the seek failed, another seek or load
    ///   replaced it, or the task was cancelled.
    @discardableResult
    public func seek(to seconds: Double, tolerance: SeekTolerance = .exact) async -> Bool {
        guard let queue else {
            seek(seconds)
            return true
        }
        return await queue.seek(to: seconds, tolerance: tolerance)
    }

    /// Seeks by a number of seconds, backwards if it is negative. Several skips add up, also while the player seeks.
    public func skip(by seconds: Double) {
        guard let queue else { return seek((position?.seconds ?? 0) + seconds) }
        queue.skip(by: seconds)
    }

    /// Seeks to the live edge: as close to it as the stream was joined. Without effect for everything else than a live
    /// stream.
    public func seekToLive() { queue?.seekToLive() }

    /// How far the position is behind the live edge, in seconds; `nil` for everything else than a live stream.
    public var liveOffset: Double? { snapshot.liveOffset }

    /// `true` if a live stream plays as close to its edge as it did after loading, within ten seconds.
    public var isAtLiveEdge: Bool { snapshot.isAtLiveEdge }

    /// The part of the item that is repeated, in seconds; `nil` for none. See ``MediaPlayer/loop``.
    public var loop: ClosedRange<Double>? {
        get { queue?.loop }
        set { queue?.loop = newValue }
    }
}
