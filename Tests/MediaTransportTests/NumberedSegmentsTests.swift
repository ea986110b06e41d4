import Foundation
import Testing

@testable import MediaTransport

/// The segments that a session sends by their numbers.
@Suite struct NumberedSegmentsTests {
    private let playlist = URL(string: "https://host/v.m3u8")!

    private func part(_ name: String) -> HLSSegment.Part {
        HLSSegment.Part(url: URL(string: name, relativeTo: playlist)!)
    }

    private func segment(_ number: Int, map: String) -> HLSSegment {
        HLSSegment(number: number, part: part("\(number).m4s"), map: part(map), duration: 2)
    }

    /// Those of a live stream with many discontinuities would fill the memory.
    @Test func initializationsThatNoSegmentNeedsAreDropped() {
        var segments = NumberedSegments()
        segments.add([segment(1, map: "a.mp4"), segment(2, map: "b.mp4")], of: playlist)
        segments.initializations = [part("a.mp4"): [1], part("b.mp4"): [2]]
        segments.add([segment(102, map: "b.mp4")], of: playlist)
        #expect(segments.initializations == [part("b.mp4"): [2]])
        #expect(segments[1, playlist] == nil)
        #expect(segments[2, playlist] != nil, "it may still be requested")
    }

    /// At a discontinuity, an engine that continues after the same initialization would replace its demuxer.
    @Test(arguments: [false, true]) func aPlaylistNamesNeitherInitializationsNorRanges(dropsAll: Bool) {
        let text = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-MEDIA-SEQUENCE:4
            #EXT-X-MAP:URI="a.mp4",BYTERANGE="10@0"
            #EXTINF:2,
            #EXT-X-BYTERANGE:20@10
            a.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="b.mp4"
            #EXTINF:3,
            b.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="b.mp4#period-2"
            #EXTINF:3,
            c.m4s
            #EXT-X-ENDLIST

            """
        let list = [segment(4, map: "a.mp4"), segment(5, map: "b.mp4"), segment(6, map: "b.mp4#period-2")]
        let result = NumberedSegments.playlist(text, list, dropsDiscontinuities: dropsAll) { number in
            URL(string: "segment:\(number)")!
        }
        let discontinuity = dropsAll ? "" : "#EXT-X-DISCONTINUITY\n"
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-MEDIA-SEQUENCE:4
                #EXTINF:2,
                segment:4
                \(discontinuity)#EXTINF:3,
                segment:5
                #EXTINF:3,
                segment:6
                #EXT-X-ENDLIST

                """)
    }
}
