import Foundation
import Testing

@testable import MediaTransport

/// The times of HLS segments in fragmented mp4.
@Suite struct FragmentTimesTests {
    private let video = URL(string: "https://host/video.m3u8")!
    private let audio = URL(string: "https://host/audio.m3u8")!

    private func part(_ number: Int, of playlist: URL) -> HLSSegment.Part {
        HLSSegment.Part(url: playlist.appending(path: "\(number).m4s"))
    }

    /// Segments of two seconds.
    private func segments(_ numbers: Range<Int>, of playlist: URL) -> [HLSSegment] {
        numbers.map { number in
            let map = HLSSegment.Part(url: playlist.appending(path: "init.mp4"))
            return HLSSegment(number: number, part: part(number, of: playlist), map: map, duration: 2)
        }
    }

    @Test func aPlaylistCountsFromTheFirstSegmentOfItsFirstVersion() {
        var times = FragmentTimes(isFromZero: true)
        times.add(segments(100..<105, of: video), of: video)
        #expect(times.fragment(part(102, of: video))?.start == 4)
        times.add(segments(103..<108, of: video), of: video)
        #expect(times.fragment(part(107, of: video))?.start == 14)
        #expect(times.fragment(part(102, of: video))?.start == 4, "it may still be requested")
        times.add(segments(110..<115, of: video), of: video)
        #expect(times.fragment(part(110, of: video))?.start == 20, "two segments were missed")
        times.add(segments(200..<205, of: video), of: video)
        #expect(times.fragment(part(114, of: video)) == nil)
        #expect(times.isMap(HLSSegment.Part(url: video.appending(path: "init.mp4"))))
        #expect(!times.isMap(part(200, of: video)))
    }

    @Test func theTracksOfAStreamHaveTheSameShift() {
        var times = FragmentTimes(isFromZero: true)
        times.add(segments(100..<105, of: video), of: video)
        times.add(segments(101..<106, of: audio), of: audio)
        #expect(times.fragment(part(101, of: audio))?.start == 2)
        #expect(times.shift(of: 3600.08, startingAt: 0) == 3600.08)
        #expect(times.shift(of: 3602, startingAt: 2) == 3600.08)
        #expect(times.shift(of: 3601.9, startingAt: 0) == 3600.08)
    }

    @Test func anotherTimeAfterADiscontinuityHasItsOwnShift() {
        var times = FragmentTimes(isFromZero: true)
        times.add(segments(0..<10, of: video), of: video)
        #expect(times.shift(of: 0.08, startingAt: 0) == 0, "an ordinary stream stays as it is")
        #expect(times.shift(of: 9000, startingAt: 6) == 8994)
        #expect(times.shift(of: 4, startingAt: 4) == 0, "the other track is still before it")
        #expect(times.shift(of: 9002, startingAt: 8) == 8994)
    }

    @Test func timesMayBeginAtTheFirstSegment() {
        var times = FragmentTimes(isFromZero: false)
        times.add(segments(0..<10, of: video), of: video)
        #expect(times.shift(of: 9004.1, startingAt: 4) == 0)
        #expect(times.shift(of: 9006, startingAt: 6) == 0)
        #expect(abs(times.shift(of: 0.1, startingAt: 8) + 9008) < 0.001, "they continue after a discontinuity")
    }
}
