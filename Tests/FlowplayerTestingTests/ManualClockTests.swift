import FlowplayerTesting
import Testing

@Suite struct ManualClockTests {
    @Test func aSleeperWakesWhenItsTimeHasCome() async throws {
        let clock = ManualClock()
        let (woken, wake) = AsyncStream<Duration>.makeStream()
        let sleeper = Task {
            try await clock.sleep(until: .init(offset: .seconds(5)))
            wake.yield(clock.hostTime)
            wake.finish()
        }
        await clock.untilSleeping()
        await clock.advance(by: .seconds(4))
        #expect(clock.isAwaited)
        await clock.advance(by: .seconds(56))
        #expect(!clock.isAwaited)
        for await time in woken { #expect(time >= .seconds(5)) }
        try await sleeper.value
        #expect(clock.hostTime == .seconds(60))
    }

    @Test func aTimeThatIsPastIsNotWaitedFor() async throws {
        let clock = ManualClock()
        await clock.advance(by: .seconds(9))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        #expect(clock.hostTime == .seconds(9))
    }

    @Test func aCancelledSleeperWakesAtOnce() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: .init(offset: .seconds(5))) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.hostTime == .zero)
    }
}
