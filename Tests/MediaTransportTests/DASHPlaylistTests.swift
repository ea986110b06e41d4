import Foundation
import Playback
import TestSupport
import Testing

@testable import MediaTransport

/// The HLS playlists of DASH manifests.
@Suite struct DASHPlaylistTests {
    private static let url = URL(string: "https://host/a/stream.mpd")!

    /// A manifest with video in a period of 10 s.
    private func manifest(
        _ segments: String, period: String = "", root: String = "type=\"static\" mediaPresentationDuration=\"PT10S\""
    ) -> String {
        """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" \(root)><BaseURL>media/</BaseURL>
        <Period \(period)><AdaptationSet mimeType="video/mp4">
        <Representation id="v1" bandwidth="1000" codecs="avc1.42c01e" width="160" height="90">\(segments)</Representation>
        </AdaptationSet></Period></MPD>
        """
    }

    private func template(_ attributes: String, _ timeline: String = "") -> String {
        "<SegmentTemplate media=\"$RepresentationID$-$Number%03d$-$Time$.m4s\" \(attributes)>\(timeline)</SegmentTemplate>"
    }

    private func lines(_ text: String) async throws -> [String] {
        let playlists = try DASHPlaylists(Array(text.utf8), url: Self.url)
        guard case .master(let master)? = HLSPlaylist(playlists.masterPlaylist, url: Self.url) else { return [] }
        let address = try #require(master.variants.first?.url)
        let playlist = try await playlists.playlist(at: address) { url, _ throws(PlaybackError) in
            throw PlaybackError(.connectionFailed, url: url)
        }
        return playlist.text.split(separator: "\n").map(String.init)
    }

    private func addresses(_ text: String) async throws -> [String] {
        try await lines(text).filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "#" }) }
    }

    @Test func aTimelineNamesEachSegment() async throws {
        let timeline = "<SegmentTimeline><S t=\"20\" d=\"20\" r=\"1\"/><S d=\"30\"/></SegmentTimeline>"
        let text = manifest(
            template(
                "timescale=\"10\" startNumber=\"5\" presentationTimeOffset=\"20\" initialization=\"i.mp4\"", timeline))
        #expect(
            try await lines(text) == [
                "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:0",
                "#EXT-X-MAP:URI=\"https://host/a/media/i.mp4#video-0-0@0.0,2.0,\"", "#EXTINF:2.0,",
                "https://host/a/media/v1-005-20.m4s#video-0-0@0.0,2.0,", "#EXTINF:2.0,",
                "https://host/a/media/v1-006-40.m4s#video-0-0@0.0,2.0,", "#EXTINF:3.0,",
                "https://host/a/media/v1-007-60.m4s#video-0-0@0.0,2.0,", "#EXT-X-ENDLIST",
            ])
    }

    @Test(arguments: [
        ("timescale=\"10\" duration=\"40\"", 3), ("timescale=\"10\" duration=\"50\"", 2), ("", 1),
        // The last tenth of a second often has no segment.
        ("timescale=\"1000\" duration=\"3320\"", 3),
    ])
    func numbersFillThePeriod(attributes: String, count: Int) async throws {
        #expect(try await addresses(manifest(template(attributes))).count == count)
    }

    @Test func anOpenRepetitionFillsThePeriod() async throws {
        let timeline = "<SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/></SegmentTimeline>"
        #expect(try await addresses(manifest(template("", timeline))).count == 5)
    }

    /// A clock of ten million units a second, since 1970.
    @Test func timesMayBeLarge() async throws {
        let timeline = "<SegmentTimeline><S t=\"17175000000000000\" d=\"50000000\"/></SegmentTimeline>"
        let segments = template("timescale=\"10000000\" presentationTimeOffset=\"17175000000000000\"", timeline)
        #expect(try await addresses(manifest(segments)).count == 1)
    }

    @Test func lowerLevelsReplaceAttributes() async throws {
        let text = manifest(template("timescale=\"10\""))
            .replacing("<AdaptationSet", with: "<SegmentTemplate duration=\"50\" timescale=\"1\"/><AdaptationSet")
        #expect(try await addresses(text).count == 2)
    }

    @Test func periodsFollowEachOther() async throws {
        let period =
            "<Period duration=\"PT4S\"><AdaptationSet contentType=\"video\"><Representation id=\"v1\" bandwidth=\"1\">"
        let text = manifest(template("duration=\"5\"")).replacing(
            "<Period >",
            with: period + template("duration=\"2\"") + "</Representation></AdaptationSet></Period><Period>")
        let lines = try await lines(text)
        #expect(
            lines.filter { $0.hasPrefix("#EXTINF") } == [
                "#EXTINF:2.0,", "#EXTINF:2.0,", "#EXTINF:5.0,", "#EXTINF:1.0,",
            ])
        #expect(lines.filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 1)
        #expect(lines.contains { $0.hasSuffix("#video-0-0@4.0,-4.0,") })
    }

    @Test func audioHasItsLanguages() async throws {
        let audio = ["en", "de"].map {
            """
            <AdaptationSet lang="\($0)" mimeType="audio/mp4"><SegmentTemplate media="\($0)-$Bandwidth$" duration="5"/>
            <Representation id="1" bandwidth="64000"/><Representation id="2" bandwidth="128000"/>
            <Representation id="3" bandwidth="512000"/></AdaptationSet>
            """
        }
        let text = manifest(template("duration=\"5\"")).replacing("</Period>", with: audio.joined() + "</Period>")
        let playlist = try DASHPlaylists(Array(text.utf8), url: Self.url).masterPlaylist
        #expect(playlist.contains("LANGUAGE=\"en\",DEFAULT=YES") && playlist.contains("LANGUAGE=\"de\",DEFAULT=NO"))
        #expect(playlist.contains("URI=\"https://host/a/stream.mpd#audio-1-1\""))
        #expect(playlist.contains("BANDWIDTH=129000,CODECS=\"avc1.42c01e\",RESOLUTION=160x90,AUDIO=\"audio\""))
    }

    @Test func theAudioOfTheMainRoleIsTheDefault() async throws {
        let audio = [("Commentaire « image »", "alternate"), ("Français", "main")].map { label, role in
            """
            <AdaptationSet lang="fr" mimeType="audio/mp4"><Role value="\(role)"/><Label>\(label)</Label>
            <SegmentTemplate media="\(role)-$Number$" duration="5"/><Representation id="1" bandwidth="64000"/></AdaptationSet>
            """
        }
        let text = manifest(template("duration=\"5\"")).replacing("</Period>", with: audio.joined() + "</Period>")
        let playlist = try DASHPlaylists(Array(text.utf8), url: Self.url).masterPlaylist
        #expect(playlist.contains("NAME=\"Français\",LANGUAGE=\"fr\",DEFAULT=YES"))
        #expect(playlist.contains("NAME=\"Commentaire « image »\",LANGUAGE=\"fr\",DEFAULT=NO"))
        #expect(playlist.contains("URI=\"https://host/a/stream.mpd#audio-1-0\""))
    }

    // MARK: Live

    @Test(arguments: ["", "mediaPresentationDuration=\"PT200000S\""])
    func anOpenRepetitionEndsAtTheLiveEdge(end: String) async throws {
        let age = 111_111.0
        let start = Date.now.addingTimeInterval(-age).formatted(.iso8601)
        let root = "type=\"dynamic\" timeShiftBufferDepth=\"PT20S\" availabilityStartTime=\"\(start)\" \(end)"
        let open = "<SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/></SegmentTimeline>"
        let lines = try await lines(manifest(template("", open), root: root))
        #expect(lines.filter { $0.hasPrefix("#EXTINF") }.count == 10)
        #expect(lines.last != "#EXT-X-ENDLIST")
        let last = try #require(lines.last?.firstMatch(of: /v1-(\d+)-(\d+)/))
        let (number, time) = try (#require(Double(last.1)), #require(Double(last.2)))
        #expect(time == (number - 1) * 2)
        // The segment is complete.
        let began = try Date(start, strategy: .iso8601)
        #expect(time + 2 <= Date.now.timeIntervalSince(began))
        #expect(time + 5 > age)
    }

    /// Its runs overlap, and none of them is in the window.
    @Test func theNumberOfSegmentsDoesNotOverflow() async {
        let latest = 1 << 60
        let runs = String(repeating: "<S t=\"0\" d=\"1\" r=\"-1\"/><S t=\"\(latest)\" d=\"1\" r=\"-1\"/>", count: 8)
        let segments = template(
            "presentationTimeOffset=\"\(latest)\"", "<SegmentTimeline>\(runs)</SegmentTimeline>")
        let root = "type=\"dynamic\" timeShiftBufferDepth=\"PT20S\" availabilityStartTime=\"1970-01-01T00:00:00Z\""
        await #expect(throws: PlaybackError.self) { try await lines(manifest(segments, root: root)) }
    }

    /// Its start follows in a later version of the manifest.
    @Test func aPeriodWithoutStartIsIgnored() async throws {
        let start = Date.now.addingTimeInterval(-1000).formatted(.iso8601)
        let root = "type=\"dynamic\" availabilityStartTime=\"\(start)\" minimumUpdatePeriod=\"PT5S\""
        let text = manifest(template("duration=\"2\""), period: "start=\"PT0S\"", root: root)
            .replacing("</MPD>", with: "<Period id=\"next\"/></MPD>")
        #expect(try await addresses(text).last?.hasPrefix("https://host/a/media/v1-") == true)
    }

    @Test func aLivePlaylistIsTheWindow() async throws {
        let start = Date.now.addingTimeInterval(-1000).formatted(.iso8601)
        let root = "type=\"dynamic\" timeShiftBufferDepth=\"PT20S\" availabilityStartTime=\"\(start)\""
        let lines = try await lines(manifest(template("duration=\"2\""), root: root))
        #expect(lines.filter { $0.hasPrefix("#EXTINF") }.count == 10)
        #expect(!lines.contains("#EXT-X-ENDLIST"))
        let last = try #require(lines.last?.firstMatch(of: /v1-(\d+)/).flatMap { Int($0.1) })
        #expect((499...560).contains(last))
    }

    /// A manifest that names its end and no further version is the last one.
    @Test func aLiveStreamEndsAtTheEndThatItsManifestNames() async throws {
        func root(_ attributes: String, age: Double = 1000) -> String {
            let start = Date.now.addingTimeInterval(-age).formatted(.iso8601)
            return "type=\"dynamic\" availabilityStartTime=\"\(start)\" \(attributes)"
        }
        let timeline = "<SegmentTimeline><S t=\"0\" d=\"2\" r=\"3\"/><S d=\"1\"/></SegmentTimeline>"
        for segments in [template("duration=\"2\""), template("", timeline)] {
            let lines = try await lines(manifest(segments, root: root("mediaPresentationDuration=\"PT9S\"")))
            let durations = lines.filter { $0.hasPrefix("#EXTINF") }
            #expect(durations == Array(repeating: "#EXTINF:2.0,", count: 4) + ["#EXTINF:1.0,"])
            #expect(lines.last == "#EXT-X-ENDLIST")
        }
        let numbers = template("duration=\"2\"")
        let updated = root("mediaPresentationDuration=\"PT9S\" minimumUpdatePeriod=\"PT5S\"")
        #expect(try await lines(manifest(numbers, root: updated)).last != "#EXT-X-ENDLIST")
        let early = root("mediaPresentationDuration=\"PT900S\"", age: 100)
        #expect(try await lines(manifest(numbers, root: early)).last != "#EXT-X-ENDLIST")
        // The window stays at the end.
        let old = root("mediaPresentationDuration=\"PT900S\" timeShiftBufferDepth=\"PT20S\"")
        let window = try await addresses(manifest(numbers, root: old))
        #expect(window.count == 10)
        #expect(window.last?.contains("v1-450-898") == true)
    }

    @Test func aPeriodWithoutContentIsNoEnd() async throws {
        let start = Date.now.addingTimeInterval(-1000).formatted(.iso8601)
        let root = "type=\"dynamic\" availabilityStartTime=\"\(start)\" minimumUpdatePeriod=\"PT5S\""
        let text = manifest(template("duration=\"2\""), root: root)
            .replacing("</MPD>", with: "<Period start=\"PT900S\"/></MPD>")
        #expect(try await addresses(text).last?.contains("v1-450-898") == true)
    }

    /// A live stream that names a new file in each version of its manifest would fill the memory with their indices.
    @Test func indexesThatNoManifestNamesAreDropped() async throws {
        let start = Date.now.addingTimeInterval(-1000).formatted(.iso8601)
        let root = "type=\"dynamic\" availabilityStartTime=\"\(start)\" minimumUpdatePeriod=\"PT0S\""
        func file(_ name: String) -> [UInt8] {
            Array(manifest("<BaseURL>\(name)</BaseURL><SegmentBase indexRange=\"0-43\"/>", root: root).utf8)
        }
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        // One segment of 1000 bytes and two seconds.
        let index = bytes(44) + Array("sidx".utf8) + [0, 1, 1, 0, 0, 1, 1000, 2, 0].flatMap(bytes)
        let playlists = try DASHPlaylists(file("a.mp4"), url: Self.url)
        let address = try #require(URL(string: Self.url.absoluteString + "#video-0-0"))
        var (version, reads) = (0, [String]())
        let isReadAgain = try await eventually {
            _ = try await playlists.playlist(at: address) { url, range in
                guard range == nil else {
                    reads.append(url.lastPathComponent)
                    return (index, url)
                }
                version += 1
                return (file(version % 2 == 1 ? "b.mp4" : "a.mp4"), url)
            }
            return reads == ["a.mp4", "b.mp4", "a.mp4"]
        }
        #expect(isReadAgain)
    }

    // MARK: Damage

    @Test(arguments: [
        "<MPD/>", "<MPD><Period/></MPD>", "<MPD", "<html></html>", "<MPD><Period></MPD></Period>",
        "<!DOCTYPE MPD [<!ENTITY a \"b\">]><MPD><Period/></MPD>", "<MPD a=\"&a;\"><Period/></MPD>",
        String(repeating: "<MPD>", count: 1000), "<MPD>" + String(repeating: "<S/>", count: 100_001) + "</MPD>",
        "<MPD>" + String(repeating: "<Period start=\"PT0S\"/>", count: 201) + "</MPD>",
    ])
    func anotherDocumentIsRefused(text: String) {
        #expect(throws: PlaybackError.self) { try DASHPlaylists(Array(text.utf8), url: Self.url) }
    }

    @Test(arguments: [
        "<SegmentTimeline><S d=\"1\" r=\"4000000000\"/></SegmentTimeline>",
        "<SegmentTimeline><S d=\"1\" r=\"-1\"/><S t=\"900000000\" d=\"1\"/></SegmentTimeline>",
        "<SegmentTimeline><S d=\"0\"/></SegmentTimeline>", "<SegmentTimeline><S d=\"-2\"/></SegmentTimeline>",
        "<SegmentTimeline><S t=\"-2\" d=\"2\"/></SegmentTimeline>",
        "<SegmentTimeline><S t=\"9223372036854775807\" d=\"2\"/></SegmentTimeline>",
        "<SegmentTimeline></SegmentTimeline>",
    ])
    func aDamagedTimelineIsRefused(timeline: String) async {
        await #expect(throws: PlaybackError.self) { try await lines(manifest(template("", timeline))) }
    }

    @Test(arguments: [
        "duration=\"0\"", "duration=\"-1\"", "duration=\"1\" timescale=\"0\"", "duration=\"1\" timescale=\"1000000\"",
        "duration=\"1\" startNumber=\"-1\"", "duration=\"99999999999999999999\"", "duration=\"9007199254740992\"",
    ])
    func damagedNumbersAreRefused(attributes: String) async {
        await #expect(throws: PlaybackError.self) { try await lines(manifest(template(attributes))) }
    }

    /// The time of its last segment would overflow.
    @Test func aListOfEndlessSegmentsIsRefused() async {
        let segments = String(repeating: "<SegmentURL media=\"a.m4s\"/>", count: 1025)
        let text = """
            <MPD><Period><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1">
            <SegmentList duration="9007199254740992">\(segments)</SegmentList>
            </Representation></AdaptationSet></Period></MPD>
            """
        await #expect(throws: PlaybackError.self) { try await lines(text) }
    }

    /// Representations inherit segments and addresses, so that a short manifest could fill the memory.
    @Test func largeManifestsAreRefused() async {
        func check(_ segments: String, sets: Int = 1, representations: Int = 1, base: String = "") async {
            let set = (0..<representations).map { "<Representation id=\"\($0)\" bandwidth=\"1\"/>" }.joined()
            let text = """
                <MPD mediaPresentationDuration="PT10S"><BaseURL>\(base)</BaseURL><Period>\(segments)
                \(String(repeating: "<AdaptationSet mimeType=\"video/mp4\">\(set)</AdaptationSet>", count: sets))
                </Period></MPD>
                """
            await #expect { try await lines(text) } throws: { error in
                (error as? PlaybackError)?.code == .unrecognisedFormat
            }
        }
        func folder(_ length: Int) -> String { String(repeating: "a", count: length) + "/" }
        let runs = String(repeating: "<S d=\"1\"/>", count: 1000)
        let addresses = String(repeating: "<SegmentURL/>", count: 1000)
        await check(template("duration=\"5\""), sets: 11, representations: 200)
        await check(template("", "<SegmentTimeline>\(runs)</SegmentTimeline>"), sets: 6, representations: 100)
        await check("<SegmentList duration=\"1\">\(addresses)</SegmentList>", sets: 6, representations: 100)
        await check(template("duration=\"5\""), base: folder(9000))
        await check(template("duration=\"1\" timescale=\"1000\""), base: folder(8000))
        let media = String(repeating: "$Bandwidth$", count: 9000)
        await check("<SegmentTemplate duration=\"5\" media=\"\(media)\"/>")
    }

    @Test(arguments: ["$Number", "$Number%5d$", "$Number%0999d$", "$Other$", "$Time%s$"])
    func aDamagedTemplateIsRefused(media: String) async {
        let text = manifest("<SegmentTemplate duration=\"5\" media=\"\(media)\"/>")
        await #expect(throws: PlaybackError.self) { try await lines(text) }
    }

    @Test func linksToOtherDocumentsAreRefused() async {
        let text = manifest(template("duration=\"5\""), period: "xlink:href=\"https://other/\"")
        await #expect { try await lines(text) } throws: { ($0 as? PlaybackError)?.code == .addressForbidden }
    }

    @Test(arguments: [
        "", "<AdaptationSet mimeType=\"audio/mp4\"><Representation id=\"a\" bandwidth=\"1\"/></AdaptationSet>",
    ])
    func encryptedStreamsAreRefused(clear: String) async {
        let text = manifest("<ContentProtection schemeIdUri=\"urn:x\"/>" + template("duration=\"5\""))
            .replacing("</Period>", with: clear + "</Period>")
        await #expect { try await lines(text) } throws: { ($0 as? PlaybackError)?.code == .noPlayableStream }
    }
}
