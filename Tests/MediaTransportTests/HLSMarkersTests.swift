import Foundation
import Playback
import Testing

@testable import MediaTransport

/// The marks of playlists.
@Suite struct HLSMarkersTests {
    private static let url = URL(string: "https://host/a/media.m3u8")!

    private func playlist(_ lines: String) throws -> HLSPlaylist.Media {
        guard case .media(let media)? = HLSPlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + lines, url: Self.url)
        else {
            throw PlaybackError(.noPlayableStream, url: Self.url)
        }
        return media
    }

    private func markers(_ lines: String) throws -> [StreamMarker] { try playlist(lines).markers }

    /// Segments of ten seconds.
    private func media(_ count: Int) -> String { String(repeating: "#EXTINF:10,\na.ts\n", count: count) }

    @Test(arguments: [
        ("#EXT-X-CUE-OUT:30.5", 30.5), ("#EXT-X-CUE-OUT:DURATION=30", 30),
        ("#EXT-X-CUE-OUT:DURATION=\"30\",ID=\"7\"", 30),
        ("#EXT-X-CUE-OUT", nil), ("#EXT-X-CUE-OUT:", nil), ("#EXT-X-CUE-OUT:-5", nil), ("#EXT-X-CUE-OUT:nan", nil),
        ("#EXT-X-CUE-OUT:1e400", nil),
    ])
    func cuesStartABreak(line: String, duration: Double?) throws {
        let markers = try markers("#EXT-X-MEDIA-SEQUENCE:4\n\(media(2))\(line)\n\(media(3))#EXT-X-CUE-IN\n\(media(1))")
        #expect(markers.map(\.kind) == [.cueOut, .cueIn])
        #expect(markers.map(\.id) == ["out 6", "in 9"])
        #expect(markers.map(\.start) == [20, 50])
        #expect(markers[0].duration == duration && markers[1].duration == nil)
    }

    @Test func aMessageBelongsToTheNextCue() throws {
        let markers = try markers(
            media(1) + "#EXT-OATCLS-SCTE35:/DAl\n#EXT-X-CUE-OUT:30\n" + media(3) + "#EXT-X-CUE-IN\n" + media(1)
                + "#EXT-X-CUE-OUT:DURATION=5,CUE=\"/DA0\"\n" + media(1))
        #expect(markers.map(\.message) == [Data([0xFC, 0x30, 0x25]), nil, Data([0xFC, 0x30, 0x34])])
    }

    @Test(arguments: ["ElapsedTime=5,Duration=30,SCTE35=/DAl", "5/30"])
    func aContinuationHasTheStart(text: String) throws {
        let rest = "#EXT-X-CUE-OUT-CONT:"
        let markers = try markers("\(media(2))\(rest)\(text)\n\(media(1))\(rest)15/30\n\(media(1))")
        #expect(markers.map(\.start) == [15] && markers.map(\.duration) == [30])
    }

    @Test(arguments: ["#EXT-X-CUE-OUT-CONT", "#EXT-X-CUE-OUT-CONT:", "#EXT-X-CUE-OUT-CONT:Duration=30"])
    func aContinuationWithoutTheTimeSinceTheStartIsIgnored(line: String) throws {
        #expect(try markers("\(media(1))\(line)\n\(media(1))") == [])
    }

    @Test func dateRangesHaveThePositionsOfTheirDates() throws {
        // The ranges come before the date, and a gap is between the segments.
        let markers = try markers(
            """
            #EXT-X-DATERANGE:ID="a",START-DATE="2026-03-01T10:00:05Z",PLANNED-DURATION=20,SCTE35-OUT=0xFC3025
            #EXT-X-DATERANGE:ID="b",START-DATE="2026-03-01T11:00:02.500+01:00",END-DATE="2026-03-01T10:00:12.5Z",X-A="1, 2"
            #EXT-X-DATERANGE:ID="c",START-DATE="2026-03-01T10:30:05Z",DURATION=4
            #EXT-X-PROGRAM-DATE-TIME:2026-03-01T10:00:00.000Z
            #EXTINF:10,
            1.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-PROGRAM-DATE-TIME:2026-03-01T10:30:00Z
            #EXTINF:10,
            2.ts
            """)
        #expect(markers.map(\.id) == ["a", "b", "c"])
        #expect(markers.map(\.start) == [5, 2.5, 15])
        #expect(markers.map(\.duration) == [20, 10, 4])
        #expect(markers[0].message == Data([0xFC, 0x30, 0x25]))
        #expect(markers[0].attributes["SCTE35-OUT"] == "0xFC3025" && markers[1].attributes["X-A"] == "1, 2")
    }

    @Test func aDateRangeWithoutDatesIsAtItsLine() throws {
        let markers = try markers(media(2) + "#EXT-X-DATERANGE:ID=\"a\",SCTE35-OUT=0xFC302\n" + media(1))
        #expect(markers.map(\.start) == [20] && markers[0].message == nil)
    }

    @Test(arguments: [
        "#EXT-X-DATERANGE:START-DATE=\"2026-03-01T10:00:05Z\"", "#EXT-X-DATERANGE:", "#EXT-X-DATERANGE",
        "#EXT-X-DATERANGE:ID=\"\(String(repeating: "a", count: 257))\"", "#EXT-X-DATERANGE:ID=\"a\u{1}\"",
    ])
    func aDateRangeWithoutAUsableIDIsIgnored(line: String) throws {
        #expect(try markers(media(1) + line + "\n" + media(1)) == [])
    }

    // MARK: Live

    @Test func marksMoveWithTheWindowAndComeOnce() throws {
        func lines(_ first: Int) -> String {
            let tags = [6: "#EXT-X-CUE-OUT:20\n", 7: "#EXT-X-CUE-OUT-CONT:10/20\n", 8: "#EXT-X-CUE-IN\n"]
            let segments = (first..<first + 4).map { number in
                (tags[number] ?? "") + "#EXTINF:10,\n\(number).ts\n"
            }
            return "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments.joined()
        }
        var timeline = HLSTimeline(try playlist(lines(3)))
        #expect(timeline.markers.map(\.start) == [30])
        for first in 4...9 { timeline.update(try playlist(lines(first))) }
        #expect(timeline.window == .init(start: 60, end: 100))
        #expect(timeline.markers.map(\.kind) == [.cueOut, .cueIn])
        #expect(timeline.markers.map(\.start) == [30, 50])
        // A player that joins in the break knows when it began.
        #expect(HLSTimeline(try playlist(lines(7))).markers.map(\.start) == [-10, 10])
    }

    @Test func aLaterRangeOfAnIDHasTheActualDuration() throws {
        let date = "START-DATE=\"2026-03-01T10:00:05Z\""
        let clock = "#EXT-X-PROGRAM-DATE-TIME:2026-03-01T10:00:00Z\n"
        let out = "#EXT-X-DATERANGE:ID=\"a\",\(date),PLANNED-DURATION=20,SCTE35-OUT=0xFC30\n"
        var timeline = HLSTimeline(try playlist(clock + out + media(2)))
        timeline.update(
            try playlist(clock + out + "#EXT-X-DATERANGE:ID=\"a\",\(date),DURATION=18,SCTE35-IN=0xFC31\n" + media(3)))
        #expect(timeline.markers.count == 1)
        let marker = try #require(timeline.markers.first)
        #expect(marker.start == 5 && marker.duration == 18 && marker.message == Data([0xFC, 0x30]))
        #expect(marker.attributes["SCTE35-IN"] == "0xFC31")
    }

    // MARK: Bounds

    @Test func hostilePlaylistsHaveBoundedMarks() throws {
        let cues = (0..<5000).map { "#EXTINF:1,\n\($0).ts\n#EXT-X-CUE-OUT:1\n" }.joined()
        let markers = try markers(cues)
        #expect(markers.count == 500 && markers.last?.start == 5000)

        let names = (0..<5000).map { "X-\($0)=\($0)" }.joined(separator: ",")
        let long = "\"\(String(repeating: "x", count: 10_000))\""
        let ranges = try self.markers("#EXT-X-DATERANGE:ID=\"a\",A=\(long),\(names)\n" + media(1))
        #expect(ranges.first?.attributes.count == 32)

        var timeline = HLSTimeline(try playlist(cues))
        for round in 0..<20 {
            let text = "#EXT-X-DATERANGE:ID=\"a\",X-\(round)=\"\(String(repeating: "y", count: 1000))\"\n"
            timeline.update(try playlist("#EXT-X-MEDIA-SEQUENCE:\(round)\n" + text + cues))
        }
        #expect(timeline.markers.count == 500)
        let size = timeline.markers.flatMap(\.attributes).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        #expect(size <= 500 * 2304)
    }

    // MARK: DASH

    private func dashMarkers(_ streams: String) async throws -> [StreamMarker] {
        let text = """
            <MPD type="static" mediaPresentationDuration="PT10S"><Period start="PT0S" duration="PT4S"><AdaptationSet \
            mimeType="video/mp4"><Representation id="v" bandwidth="1"><SegmentTemplate media="$Number$" duration="2"/>\
            </Representation></AdaptationSet></Period><Period>\(streams)<AdaptationSet mimeType="video/mp4">\
            <Representation id="v" bandwidth="1"><SegmentTemplate media="$Number$" duration="2"/></Representation>\
            </AdaptationSet></Period></MPD>
            """
        let playlists = try DASHPlaylists(Array(text.utf8), url: Self.url)
        guard case .master(let master)? = HLSPlaylist(playlists.masterPlaylist, url: Self.url) else { return [] }
        let playlist = try await playlists.playlist(at: try #require(master.variants.first?.url)) {
            url, _ throws(PlaybackError) in throw PlaybackError(.connectionFailed, url: url)
        }
        guard case .media(let media)? = HLSPlaylist(playlist.text, url: Self.url) else { return [] }
        return media.markers
    }

    @Test func eventsOfDASHAreMarks() async throws {
        let markers = try await dashMarkers(
            """
            <EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="1000" presentationTimeOffset="500">\
            <Event id="7" presentationTime="1500" duration="2000"><Signal><Binary>/DAl</Binary></Signal></Event>\
            <Event presentationTime="2500" contentEncoding="base64" messageData="/DA0"/></EventStream>\
            <EventStream schemeIdUri="urn:text" value="a&quot;b"><Event id="7" presentationTime="3">hello</Event>\
            <Event presentationTime="inf"/></EventStream>
            """)
        #expect(markers.map(\.kind) == [.event, .event, .event, .event])
        #expect(markers.map(\.start) == [5, 6, 7, 4])
        #expect(markers.map(\.duration) == [2, nil, nil, nil])
        #expect(markers[0].id == "7" && markers[0].attributes["SCHEME"] == "urn:scte:scte35:2014:xml+bin")
        let messages = [Data([0xFC, 0x30, 0x25]), Data([0xFC, 0x30, 0x34]), Data("hello".utf8), nil]
        #expect(markers.map(\.message) == messages)
    }

    @Test func aManifestMayHaveAnyNumberOfEvents() async throws {
        let events = String(repeating: "<Event presentationTime=\"1\"/>", count: 5000)
        let stream = "<EventStream>\(events)</EventStream>"
        #expect(try await dashMarkers(stream + stream).count == 500)
    }
}
