import Foundation

/// The retries of a backend when the network fails.
///
/// If playback has started, it continues with the data that were read ahead. When they are used up, the backend reports
/// `buffer` until a retry succeeds. It resumes at the same position, or at the edge of a live stream. An item that
/// fails before it has started is not retried.
///
/// A time may be `.infinity`, which removes the limit.
///
/// ```swift
/// var item = PlayerItem(url: radio)
/// item.retryPolicy.giveUpAfter = 300     // five minutes without a network
/// item.retryPolicy.stallTimeout = 300
/// ```
public struct RetryPolicy: Codable, Hashable, Sendable {
    /// The maximum number of retries of a request. If they fail, the item is opened again, with the same maximum.
    ///
    /// A connection that delivers data for a second, or 64 kB, ends the outage of the request. `Int.max` is no limit.
    /// `giveUpAfter` limits both together, from the stall.
    public var attempts = Int.max
    /// The delay before the second attempt, in seconds. The first attempt has no delay.
    public var firstDelay = 0.25
    /// By how much each further delay is longer than the one before.
    public var backoff = 2.0
    /// The longest delay, in seconds.
    public var longestDelay = 4.0
    /// The random share of each delay, in `0...1`. It keeps many players from retrying at once.
    public var jitter = 0.2
    /// The time from the start of an outage after which no attempt is made, in seconds.
    public var giveUpAfter = 10.0
    /// The read timeout: a server that sends nothing within it is considered lost. In seconds.
    public var readTimeout = 4.0
    /// The open timeout: an item that has not started within it fails, also while data arrive. In seconds.
    public var openTimeout = 9.0
    /// The stall timeout: an item that does not resume within it fails. In seconds.
    public var stallTimeout = 9.0
    /// The errors to retry; `nil`, the default, for all that are retryable.
    ///
    /// In a live stream that has started, every `httpStatus` is retried until `giveUpAfter`, because a segment can be
    /// missing for a while.
    public var codes: Set<PlaybackErrorCode>?

    /// The limits of every delay after the first, in seconds: a server that refuses at once is not asked without a pause.
    private static let (shortestUsefulDelay, longestUsefulDelay) = (0.1, 86400.0)

    /// As the properties say by default.
    public init() {}

    /// The default.
    public static let standard = RetryPolicy()

    /// No retries.
    public static var none: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 0
        return policy
    }

    /// `true` if another attempt may succeed.
    public func covers(_ error: PlaybackError) -> Bool { codes?.contains(error.code) ?? error.isRetryable }

    /// Returns the delay before an attempt, in seconds; `nil` if no attempt is to be made.
    ///
    /// - Parameters:
    ///   - attempt: 0 for the first.
    ///   - error: the latest error.
    ///   - elapsed: the duration of the outage so far, in seconds.
    ///   - chance: a number in `0...1` between the shortest and the longest delay.
    public func delay(
        before attempt: Int, after error: PlaybackError, elapsed: Double, chance: Double = .random(in: 0...1)
    ) -> Double? {
        guard attempt < attempts, covers(error) else { return nil }
        let regular = attempt == 0 ? 0 : min(longestDelay, firstDelay * pow(backoff, Double(attempt - 1)))
        let delay = max(attempt == 0 ? 0 : Self.shortestUsefulDelay, regular * (1 + jitter * (2 * chance - 1)))
        guard delay.isFinite, elapsed + delay <= giveUpAfter else { return nil }
        return min(delay, Self.longestUsefulDelay)
    }
}
