import Foundation
import Synchronization
import Testing

@testable import AudioMixer

private final class Ends: Sendable {
    let values = Mutex<[Double]>([])
}

/// The transitions between inputs, without a server and without a clock.
@Suite struct MixerTests {
    private static let chunk = 480
    private let mixer = Mixer(wake: {})

    private func makeInput(onEnd: @escaping @Sendable (Double) -> Void = { _ in }) -> MixerInputQueue {
        mixer.makeInput(isPaused: false, onEnd: onEnd)
    }

    /// Pushes frames of one value.
    private func push(_ frames: Int, _ value: Float = 0.5, at time: Int64 = 0, to input: MixerInputQueue) {
        let samples = [Int16](repeating: Int16(value * 32768), count: frames * 2)
        samples.withUnsafeBufferPointer { input.push($0, at: time) }
    }

    /// The left samples of the next chunk.
    private func mix(at time: Int64 = 0, latency: Int64 = 0) -> [Float] {
        let chunk = mixer.mix(frames: Self.chunk, at: time, latency: latency)
        return stride(from: 0, to: chunk.count, by: 2).map { chunk[$0] }
    }

    @Test(arguments: [false, true])
    func anInputStartsAtTheFrameAfterItsPredecessor(isCreatedFirst: Bool) {
        let inputs = [makeInput(), makeInput()]
        let (first, second) = isCreatedFirst ? (inputs[0], inputs[1]) : (inputs[1], inputs[0])
        push(700, to: first)
        first.drain()
        push(1000, 0.25, at: 500_000, to: second)
        second.follow(first, crossfade: 0)
        #expect(mix().allSatisfy { $0 == 0.5 })
        #expect(mix(at: 10_000) == Array(repeating: 0.5, count: 220) + Array(repeating: 0.25, count: 260))
    }

    @Test func anInputStartsAtOnceIfItsPredecessorEndedAndWasRemoved() {
        let (first, second) = (makeInput(), makeInput())
        second.follow(first, crossfade: 0)
        push(100, to: first)
        first.drain()
        #expect(mix().count { $0 != 0 } == 100)
        mixer.remove(first.id)
        push(1000, at: 500_000, to: second)
        #expect(mix(at: 10_000).allSatisfy { $0 == 0.5 })
    }

    @Test func anInputStartsAtItsTimeIfItsPredecessorWasRemovedBeforeItsEnd() {
        let (first, second) = (makeInput(), makeInput())
        second.follow(first, crossfade: 0)
        push(1000, to: first)
        _ = mix()
        mixer.remove(first.id)
        push(1000, at: 15_000, to: second)
        #expect(mix(at: 10_000).firstIndex { $0 != 0 } == 240)
    }

    @Test func bothInputsAreHeardInACrossfade() {
        let (first, second) = (makeInput(), makeInput())
        second.follow(first, crossfade: 0.01)
        push(960, 0.5, to: first)
        first.drain()
        push(960, 0.25, at: 10_000, to: second)
        #expect(mix().allSatisfy { $0 == 0.5 })
        let fade = mix(at: 10_000)
        // The second input starts in this chunk. The first one fades out in the next.
        #expect(fade[0] == 0.5 && fade[479] > 0.74)
        #expect(first.isFinished == false)
        #expect(abs(mix(at: 20_000)[479] - 0.25) < 1e-3)
        #expect(first.isFinished)
    }

    @Test func theEndIsReportedWithTheTimeUntilItIsHeard() {
        let ends = Ends()
        let input = makeInput { seconds in ends.values.withLock { $0.append(seconds) } }
        push(240, to: input)
        input.drain()
        #expect(mixer.pollActivity())
        _ = mix(latency: 20_000)
        #expect(ends.values.withLock { $0 } == [0.025])
        #expect(input.isFinished)
        #expect(!mixer.pollActivity())
    }

    @Test func theTimeLeftIsKnownAfterTheDrain() throws {
        let input = makeInput()
        input.begin(rate: 44100)
        push(44100, to: input)
        #expect(input.secondsLeft == nil)
        input.drain()
        #expect(abs(try #require(input.secondsLeft) - 1) < 1e-3)
    }

    @Test func audioOfAnotherRateLastsAsLong() {
        let input = makeInput()
        input.begin(rate: 44100)
        for block in 0..<100 { push(441, at: Int64(block) * 10_000, to: input) }
        input.drain()
        let audio = (0..<101).flatMap { mix(at: Int64($0) * 10_000) }
        #expect(audio.lastIndex { $0 != 0 } == 47_999)
        #expect(input.isFinished)
    }

    @Test func primingAndPaddingAreDropped() {
        let input = makeInput()
        input.trim(priming: 0.01, duration: 0.02)
        input.begin(rate: 48000)
        push(480, 0.25, at: 0, to: input)
        push(1000, 0.5, at: 10_000, to: input)
        input.drain()
        let audio = (0..<4).flatMap { mix(at: Int64($0) * 10_000) }
        #expect(audio == Array(repeating: 0.5, count: 960) + Array(repeating: 0, count: 960))
    }

    @Test func aSeekAfterTheLastBlockDropsTheRest() {
        let input = makeInput()
        push(1000, to: input)
        input.prepareForSeek()
        #expect(input.nextTime == 0)
        input.drain()
        input.prepareForSeek()
        #expect(input.nextTime == nil)
    }

    @Test func aPausedInputIsNotActive() {
        let input = mixer.makeInput(isPaused: true, onEnd: { _ in })
        push(1000, to: input)
        #expect(!mixer.pollActivity())
        input.setPaused(false)
        #expect(mixer.pollActivity())
    }
}
