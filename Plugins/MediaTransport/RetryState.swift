import Foundation
import Playback

/// The errors of one item, and the attempts to continue after them.
package struct RetryState {
    private struct Outage {
        let since: Duration
        /// The playback time before it, in seconds.
        let played: Double
        var attempts = 0
    }

    private struct AddressRequest {
        let error: PlaybackError
        /// The playback time before it, in seconds.
        let played: Double
        /// The time of the answer; `nil` while the request is pending.
        var answer: Duration?
    }

    /// An item that plays for this time after an error has recovered, in seconds.
    private static let recoveryTime = 1.0
    /// A new address that is refused within this time was never valid.
    private static let addressProbation = Duration.seconds(10)

    package let policy: RetryPolicy
    package let canReaddress: Bool
    /// Since when data are expected that have not arrived.
    package var waitingSince: Duration?
    /// The reason why no more data could be read.
    package var readError: PlaybackError?
    /// The playback time of the item so far, in seconds.
    package var played = 0.0
    /// The number of all attempts.
    package private(set) var total = 0
    private var outage: Outage?
    private var addressRequest: AddressRequest?

    package init(policy: RetryPolicy, canReaddress: Bool) {
        self.policy = policy
        self.canReaddress = canReaddress
    }

    // MARK: Attempts

    /// Returns the delay before the next attempt in seconds, or `nil` if there is none.
    package mutating func nextAttempt(after error: PlaybackError, isLive: Bool, at time: Duration) -> Double? {
        // A segment of a live stream, or a station, can be missing for a while.
        let policy = isLive && error.code == .httpStatus ? policy.covering(error) : policy
        if outage.map({ hasRecovered(since: $0.played) }) ?? true {
            // The stall before the error counts too: the limits do not add up.
            outage = Outage(since: min(waitingSince ?? time, time), played: played)
        }
        guard let outage else { return nil }
        let elapsed = (time - outage.since) / .seconds(1)
        guard let delay = policy.delay(before: outage.attempts, after: error, elapsed: elapsed) else { return nil }
        self.outage?.attempts += 1
        total += 1
        return delay
    }

    /// An attempt is made after a delay in seconds. Earlier errors do not explain its failure.
    package mutating func willRestart(after delay: Double, at time: Duration) {
        (readError, waitingSince) = (nil, time + .seconds(delay))
    }

    /// The last data came some time ago, and more are expected.
    package mutating func dataArrived(_ silence: Duration, before time: Duration) {
        waitingSince = max(waitingSince ?? time, time - silence)
    }

    /// The user resumes an item that was disconnected. Earlier errors do not count.
    package mutating func reconnect(at time: Duration) {
        outage = nil
        willRestart(after: 0, at: time)
    }

    /// Returns `true` if nothing has arrived for longer than the policy allows.
    package func isOverdue(isOpening: Bool, isRestarting: Bool, at time: Duration) -> Bool {
        guard let waitingSince else { return false }
        let pending = outage.flatMap { hasRecovered(since: $0.played) ? nil : $0.since }
        let since = isRestarting ? pending ?? waitingSince : waitingSince
        let limit =
            isRestarting ? policy.giveUpAfter : isOpening ? policy.openTimeout : policy.stallTimeout
        return (time - since) / .seconds(1) > limit
    }

    /// Adds the attempts to the error that ends them.
    package func summarised(_ error: PlaybackError, at time: Duration) -> PlaybackError {
        var error = error
        if let outage, outage.attempts > 0, !hasRecovered(since: outage.played) {
            error = error.after(.retried(times: outage.attempts, seconds: (time - outage.since) / .seconds(1)))
        }
        return isAddressRequestExhausted(at: time) ? error.after(.askedForAddress) : error
    }

    private func hasRecovered(since before: Double) -> Bool { played - before >= Self.recoveryTime }

    // MARK: Address requests

    /// The error that caused the pending address request.
    package var pendingAddressError: PlaybackError? { addressRequest?.answer == nil ? addressRequest?.error : nil }

    /// Returns `true` if a new address can solve the error.
    package func mayRequestAddress(after error: PlaybackError, at time: Duration) -> Bool {
        error.suggestsExpiry && canReaddress && !isAddressRequestExhausted(at: time)
    }

    package mutating func requestAddress(after error: PlaybackError, at time: Duration) {
        addressRequest = AddressRequest(error: error, played: played)
        outage = nil
        willRestart(after: 0, at: time)
    }

    package mutating func addressAnswered(at time: Duration) {
        addressRequest?.answer = time
        waitingSince = time
    }

    /// `true` if an address was requested and did not help.
    private func isAddressRequestExhausted(at time: Duration) -> Bool {
        guard let addressRequest, !hasRecovered(since: addressRequest.played) else { return false }
        return addressRequest.answer.map { time - $0 < Self.addressProbation } ?? true
    }
}

extension RetryPolicy {
    /// The same limits, for an error that may pass although the policy does not cover it.
    func covering(_ error: PlaybackError) -> RetryPolicy {
        var policy = self
        policy.codes = [error.code]
        return policy
    }
}
