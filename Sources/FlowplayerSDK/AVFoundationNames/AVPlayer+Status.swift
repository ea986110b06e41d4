#if !canImport(AVFoundation)
import Playback

extension MediaPlayer {
    /// The status of a player or an item.
    public enum Status: Int, Sendable {
        /// Not known yet.
        case unknown
        /// It can be played.
        case readyToPlay
        /// It cannot be played; `error` says why.
        case failed

        init(_ status: PlayerSnapshot.Next.Status) {
            switch status {
            case .unknown: self = .unknown
            case .readyToPlay: self = .readyToPlay
            case .failed: self = .failed
            }
        }
    }

    /// The status of playback.
    public enum TimeControlStatus: Int, Sendable {
        /// Playback is not wanted, or the environment holds it.
        case paused
        /// Playback is wanted and waits; `reasonForWaitingToPlay` says why.
        case waitingToPlayAtSpecifiedRate
        /// The item plays.
        case playing
    }

    /// The reason why playback waits.
    public enum WaitingReason: String, Sendable {
        /// The item is being opened.
        case evaluatingBufferingRate
        /// The item is open, and more data is needed.
        case toMinimizeStalls
    }

    /// The action at the end of an item.
    public typealias ActionAtItemEnd = PlaybackQueue.ActionAtEnd

    /// The status of the current item.
    public var status: Status { currentItem.map { Status(status(of: $0)) } ?? .unknown }

    /// The error of the current item; `nil` unless `status` is `failed`.
    public var error: (any Error)? { snapshot.error }

    /// `playing` while the item plays, `paused` while `rate` is 0.
    public var timeControlStatus: TimeControlStatus {
        if rate == 0 { return .paused }
        return snapshot.isPlaying ? .playing : .waitingToPlayAtSpecifiedRate
    }

    /// The reason why playback waits; `nil` if it does not.
    public var reasonForWaitingToPlay: WaitingReason? {
        guard timeControlStatus == .waitingToPlayAtSpecifiedRate else { return nil }
        return snapshot.phase == .opening ? .evaluatingBufferingRate : .toMinimizeStalls
    }

    /// Plays at a rate, with the data that is there.
    public func playImmediately(atRate rate: Float) { self.rate = rate }
}
#endif
