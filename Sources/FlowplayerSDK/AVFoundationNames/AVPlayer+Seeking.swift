#if !canImport(AVFoundation)
import Playback

// Seeks are exact, which every tolerance permits. With an infinite one on both sides, they go to a key frame.
extension MediaPlayer {
    /// The position.
    public func currentTime() -> CMTime { position }

    /// Seeks to a time, clamped to the item.
    public func seek(to time: CMTime) { seek(to: time.seconds) }

    /// Seeks to a time within tolerances, clamped to the item.
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
        seek(to: time.seconds, tolerance: SeekTolerance(toleranceBefore, toleranceAfter))
    }

    /// Seeks to a time, and waits for the end of the seek.
    ///
    /// - Returns: `false` if the seek failed, or another seek or load replaced it.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool { await seek(to: time.seconds) }

    /// Seeks to a time within tolerances, and waits for the end of the seek.
    ///
    /// - Returns: `false` if the seek failed, or another seek or load replaced it.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await seek(to: time.seconds, tolerance: SeekTolerance(toleranceBefore, toleranceAfter))
    }

    /// Seeks to a time.
    ///
    /// - Parameters:
    ///   - time: the target, clamped to the item.
    ///   - completionHandler: called once on the main actor, with `false` if the seek failed, or another seek or load
    ///     replaced it.
    @preconcurrency public func seek(to time: CMTime, completionHandler: @escaping @MainActor @Sendable (Bool) -> Void)
    {
        Task.immediate { completionHandler(await seek(to: time)) }
    }

    /// Seeks to a time within tolerances.
    ///
    /// - Parameters:
    ///   - time: the target, clamped to the item.
    ///   - toleranceBefore: how far before `time` the seek may end.
    ///   - toleranceAfter: how far after `time` the seek may end.
    ///   - completionHandler: called once on the main actor, with `false` if the seek failed, or another seek or load
    ///     replaced it.
    @preconcurrency public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        Task.immediate {
            completionHandler(
                await seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter))
        }
    }
}

extension SeekTolerance {
    fileprivate init(_ before: CMTime, _ after: CMTime) {
        self = min(before, after) == .positiveInfinity ? .keyframe : .exact
    }
}
#endif
