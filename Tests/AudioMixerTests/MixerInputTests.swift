import Foundation
import Testing

@testable import AudioMixer

/// The maths of what is mixed, without a server and without time.
@Suite struct MixerInputTests {
    private static let chunk = 480

    /// So many frames, all of one value.
    private func block(_ frames: Int, _ value: Float = 0.5) -> [Float] { Array(repeating: value, count: frames * 2) }

    /// The left side of a chunk to which the voice has added its part.
    private func mix(
        _ voice: inout MixerInput, at time: Int64 = 0, after lead: MixerInput.Lead = .none, overlaps: Bool = false
    ) -> [Float] {
        var chunk = [Float](repeating: 0, count: Self.chunk * 2)
        voice.mix(into: &chunk, heardAt: time, after: lead, overlaps: overlaps)
        #expect(stride(from: 0, to: chunk.count, by: 2).allSatisfy { chunk[$0] == chunk[$0 + 1] })
        return stride(from: 0, to: chunk.count, by: 2).map { chunk[$0] }
    }

    @Test func theFirstSoundWaitsForItsTime() {
        var voice = MixerInput()
        voice.push(block(1000), at: 15_000)
        #expect(mix(&voice, at: 0).allSatisfy { $0 == 0 })
        let sound = mix(&voice, at: 10_000)
        #expect(sound.firstIndex { $0 != 0 } == 240)
        #expect(sound[240] == 0.5)
        #expect(mix(&voice, at: 20_000).allSatisfy { $0 == 0.5 })
    }

    @Test func whatFollowsBeginsAtTheVeryNextFrame() {
        var (first, second) = (MixerInput(), MixerInput())
        first.push(block(700), at: 0)
        first.drain()
        second.push(block(1000, 0.25), at: 500_000)
        #expect(mix(&first).allSatisfy { $0 == 0.5 })
        #expect(mix(&second, after: .sounding).allSatisfy { $0 == 0 })
        let end = mix(&first, at: 10_000)
        #expect(first.isOver)
        #expect(first.endFrame == 220)
        let start = mix(&second, at: 10_000, after: .over(220))
        #expect(
            zip(end, start).map { $0 + $1 } == Array(repeating: 0.5, count: 220) + Array(repeating: 0.25, count: 260))
    }

    @Test func soundThatRanDryGoesOnAtItsTime() {
        var voice = MixerInput()
        voice.push(block(240), at: 0)
        #expect(mix(&voice).count { $0 != 0 } == 240)
        #expect(!voice.isOver)
        voice.push(block(480), at: 22_000)
        #expect(mix(&voice, at: 10_000).allSatisfy { $0 == 0 })
        #expect(mix(&voice, at: 20_000).firstIndex { $0 != 0 } == 96)
    }

    @Test func whatIsHeldFadesWithinAChunkAndGoesOnWhereItWas() {
        var voice = MixerInput()
        voice.push(block(2000), at: 0)
        _ = mix(&voice)
        voice.isHeld = true
        let fading = mix(&voice, at: 10_000)
        #expect(fading == fading.sorted(by: >))
        #expect(abs(fading[479]) < 1e-4)
        #expect(mix(&voice, at: 20_000).allSatisfy { $0 == 0 })
        #expect(!voice.isActive)
        #expect(voice.frameCount == 2000 - 960)
        voice.isHeld = false
        #expect(abs(mix(&voice, at: 5_000_000)[479] - 0.5) < 1e-4)
        #expect(voice.frameCount == 2000 - 1440)
    }

    @Test func aFlushAfterTheEndMeansNothing() {
        var voice = MixerInput()
        voice.push(block(1000), at: 0)
        voice.flush()
        #expect(voice.frameCount == 0)
        voice.push(block(1000), at: 0)
        voice.drain()
        voice.flush()
        #expect(voice.frameCount == 1000)
        voice.discard()
        #expect(voice.frameCount == 0)
    }

    @Test func theVolumeIsThatOfLibVLC() {
        var voice = MixerInput()
        voice.volume = 0.5
        voice.push(block(2000), at: 0)
        #expect(mix(&voice).allSatisfy { $0 == 0.0625 })
        voice.isMuted = true
        _ = mix(&voice, at: 10_000)
        #expect(mix(&voice, at: 20_000).allSatisfy { $0 == 0 })
        #expect(voice.frameCount == 2000 - 1440)
    }

    @Test func aServerThatTookNothingForAWhileIsMadeUpFor() {
        var voice = MixerInput()
        voice.push(block(48_000), at: 0)
        _ = mix(&voice, at: 20_000)
        #expect(voice.delay == 20_000)
        _ = mix(&voice, at: 530_000)
        #expect(voice.frameCount == 48_000 - 960 - 24_000)
    }

    @Test func paddingBehindTheEndIsLeftOut() {
        var voice = MixerInput()
        voice.length = 1500
        voice.push(block(1024), at: 0)
        voice.push(block(1024), at: 21_333)
        voice.drain()
        #expect(voice.frameCount == 1500)
        // So much more is no padding: the length is wrong.
        var other = MixerInput()
        other.length = 1000
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
        var voice = MixerInput()
        voice.push(block(480), at: 5000)
        #expect(mix(&voice, after: .sounding, overlaps: true).firstIndex { $0 != 0 } == 240)
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
