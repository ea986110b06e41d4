import MediaTransport
import Playback
import Testing

@Suite struct RetryStateTests {
    /// An item that has played since the outage is opened again, for example in another quality.
    @Test(arguments: [(0.5, true), (1.5, false)])
    func anOutageCountsUntilTheItemHasRecovered(played: Double, isOverdue: Bool) {
        var retry = RetryState(policy: .standard, canReaddress: false)
        let error = PlaybackError(.connectionLost, url: nil)
        #expect(retry.nextAttempt(after: error, isLive: true, at: .seconds(10)) == 0)
        retry.played += played
        retry.willRestart(after: 0, at: .seconds(60))
        #expect(retry.isOverdue(isOpening: true, isRestarting: true, at: .seconds(61)) == isOverdue)
        retry.reconnect(at: .seconds(60))
        #expect(!retry.isOverdue(isOpening: true, isRestarting: true, at: .seconds(61)))
    }
}
