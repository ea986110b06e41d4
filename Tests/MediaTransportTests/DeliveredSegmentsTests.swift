import Foundation
import Testing

@testable import MediaTransport

/// The received part of an HLS stream.
@Suite struct DeliveredSegmentsTests {
    private let base = URL(string: "https://host/a/low.m3u8")!

    private func url(_ name: String) -> URL { base.deletingLastPathComponent().appending(path: name) }

    private func segments(of playlist: String) -> [HLSSegment] {
        guard case .media(let media)? = HLSPlaylist(playlist, url: base) else { return [] }
        return media.segments
    }

    private func deliver(_ name: String, _ part: Double, at offset: UInt64 = 0, to segments: inout DeliveredSegments) {
        let number = segments.segment(of: .init(url: url(name), start: offset))?.number
        segments.begin(number, size: 100)
        segments.received(Int(part * 100), of: number)
        if part == 1 { segments.completed(number) }
    }

    @Test func segmentsAreFoundByTheirAddresses() {
        var segments = DeliveredSegments()
        segments.add(
            self.segments(of: "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n"))
        segments.add(
            self.segments(of: "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:2,\nhigh/a.ts\n#EXTINF:2,\nhigh/b.ts\n"))
        deliver("a.ts", 1, to: &segments)
        deliver("high/b.ts", 0.5, to: &segments)
        deliver("c.ts", 1, to: &segments)
        #expect(segments.parts == [7: 1, 8: 0.5])
        deliver("high/b.ts", 0.25, to: &segments)
        #expect(segments.parts == [7: 1, 8: 0.25], "it is delivered again")
        segments.add(self.segments(of: "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:8\n#EXTINF:2,\nb.ts\n"))
        #expect(segments.parts == [8: 0.25])
        segments.drop()
        #expect(segments.parts.isEmpty)
    }

    @Test func segmentsOfOneFileAreFoundByTheirOffsets() {
        var segments = DeliveredSegments()
        let playlist = """
            #EXTM3U
            #EXTINF:2,
            #EXT-X-BYTERANGE:100@0
            all.ts
            #EXTINF:2,
            #EXT-X-BYTERANGE:100
            all.ts
            #EXTINF:2,
            #EXT-X-BYTERANGE:100@500
            all.ts
            """
        segments.add(self.segments(of: playlist))
        deliver("all.ts", 1, at: 100, to: &segments)
        deliver("all.ts", 0.5, at: 500, to: &segments)
        #expect(segments.parts == [1: 1, 2: 0.5])
    }

    @Test(arguments: [
        "#EXT-X-BYTERANGE:", "#EXT-X-BYTERANGE:@5", "#EXT-X-BYTERANGE:5@", "#EXT-X-BYTERANGE:5@6@7",
        "#EXT-X-BYTERANGE:-5", "#EXT-X-BYTERANGE:+5", "#EXT-X-BYTERANGE:5 @6", "#EXT-X-BYTERANGE:1@1234567890123456",
        "#EXT-X-BYTERANGES:5@6", "#EXT-X-MEDIA-SEQUENCE:", "#EXT-X-MEDIA-SEQUENCE:7a", "#EXT-X-MEDIA-SEQUENCE:-7",
        "#EXT-X-MEDIA-SEQUENCE:1234567890123456",
    ])
    func invalidTagsAreIgnored(tag: String) {
        var segments = DeliveredSegments()
        segments.add(self.segments(of: "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:3\n\(tag)\na.ts\n"))
        deliver("a.ts", 1, to: &segments)
        #expect(segments.parts == [3: 1])
    }

    @Test func aRangeContainsTheSegmentsAroundAPosition() {
        let timeline = HLSTimeline(.init(targetDuration: 2, firstNumber: 5, durations: [2, 2, 2, 2], isComplete: true))
        let parts = [5: 1, 6: 1, 7: 0.5, 8: 1]
        #expect(timeline.bufferedRange(around: 3, parts) == 2...5)
        #expect(timeline.bufferedRange(around: 7, parts) == 6...8)
        #expect(timeline.bufferedRange(around: 5.5, parts) == 4...5.5, "the position is in it in any case")
        #expect(timeline.bufferedRange(around: 3, [5: 1]) == 3...3)
        #expect(timeline.bufferedRange(around: 8, parts) == 8...8)
    }

    @Test func aLiveWindowMovesTheRanges() {
        var timeline = HLSTimeline(.init(targetDuration: 2, firstNumber: 5, durations: [2, 2, 2]))
        timeline.update(.init(targetDuration: 2, firstNumber: 6, durations: [2, 2, 2]))
        #expect(timeline.bufferedRange(around: 4.5, [6: 1, 7: 1, 8: 1]) == 4...8)
    }
}
