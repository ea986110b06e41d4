import Foundation
import Testing

@testable import MediaTransport

/// Which times of a stream change on their way to the engine.
@Suite struct StreamTimesTests {
    private let playlist = URL(string: "https://host/video.m3u8")!

    /// Segments of two seconds, the second of which is in another period.
    private func segments(isFragmented: Bool = false, isEncrypted: Bool = false) -> [HLSSegment] {
        (0..<2).map { number in
            let map = isFragmented ? HLSSegment.Part(url: playlist.appending(path: "init.mp4")) : nil
            let part = HLSSegment.Part(url: playlist.appending(path: "\(number)"))
            return HLSSegment(
                number: number, part: part, map: map, duration: 2, period: number, isEncrypted: isEncrypted)
        }
    }

    private func moves(
        _ list: [HLSSegment], countsFromFirst: Bool = false, hasSubtitles: Bool = false
    ) -> Bool {
        var times = StreamTimes(isDASH: false, countsFromFirst: countsFromFirst, hasSubtitles: hasSubtitles)
        times.decide(for: list)
        return times.moves(list)
    }

    @Test func aDiscontinuityMovesTheTimesOfMPEGTS() {
        #expect(moves(segments()))
        #expect(!moves(Array(segments().prefix(1))))
    }

    @Test func theTimesOfFragmentedMP4AlwaysMove() {
        #expect(moves(segments(isFragmented: true), countsFromFirst: true, hasSubtitles: true))
    }

    @Test func whatCannotChangeKeepsAllTimes() {
        #expect(!moves(segments(), hasSubtitles: true))
        #expect(!moves(segments(isEncrypted: true)))
        #expect(!moves(segments(), countsFromFirst: true))
    }

    /// The engine has received the first segment as it is, when a later version of the playlist has a discontinuity.
    @Test func theTimesContinueThoseThatTheEngineHasReceived() {
        var times = StreamTimes(isDASH: false, countsFromFirst: false, hasSubtitles: false)
        let list = segments()
        times.decide(for: Array(list.prefix(1)))
        times.setClock(100, of: list[0])
        times.decide(for: list)
        times.add(list, of: playlist)
        #expect(times.shift(of: 7, in: list[1], of: playlist) == 7 - 102)
    }
}
