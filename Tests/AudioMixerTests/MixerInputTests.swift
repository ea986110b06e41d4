import Foundation
import Testing

@testable import AudioMixer

/// The mixing of inputs, without a server and without a clock.
@Suite struct MixerInputTests {
    private static let chunk = 480

    /// Frames with the same value.
    private func block(_ frames: Int, _ value: Float = 0.5) -> [Int16] {
        Array(repeating: Int16(value * 32768), count: frames * 2)
    }

    /// The left samples of the next chunk of an input.
    private func mix(
        _ input: inout MixerInput, at time: Int64 = 0, after predecessor: MixerInput.Predecessor = .none,
        overlaps: Bool = false
    ) -> [Float] {
        var chunk = [Float](repeating: 0, count: Self.chunk * 2)
        input.mix(into: &chunk, heardAt: time, after: predecessor, overlaps: overlaps)
        #expect(stride(from: 0, to: chunk.count, by: 2).allSatisfy { chunk[$0] == chunk[$0 + 1] })
        return stride(from: 0, to: chunk.count, by: 2).map { chunk[$0] }
    }

    @Test func theFirstAudioWaitsForItsTime() {
        var input = MixerInput()
        input.push(block(1000), at: 15_000)
        #expect(mix(&input, at: 0).allSatisfy { $0 == 0 })
        let audio = mix(&input, at: 10_000)
        #expect(audio.firstIndex { $0 != 0 } == 240)
        #expect(audio[240] == 0.5)
        #expect(mix(&input, at: 20_000).allSatisfy { $0 == 0.5 })
    }

    @Test func whatFollowsBeginsAtTheVeryNextFrame() {
        var (first, second) = (MixerInput(), MixerInput())
        first.push(block(700), at: 0)
        first.drain()
        second.push(block(1000, 0.25), at: 500_000)
        #expect(mix(&first).allSatisfy { $0 == 0.5 })
        #expect(mix(&second, after: .playing).allSatisfy { $0 == 0 })
        let end = mix(&first, at: 10_000)
        #expect(first.hasEnded)
        #expect(first.asPredecessor == .ended(at: 220))
        let start = mix(&second, at: 10_000, after: .ended(at: 220))
        #expect(
            zip(end, start).map { $0 + $1 } == Array(repeating: 0.5, count: 220) + Array(repeating: 0.25, count: 260))
    }

    @Test func audioThatWasMissingResumesAtItsTime() {
        var input = MixerInput()
        input.push(block(240), at: 0)
        #expect(mix(&input).count { $0 != 0 } == 240)
        #expect(!input.hasEnded)
        input.push(block(480), at: 22_000)
        #expect(mix(&input, at: 10_000).allSatisfy { $0 == 0 })
        #expect(mix(&input, at: 20_000).firstIndex { $0 != 0 } == 96)
    }

    @Test func aPausedInputFadesWithinAChunkAndContinuesAtItsPosition() {
        var input = MixerInput()
        input.push(block(2000), at: 0)
        _ = mix(&input)
        input.isPaused = true
        let fading = mix(&input, at: 10_000)
        #expect(fading == fading.sorted(by: >))
        #expect(abs(fading[479]) < 1e-4)
        #expect(mix(&input, at: 20_000).allSatisfy { $0 == 0 })
        #expect(!input.isActive)
        #expect(input.frameCount == 2000 - 960)
        input.isPaused = false
        #expect(abs(mix(&input, at: 5_000_000)[479] - 0.5) < 1e-4)
        #expect(input.frameCount == 2000 - 1440)
    }

    @Test func aFlushAfterTheEndMeansNothing() {
        var input = MixerInput()
        input.push(block(1000), at: 0)
        input.flush()
        #expect(input.frameCount == 0)
        input.push(block(1000), at: 0)
        input.drain()
        input.flush()
        #expect(input.frameCount == 1000)
        input.discard()
        #expect(input.frameCount == 0)
    }

    @Test func theVolumeIsThatOfLibVLC() {
        var input = MixerInput()
        input.volume = 0.5
        input.push(block(2000), at: 0)
        #expect(mix(&input).allSatisfy { $0 == 0.0625 })
        input.isMuted = true
        _ = mix(&input, at: 10_000)
        #expect(mix(&input, at: 20_000).allSatisfy { $0 == 0 })
        #expect(input.frameCount == 2000 - 1440)
    }

    @Test func aServerThatTookNothingForAWhileIsMadeUpFor() {
        var input = MixerInput()
        input.push(block(48_000), at: 0)
        _ = mix(&input, at: 20_000)
        #expect(input.delay == 20_000)
        _ = mix(&input, at: 530_000)
        #expect(input.frameCount == 48_000 - 960 - 24_000)
    }

    /// The device of the audio server is slower or faster than the clock.
    @Test(arguments: [50_000, -50_000])
    func anInputThatKeepsTimeReturnsToIt(deviation: Int64) {
        var input = MixerInput(keepsTime: true)
        input.push(block(480), at: -10_000)
        _ = mix(&input, at: -10_000)
        for number in 0..<60 { input.push(block(24_000), at: Int64(number) * 500_000) }
        for number in 0..<2700 { #expect(mix(&input, at: deviation + Int64(number) * 10_000).allSatisfy { $0 == 0.5 }) }
        let time = deviation + 27_000_000
        #expect(abs(time - (input.nextTime ?? 0)) <= 11_000)
    }

    @Test func anInputThatKeepsTimeWaitsWhereTimesSkipAPart() {
        var input = MixerInput(keepsTime: true)
        input.push(block(480), at: 0)
        input.push(block(480), at: 505_000)
        #expect(mix(&input).allSatisfy { $0 == 0.5 })
        #expect(mix(&input, at: 10_000).allSatisfy { $0 == 0 })
        #expect(mix(&input, at: 490_000).allSatisfy { $0 == 0 })
        #expect(mix(&input, at: 500_000).firstIndex { $0 != 0 } == 240)
    }

    @Test func aPauseIsNoDeviation() {
        var input = MixerInput(keepsTime: true)
        input.push(block(4800), at: 0)
        _ = mix(&input)
        input.isPaused = true
        _ = mix(&input, at: 10_000)
        input.isPaused = false
        _ = mix(&input, at: 5_000_000)
        #expect(input.frameCount == 4800 - 3 * 480)
        input.push(block(4800), at: 5_090_000)
        for number in 1...6 { _ = mix(&input, at: 5_000_000 + Int64(number) * 10_000) }
        #expect(input.frameCount == 9600 - 9 * 480)
    }

    @Test func paddingBehindTheEndIsLeftOut() {
        var input = MixerInput()
        input.duration = 1500 / 48000
        input.push(block(1024), at: 0)
        input.push(block(1024), at: 21_333)
        input.drain()
        #expect(input.frameCount == 1500)
        // More than two packets is not padding. The duration is wrong.
        var other = MixerInput()
        other.duration = 1000 / 48000
        other.push(block(4000), at: 0)
        other.drain()
        #expect(other.frameCount == 4000)
    }

    @Test func aCrossfadeStaysAsLoud() {
        var (fadeOut, fadeIn) = (AudioFade(isIn: false, seconds: 1), AudioFade(isIn: true, seconds: 1))
        for index in 0..<60_000 {
            let (out, into) = (fadeOut.next(), fadeIn.next())
            #expect(abs(out * out + into * into - 1) < 1e-5)
            if index == 0 { #expect(into == 0 && out == 1) }
            if index == 59_999 { #expect(into == 1 && abs(out) < 1e-6) }
        }
    }

    @Test func whatFadesInBeginsWhileTheOtherIsHeard() {
        var input = MixerInput()
        input.push(block(480), at: 5000)
        #expect(mix(&input, after: .playing, overlaps: true).firstIndex { $0 != 0 } == 240)
    }

    /// A block of one second would have thousands of seconds at a rate of 1 Hz.
    @Test(arguments: [(0, 0), (1, 0), (999, 0), (1000, 48000)])
    func audioOfDamagedFilesIsIgnored(rate: Int, frames: Int) {
        var input = MixerInput()
        input.begin(rate: rate)
        input.push(block(1000), at: 0)
        #expect(input.frameCount == frames)
    }

    @Test(arguments: [44100, 96000, 22050])
    func whatIsConvertedIsAsLongAndTheSameTone(rate: Int) throws {
        var resampler = AudioResampler(from: rate)
        func tone(_ frame: Int, _ rate: Int) -> Double { 0.5 * sin(2 * .pi * 997 * Double(frame) / Double(rate)) }
        let samples = (0..<rate).flatMap { [Float(tone($0, rate)), Float(-tone($0, rate))] }
        var result: [Float] = []
        for start in stride(from: 0, to: samples.count, by: 2304) {
            result += resampler.process(Array(samples[start..<min(start + 2304, samples.count)]))
        }
        result += resampler.finish()
        #expect(result.count == 2 * AudioFormat.rate)
        let errors = (100..<AudioFormat.rate - 100).map { frame in
            max(
                abs(Double(result[2 * frame]) - tone(frame, AudioFormat.rate)),
                abs(Double(result[2 * frame + 1]) + tone(frame, AudioFormat.rate)))
        }
        #expect(try #require(errors.max()) < 1e-4)
    }
}
