#if VLC
import Foundation
import Testing

@testable import MediaTransport
@testable import VLCBackend

@Suite struct VLCStreamOptionsTests {
    private static let base = URL(string: "https://host/a/master.m3u8")!

    private func variants(_ lines: String...) throws -> [HLSPlaylist.Variant] {
        let text = (["#EXTM3U"] + lines).joined(separator: "\n")
        guard case .master(let variants)? = HLSPlaylist(text, url: Self.base) else {
            throw Unexpected()
        }
        return variants
    }

    static let limits: [(Double, [String])] = [
        (250_000, ["adaptive-logic=fixedrate", "adaptive-bw=30"]), (400_000, ["adaptive-maxheight=180"]),
        (900_000, ["adaptive-maxheight=360"]), (3_000_000, []),
    ]

    private struct Unexpected: Error {}

    @Test(arguments: limits)
    func aLimitGoesByHeightWhereThatSaysTheSame(limit: Double, options: [String]) throws {
        let variants = try variants(
            "#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180", "a",
            "#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360", "b",
            "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720", "c")
        #expect(variants.vlcOptions(upTo: limit) == options)
    }

    @Test func aLimitGoesByRateWhereHeightsAreTheSameOrUnknown() throws {
        let same = try variants(
            "#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=640x360", "a",
            "#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360", "b")
        let unknown = try variants("#EXT-X-STREAM-INF:BANDWIDTH=300000", "a", "#EXT-X-STREAM-INF:BANDWIDTH=800000", "b")
        for variants in [same, unknown] {
            #expect(variants.vlcOptions(upTo: 500_000) == ["adaptive-logic=fixedrate", "adaptive-bw=61"])
        }
    }

    @Test(arguments: [0, 1000, 1e300])
    func anyLimitGivesOptions(limit: Double) throws {
        let variants = try variants("#EXT-X-STREAM-INF:BANDWIDTH=300000", "a")
        #expect(variants.vlcOptions(upTo: limit).isEmpty == (limit >= 300_000))
    }
}
#endif
