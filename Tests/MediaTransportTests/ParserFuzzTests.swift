import Foundation
import Playback
import TestSupport
import Testing

@testable import MediaTransport

/// The parsers for data from servers and files: reading ends for any input.
@Suite struct ParserFuzzTests {
    private static let pieces = [
        "\n", "\r", "\r\n", "\u{2028}", " ", "\t", "\"", "'", ",", "=", ":", "#", "#EXT", "#EXTM3U", "#EXT-X-KEY:",
        "#EXT-X-MAP:", "#EXT-X-MEDIA:", "#EXT-X-STREAM-INF:", "#EXTINF:", "URI=", "URI=\"", "file:///etc/passwd",
        "http://[",
        "http://h/", "//", "..", "%", "BANDWIDTH=", "-1", "nan", "1e400", "9223372036854775807",
        "18446744073709551615",
        "#EXT-X-CUE-OUT:", "#EXT-X-CUE-OUT-CONT:", "#EXT-X-CUE-IN", "#EXT-OATCLS-SCTE35:/DA0",
        "#EXT-X-DATERANGE:ID=\"a\",", "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z",
        "18446744073709551616", "bytes=", "bytes ", "/", "-", "*", "\u{301}", "💿", "\0", "\u{FEFF}",
    ]
    private static let master = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="A, B",DEFAULT=YES,URI="sound.m3u8"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
        #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.640015,mp4a.40.2",AUDIO="s"
        low/video.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
        https://other/sound.m3u8

        """
    private static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:7
        #EXT-X-KEY:METHOD=AES-128,URI="https://host/key",IV=0x1
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
        #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:02Z",PLANNED-DURATION=3,SCTE35-OUT=0xFC30
        #EXTINF:3.5,A title
        #EXT-X-BYTERANGE:1000@720
        a.ts
        #EXT-X-CUE-OUT:4
        #EXTINF:4,
        ../b.ts
        #EXT-X-ENDLIST

        """
    private static let base = URL(string: "https://host/a/b/master.m3u8")!

    private func walk(_ seed: UInt64, _ originals: [String], _ body: (String) -> Bool) async -> Int {
        var mutator = Mutator(seed: seed, pieces: Self.pieces)
        var read = 0
        for number in 0..<Fuzzing.count(short: 250) {
            await Fuzzing.giveWay(number)
            if body(mutator.mutant(of: originals)) { read += 1 }
        }
        return read
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddHLSPlaylistsAreRead(seed: UInt64) async {
        var presentation = HLSTimeline(HLSPlaylist.Media())
        var earlier = HLSPlaylist.Media()
        let read = await walk(seed, [Self.master, Self.media]) { text in
            switch HLSPlaylist(text, url: Self.base) {
            case .media(let segments):
                presentation.update(segments)
                let isValid =
                    presentation.window.start.isFinite && presentation.window.end >= presentation.window.start
                #expect(isValid && presentation.interval > 0, "\(text)")
                let marks = presentation.markers
                let areValid = marks.allSatisfy { $0.start.isFinite && $0.duration ?? 0 >= 0 }
                #expect(marks.count <= 500 && areValid, "\(text)")
                #expect((0...1).contains(presentation.fraction(of: 5, within: earlier)), "\(text)")
                earlier = segments
                if presentation.window.end > 1e6 { presentation = HLSTimeline(HLSPlaylist.Media()) }
            case .master(let master):
                _ = (master.variants.audioOnly, master.variants.ascending)
            case nil: return false
            }
            return true
        }
        #expect(read > 100)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func noAddressBypassesTheProxy(seed: UInt64) async {
        let written = await walk(seed, [Self.master, Self.media]) { text in
            let answer = PlaylistRewriter.rewritten(text, at: Self.base) { _, kind in
                URL(string: "gate:\(kind.rawValue)")!
            }
            let addresses = EngineReading(answer).addresses
            // An address that only looks like a playlist passes unchanged.
            for address in addresses
            where address.text != "gate:playlist" && (address.isPlaylist || address.text != "gate:segment") {
                Issue.record("\(address) in \(text.debugDescription)")
            }
            return !addresses.isEmpty
        }
        #expect(written > 100)
    }

    private static let dash = """
        <?xml version="1.0"?><MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z" minimumUpdatePeriod="PT2S" \
        timeShiftBufferDepth="PT60S"><BaseURL>media/</BaseURL><Period id="1" start="PT0S"><EventStream schemeIdUri="urn:x" timescale="10"><Event presentationTime="20" duration="5">\
        <Signal><Binary>/DA0</Binary></Signal></Event></EventStream><AdaptationSet \
        mimeType="video/mp4"><Representation id="1" bandwidth="100000"><SegmentTemplate timescale="1000" \
        initialization="i-$RepresentationID$" media="$Number%05d$-$Time$" startNumber="7" presentationTimeOffset="20">\
        <SegmentTimeline><S t="20" d="2000" r="3"/><S d="1000" r="-1"/><S t="90000" d="1"/></SegmentTimeline>\
        </SegmentTemplate></Representation></AdaptationSet><AdaptationSet contentType="audio" lang="de">\
        <Representation id="2" bandwidth="64000"><SegmentList duration="2"><Initialization range="0-100"/>\
        <SegmentURL media="a" mediaRange="1-2"/><SegmentURL media="b"/></SegmentList></Representation></AdaptationSet>\
        </Period><Period start="PT100S"><AdaptationSet mimeType="audio/mp4"><Representation id="3" bandwidth="1">\
        <SegmentTemplate media="$Number$" duration="2"/></Representation></AdaptationSet></Period></MPD>
        """

    /// Playlists of any manifest name only addresses that the proxy checks.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddManifestsAreRead(seed: UInt64) async {
        let texts = [Self.dash, Self.dash.replacing("dynamic", with: "static")]
        let pieces =
            Self.pieces + [
                "<", ">", "/>", "<S d=\"1\"/>", "</Period>", "<!--", "<![CDATA[", "]]>", "&amp;", "&", "r=\"-1\"", "PT",
                "P1Y",
                "$", "%", "t=\"", "99999999", "<BaseURL>file:///etc/</BaseURL>", "duration=\"1\"",
            ]
        var mutator = Mutator(seed: seed, pieces: pieces)
        var read = 0
        for number in 0..<Fuzzing.count(short: 125) {
            await Fuzzing.giveWay(number)
            let text: String = mutator.mutant(of: texts)
            guard let playlists = try? DASHPlaylists(Array(text.utf8), url: Self.base) else { continue }
            read += 1
            guard case .master(let master)? = HLSPlaylist(playlists.masterPlaylist, url: Self.base) else {
                Issue.record("\(text)")
                continue
            }
            for variant in master.variants {
                let playlist = try? await playlists.playlist(at: variant.url) { url, _ throws(PlaybackError) in
                    throw PlaybackError(.connectionFailed, url: url)
                }
                guard let playlist else { continue }
                #expect(playlist.start.isFinite, "\(text)")
                let answer = PlaylistRewriter.rewritten(playlist.text, at: variant.url) { _, kind in
                    URL(string: "gate:\(kind.rawValue)")!
                }
                let isSafe = EngineReading(answer).addresses.allSatisfy { $0.text == "gate:segment" && !$0.isPlaylist }
                #expect(isSafe, "\(text)")
            }
        }
        #expect(read > 5)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func theProxyReturnsItsAddresses(seed: UInt64) async {
        let read = await walk(seed, ["https://host/a%20b?c=d#e", "aHR0cHM6Ly9ob3N0L2E", "http://h:8/ä"]) { text in
            _ = HLSProxySession.url(text)
            return URL(string: text) != nil
        }
        #expect(read > 100)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddHeadsHaveValidSizes(seed: UInt64) async {
        let fields = ["bytes 100-199/1000", "bytes 0-1/*", "1000", "Video/MP4; codecs=x", "\"etag\""]
        let reported = await walk(seed, fields) { text in
            let heads = [200, 206].map { HTTPHead(status: $0, url: Self.base) { _ in text } }
            #expect(heads.allSatisfy { $0.size ?? 0 <= Int64.max }, "\(text)")
            #expect(heads.allSatisfy { $0.start <= Int64.max || $0.start == .max }, "\(text)")
            _ = HTTPHead.isPlaylist(text.utf8)
            _ = HTTPHead.isManifest(text.utf8)
            return heads.contains { $0.size != nil }
        }
        #expect(reported > 12)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddRangesHaveValidPositions(seed: UInt64) async {
        let read = await walk(seed, ["bytes=0-99", "bytes=100-", "bytes=7-7"]) { text in
            guard let range = ByteRange(text) else { return false }
            #expect(range.first <= Int64.max && range.last ?? 0 <= Int64.max, "\(text)")
            return true
        }
        #expect(read > 25)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddIndexesAreRead(seed: UInt64) async throws {
        let whole = try Data(contentsOf: try await MediaFixtures.shared.audio("m4a", rate: 44100))
        let start = try #require(whole.firstRange(of: Data("moov".utf8))).upperBound
        let index = [UInt8](whole[start...])
        var mutator = Mutator(seed: seed, pieces: ["edts", "elst", "mdhd", "mvhd", "trak", "soun", "\0\0\0\u{1}"])
        var found = 0
        for number in 0..<Fuzzing.count(short: 250) {
            await Fuzzing.giveWay(number)
            let mutant = Data(mutator.mutant(of: [index]))
            guard let priming = MP4Priming(index: mutant, at: start) else { continue }
            found += 1
            #expect(priming.lead > 0 && priming.lead <= 0.1 && priming.length.isFinite)
            #expect((start..<start + mutant.count).contains(priming.boxType))
        }
        #expect(found > 100)
    }

    /// Only their kind is looked at; what is in them, libVLC reads.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddSubtitlesAreAcceptedOrRefused(seed: UInt64) async {
        let texts = ["WEBVTT\n\n00:00.000 --> 00:01.000\nA\n", "\u{FEFF}1\n00:00:00,000 --> 00:00:01,000\nA\n"]
        let taken = await walk(seed, texts) { SubtitleFile.isText(Data($0.utf8)) }
        #expect(taken > 100)
    }
}
