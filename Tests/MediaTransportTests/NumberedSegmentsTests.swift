import Foundation
import Testing

@testable import MediaTransport

/// The segments that a session sends by their numbers.
@Suite struct NumberedSegmentsTests {
    private let playlist = URL(string: "https://host/v.m3u8")!

    private func part(_ name: String) -> HLSSegment.Part { HLSSegment.Part(url: playlist.appending(path: name)) }

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

    @Test(arguments: [false, true]) func aPlaylistNamesNeitherInitializationsNorRanges(isContinuous: Bool) {
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
            #EXT-X-ENDLIST

            """
        let list = [segment(4, map: "a.mp4"), segment(5, map: "b.mp4")]
        let result = NumberedSegments.playlist(text, list, isContinuous: isContinuous) { URL(string: "segment:\($0)")! }
        let discontinuity = isContinuous ? "" : "#EXT-X-DISCONTINUITY\n"
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-MEDIA-SEQUENCE:4
                #EXTINF:2,
                segment:4
                \(discontinuity)#EXTINF:3,
                segment:5
                #EXT-X-ENDLIST

                """)
    }
}
