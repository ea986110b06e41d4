import Foundation
import TestSupport
import Testing

@testable import FlowplayerFaults

/// Parsing of random plans, addresses, headers and playlists ends without a crash.
@Suite struct FaultFuzzTests {
    private static let pieces = [
        "+", "@", "=", ",", "-", "%", "%2F", "%00", "%zz", "/", "?", "token=", "9223372036854775807",
        "9223372036854775808",
        "-1", "0", "1e6", "1e400", "nan", "inf", "0x10", "bytes=", "#EXTINF:", "#EXT-X-MEDIA-SEQUENCE:", "\n", "\r",
        "💿",
        "segment", "variant", "..", "@ranged", "status", "\u{301}",
    ]

    /// - Returns: how many of the inputs were accepted.
    private func walk(_ seed: UInt64, _ originals: [String], _ body: (String) -> Bool) async -> Int {
        var mutator = Mutator(seed: seed, pieces: Self.pieces)
        var read = 0
        for number in 0..<Fuzzing.count(short: 500) {
            await Fuzzing.giveWay(number)
            if body(mutator.mutant(of: originals)) { read += 1 }
        }
        return read
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddPlansAreReadOrRefusedAndWhatIsReadIsItsText(seed: UInt64) async {
        let plans = FaultCatalogue.entries.map(\.plan.description) + ["status=503@1+drip=20@variant2@3-", "late=1@2-4"]
        let read = await walk(seed, plans) { text in
            guard let plan = FaultPlan(text) else { return false }
            #expect(FaultPlan(plan.description) == plan, "\(text)")
            return true
        }
        #expect(read > 25)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddTargetsLeadSomewhere(seed: UInt64) async {
        let targets = [
            "/status=404/clip.mp4?token=a&b=c", "/a/%20b/../c.m3u8?x", "/late=1@2-/hls/1.ts", "*", "http://h/a",
        ]
        let found = await walk(seed, targets) { text in
            let target = Target(text)
            _ = (target.token, target.suffix)
            return target.prefix != nil
        }
        #expect(found > 25)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddRangesAreWithinTheFile(seed: UInt64) async {
        var dice = Dice(seed: seed)
        let parts = await walk(seed, ["bytes=0-99", "bytes=100-", "bytes=-5", "Bytes=7-7", "bytes=1-2,4-5"]) { text in
            let count = [0, 1, 100, 1_000_000].randomElement(using: &dice)!
            guard case .bytes(let range) = RangeHeader.part(text, of: count) else { return false }
            #expect(range.lowerBound >= 0 && range.upperBound <= count && !range.isEmpty, "\(text) of \(count)")
            return true
        }
        #expect(parts > 25)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddPlaylistsAreServed(seed: UInt64) async {
        let playlists = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\na.ts\n#EXTINF:3.5,b\n../b.ts\n#EXT-X-ENDLIST\n",
            "#EXTM3U\r\n#EXT-X-KEY:METHOD=NONE\r\n#EXT-X-MAP:URI=\"i.mp4\"\r\n#EXTINF:1,\r\nhttp://h/a\r\n#EXTINF:0,\r\nb\r\n",
        ]
        var dice = Dice(seed: seed)
        let served = await walk(seed, playlists) { text in
            guard var playlist = MediaPlaylist(text: text) else { return false }
            playlist.duplicateSegment(Int.random(in: -1...4, using: &dice))
            playlist.showWindow(
                Int.random(in: 1...4, using: &dice), after: .seconds(Double.random(in: 0...1e5, using: &dice)),
                isEndless: Bool.random(using: &dice))
            playlist.mapAddresses { HLSIndex.path(of: $0, in: "/hls/clip.m3u8") }
            return !playlist.text.isEmpty
        }
        #expect(served > 100)
    }
}
