import Foundation
import Testing

@testable import MediaTransport

/// The times of HLS segments in fragmented mp4.
@Suite struct SegmentTimesTests {
    private let video = URL(string: "https://host/video.m3u8")!
    private let audio = URL(string: "https://host/audio.m3u8")!

    private func part(_ number: Int, of playlist: URL) -> HLSSegment.Part {
        HLSSegment.Part(url: playlist.appending(path: "\(number).m4s"))
    }

    /// Segments of two seconds. A discontinuity precedes some of them.
    private func segments(
        _ numbers: Range<Int>, of playlist: URL, discontinuities: [Int] = [], dropped: Int = 0
    ) -> [HLSSegment] {
        numbers.map { number in
            let map = HLSSegment.Part(url: playlist.appending(path: "init.mp4"))
            let period = dropped + discontinuities.count { $0 > numbers.lowerBound && $0 <= number }
            return HLSSegment(number: number, part: part(number, of: playlist), map: map, duration: 2, period: period)
        }
    }

    @Test func aPlaylistCountsFromTheFirstSegmentOfItsFirstVersion() {
        var times = SegmentTimes(isFromZero: true)
        times.add(segments(100..<105, of: video), of: video)
        #expect(times.start(of: 102, in: video) == 4)
        times.add(segments(103..<108, of: video), of: video)
        #expect(times.start(of: 107, in: video) == 14)
        #expect(times.start(of: 102, in: video) == 4, "it may still be requested")
        times.add(segments(110..<115, of: video), of: video)
        #expect(times.start(of: 110, in: video) == 20, "two segments were missed")
        times.add(segments(300..<305, of: video), of: video)
        #expect(times.start(of: 114, in: video) == nil)
    }

    @Test func theTracksOfAStreamHaveTheSameShift() {
        var times = SegmentTimes(isFromZero: true)
        times.add(segments(100..<105, of: video), of: video)
        times.add(segments(101..<106, of: audio), of: audio)
        #expect(times.start(of: 101, in: audio) == 2)
        #expect(times.shift(of: 3600.08, in: 100, of: video) == 3600.08)
        #expect(times.shift(of: 3602, in: 101, of: audio) == 3600.08)
        #expect(times.shift(of: 3601.9, in: 100, of: video) == 3600.08)
    }

    /// The second part begins at 0 again, which is as near to the times of the first as its own segments are.
    @Test func eachPeriodHasItsOwnShift() {
        var times = SegmentTimes(isFromZero: true)
        for playlist in [video, audio] {
            times.add(segments(0..<6, of: playlist, discontinuities: [2, 4]), of: playlist)
        }
        #expect(times.shift(of: 0.08, in: 0, of: video) == 0, "an ordinary stream stays as it is")
        // The first part began at 0.08.
        #expect(times.shift(of: 0, in: 2, of: video) == -4.08)
        #expect(times.shift(of: 0.1, in: 2, of: audio) == -4.08)
        #expect(times.shift(of: 2, in: 1, of: audio) == 0, "the other track is still before it")
        #expect(times.shift(of: 4, in: 4, of: video) == -4.08, "the first part continues behind an advertisement")
    }

    @Test func aJumpWithoutADiscontinuityHasItsOwnShift() {
        var times = SegmentTimes(isFromZero: true)
        times.add(segments(0..<10, of: video), of: video)
        #expect(times.shift(of: 0.08, in: 0, of: video) == 0)
        let shift = times.shift(of: 9000, in: 3, of: video)
        #expect(abs(shift - 8993.92) < 0.001)
        #expect(times.shift(of: 4, in: 2, of: video) == 0)
        #expect(times.shift(of: 9002, in: 4, of: video) == shift)
    }

    /// A server should count the discontinuities that have left the playlist.
    @Test(arguments: [0, 1]) func aDroppedDiscontinuityChangesNothing(counted: Int) {
        var times = SegmentTimes(isFromZero: true)
        times.add(segments(0..<4, of: video, discontinuities: [2]), of: video)
        #expect(times.shift(of: 0, in: 0, of: video) == 0)
        #expect(times.shift(of: 0, in: 2, of: video) == -4)
        times.add(segments(2..<8, of: video, discontinuities: [6], dropped: counted), of: video)
        #expect(times.shift(of: 6, in: 5, of: video) == -4)
        #expect(times.shift(of: 0, in: 6, of: video) == -12)
    }

    @Test func timesMayBeginAtTheFirstSegment() {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(0..<10, of: video, discontinuities: [4]), of: video)
        #expect(times.shift(of: 9002.1, in: 1, of: video) == 0)
        #expect(times.shift(of: 9004, in: 2, of: video) == 0)
        #expect(abs(times.shift(of: 0.1, in: 4, of: video) + 9007.9) < 0.001)
    }

    /// The playlist says two seconds for segments that are shorter or longer.
    @Test(arguments: [1.9, 2.1]) func roundedDurationsMakeNoJump(duration: Double) {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(0..<2000, of: video, discontinuities: [1000]), of: video)
        for number in 0..<1000 { #expect(times.shift(of: Double(number) * duration, in: number, of: video) == 0) }
        // The second part begins at 10. It follows the first one where that has ended.
        for number in 1000..<2000 {
            let time = 10 + Double(number - 1000) * duration
            #expect(
                abs(time - times.shift(of: time, in: number, of: video) - Double(number) * duration) < 2
                    * abs(duration - 2) + 0.001)
        }
    }

    @Test func timesMayBeginAgainAfterTheirLastBit() {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(0..<10, of: video), of: video)
        let wrap = Double(1 << 33) / 90_000
        #expect(times.shift(of: wrap - 4, in: 0, of: video) == 0)
        #expect(times.shift(of: 0, in: 2, of: video) == 0)
    }

    /// The packager of another variant may count otherwise.
    @Test func aPlaylistWithOtherNumbersHasItsPlace() {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(0..<10, of: video, discontinuities: [2]), of: video)
        #expect(times.shift(of: 100, in: 0, of: video) == 0)
        let shift = times.shift(of: 0, in: 3, of: video)
        let other = URL(string: "https://host/other.m3u8")!
        times.add(segments(5000..<5010, of: other, dropped: 1), of: other)
        #expect(times.shift(of: 10, in: 5001, of: other) == shift)
        #expect(times.shift(of: 14, in: 5003, of: other) == shift)
    }

    /// The engine has joined in the middle of a window, whose first segments have other times.
    @Test func earlierTimesAreNotNegative() {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(0..<10, of: video, discontinuities: [8]), of: video)
        let shift = times.shift(of: 5, in: 8, of: video)
        #expect(5 - shift == 16)
        #expect(abs(100 - times.shift(of: 100, in: 0, of: video)) < 0.001)
    }

    /// The engine has received segments before the first discontinuity.
    @Test func aLaterBeginKeepsTheTimesOfTheFirstSegments() {
        var times = SegmentTimes(isFromZero: false)
        times.add(segments(3..<9, of: video, discontinuities: [6]), of: video)
        times.begin(at: 200, in: 5, of: video)
        #expect(times.shift(of: 0, in: 6, of: video) == -202)
        times.begin(at: 7, in: 7, of: video)
        #expect(times.shift(of: 200, in: 5, of: video) == 0)
    }
}
