import Foundation
import Playback

extension RetryPolicy {
    /// A policy for a machine whose cores are busy with other programs: nothing times out. The number of retries is limited.
    public static var unlimited: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.attempts = 8
        (policy.readTimeout, policy.openTimeout, policy.stallTimeout, policy.giveUpAfter) = (60, 600, 600, 600)
        return policy
    }
}

extension PlayerItem {
    /// An item with the policy `unlimited`.
    public init(unlimited url: URL) {
        self.init(url: url)
        retryPolicy = .unlimited
    }
}
