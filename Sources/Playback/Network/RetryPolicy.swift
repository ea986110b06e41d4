import Foundation

/// How long a backend puts up with a network that fails, and what it does about it.
///
/// What has begun to play is taken up again where it broke off, while `buffer` is told; a live stream is joined again at its
/// edge. What fails before it has begun, fails at once.
///
/// Times may be `.infinity`: then nothing is given up for want of time.
///
/// ```swift
/// var item = PlayerItem(url: radio)
/// item.retryPolicy.giveUpAfter = 300     // five minutes without a network
/// ```
public struct RetryPolicy: Codable, Hashable, Sendable {
    /// How often the connection is made again after it broke off, until something has come once more.
    public var attempts = 8
    /// In seconds: from the first failed attempt to the second. The first is made at once.
    public var firstDelay = 0.25
    /// By how much each further delay is longer than the one before.
    public var backoff = 2.0
    /// In seconds: no delay is longer.
    public var longestDelay = 4.0
    /// In `0...1`: by so much of itself each delay may be longer or shorter, so that many players do not come back at once.
    public var jitter = 0.2
    /// In seconds, from the last that has come: later nothing is tried any more.
    public var giveUpAfter = 10.0
    /// In seconds: a server that sends nothing for so long is taken to be gone.
    public var longestSilence = 4.0
    /// In seconds: what has not begun by then has failed.
    public var longestOpening = 9.0
    /// In seconds: what does not go on by then, though it is to play, has failed.
    public var longestStall = 9.0
    /// The errors after which another attempt is made; `nil`: those that say of themselves that it makes sense.
    public var codes: Set<PlaybackErrorCode>?

    /// In seconds: a day.
    private static let longestUsefulDelay = 86400.0

    /// As the properties say by default.
    public init() {}

    /// The default.
    public static let standard = RetryPolicy()

    /// What breaks off has failed.
    public static var none: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 0
        return policy
    }

    /// Whether another attempt may succeed.
    public func covers(_ error: PlaybackError) -> Bool { codes?.contains(error.code) ?? error.isRetryable }

    /// In seconds: how long to wait before an attempt; `nil` if none is to be made.
    ///
    /// - Parameters:
    ///   - attempt: 0 for the first.
    ///   - error: what went wrong last.
    ///   - elapsed: in seconds, since the last that has come.
    ///   - chance: in `0...1`: where between the shortest and the longest delay.
    public func delay(
        before attempt: Int, after error: PlaybackError, elapsed: Double, chance: Double = .random(in: 0...1)
    ) -> Double? {
        guard attempt < attempts, covers(error) else { return nil }
        let regular = attempt == 0 ? 0 : min(longestDelay, firstDelay * pow(backoff, Double(attempt - 1)))
        let delay = max(0, regular * (1 + jitter * (2 * chance - 1)))
        guard delay.isFinite, elapsed + delay <= giveUpAfter else { return nil }
        return min(delay, Self.longestUsefulDelay)
    }
}
