import Testing

@testable import Playback

@Suite struct PlayheadTests {
    @Test func runsWithTheRateBetweenTwoPoints() {
        var playhead = Playhead(position: 10, hostTime: .seconds(1), rate: 2)
        #expect(playhead.position(at: .seconds(2)) == 10)
        playhead.advance(at: .seconds(2))
        #expect(playhead.position(at: .seconds(3)) == 12)
    }

    @Test func stopsSoonWithoutATimeOfTheEngine() {
        var playhead = Playhead(position: 0, hostTime: .zero, rate: 2)
        playhead.advance(at: .zero)
        #expect(playhead.position(at: .seconds(1.5)) == 3)
        #expect(playhead.position(at: .seconds(60)) == 3)
        playhead.sync(to: 3.5, at: .seconds(60))
        #expect(playhead.position(at: .seconds(61)) == 5.5)
    }

    @Test func waitsWhenTheEngineIsBehind() {
        var playhead = Playhead(position: 0, hostTime: .zero)
        playhead.advance(at: .zero)
        #expect(playhead.position(at: .seconds(1)) == 1)
        playhead.sync(to: 0.5, at: .seconds(1))
        #expect(playhead.position(at: .seconds(1)) == 1)
        #expect(playhead.position(at: .seconds(1.4)) == 1)
        #expect(playhead.position(at: .seconds(2)) == 1.5)
    }

    @Test func followsTheEngineForwards() {
        var playhead = Playhead(position: 0, hostTime: .zero)
        playhead.advance(at: .zero)
        playhead.sync(to: 5, at: .seconds(1))
        #expect(playhead.position(at: .seconds(2)) == 6)
    }

    @Test func neverPassesTheEnd() {
        var playhead = Playhead(position: 0, hostTime: .zero, limit: 1)
        playhead.advance(at: .zero)
        #expect(playhead.position(at: .seconds(60)) == 1)
        playhead.setLimit(0.5)
        #expect(playhead.position(at: .seconds(60)) == 0.5)
    }

    @Test func staysWhereItWasStopped() {
        var playhead = Playhead(position: 0, hostTime: .zero)
        playhead.advance(at: .zero)
        playhead.pause(at: .seconds(1))
        #expect(playhead.position(at: .seconds(9)) == 1)
        playhead.advance(at: .seconds(9))
        #expect(playhead.position(at: .seconds(10)) == 2)
    }

    @Test func changesTheRateWithoutAStep() {
        var playhead = Playhead(position: 0, hostTime: .zero)
        playhead.advance(at: .zero)
        playhead.setRate(4, at: .seconds(1))
        #expect(playhead.position(at: .seconds(1)) == 1)
        #expect(playhead.position(at: .seconds(2)) == 5)
    }
}
