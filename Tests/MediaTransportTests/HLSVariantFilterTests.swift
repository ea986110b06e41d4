import Foundation
import Playback
import Testing

@testable import MediaTransport

/// The variants that may be played.
@Suite struct HLSVariantFilterTests {
    private static let base = URL(string: "https://host/a/master.m3u8")!
    private static let playlist = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,FRAME-RATE=25
        b.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180
        a.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS="avc1.640015,mp4a.40.2"
        c.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=90000,CODECS="mp4a.40.2"
        sound.m3u8
        """

    private var variants: [HLSPlaylist.Variant] {
        guard case .master(let master)? = HLSPlaylist(Self.playlist, url: Self.base) else { return [] }
        return master.variants
    }

    private func names(_ filter: HLSVariantFilter) -> [String] {
        filter.allowed(of: variants).map { $0.url.deletingPathExtension().lastPathComponent }
    }

    @Test func limitsExcludeVariants() {
        #expect(names(HLSVariantFilter()) == ["b", "a", "c", "sound"])
        #expect(names(HLSVariantFilter(peakBitRate: 800_000)) == ["b", "a", "sound"])
        #expect(names(HLSVariantFilter(peakBitRate: 10_000)) == ["sound"])
        let size = VideoSize(width: 640, height: 360)
        #expect(names(HLSVariantFilter(maximumResolution: size)) == ["b", "a", "sound"])
        #expect(names(HLSVariantFilter(peakBitRate: 500_000, maximumResolution: size)) == ["a", "sound"])
    }

    @Test func aNegativeSizeIsNone() throws {
        let text = Self.playlist.replacing("320x180", with: "-9223372036854775808x2")
        guard case .master(let master)? = HLSPlaylist(text, url: Self.base) else { throw CancellationError() }
        let filter = HLSVariantFilter(maximumResolution: VideoSize(width: 640, height: 360))
        #expect(filter.allowed(of: master.variants).count == 3)
    }

    /// A stream without an audio-only variant.
    @Test func theSmallestVariantIsLeft() {
        let video = variants.filter { !$0.isAudioOnly }
        func urls(_ filter: HLSVariantFilter) -> [String] { filter.allowed(of: video).map(\.url.lastPathComponent) }
        #expect(urls(HLSVariantFilter(peakBitRate: 10_000)) == ["a.m3u8"])
        #expect(urls(HLSVariantFilter(maximumResolution: VideoSize(width: 64, height: 36))) == ["a.m3u8"])
    }

    @Test func qualitiesAreTheVariantsWithVideo() throws {
        let qualities = HLSVariantFilter().qualities(of: variants)
        #expect(qualities.map(\.height) == [720, 360, 180])
        #expect(qualities.map(\.width) == [1280, 640, 320])
        #expect(qualities.map(\.bitRate) == [2_000_000, 800_000, 300_000])
        #expect(qualities.map(\.id) == [2, 0, 1])
        #expect(qualities[0].codecs == ["avc1.640015", "mp4a.40.2"] && qualities[1].frameRate == 25)
        let limited = HLSVariantFilter(maximumResolution: VideoSize(width: 640, height: 360))
        #expect(limited.qualities(of: variants).map(\.height) == [360, 180])
        #expect(HLSVariantFilter(peakBitRate: 400_000).qualities(of: variants).isEmpty, "there is no choice")
    }

    @Test func aSelectedQualityExcludesTheOthers() throws {
        let best = try #require(HLSVariantFilter().qualities(of: variants).first)
        #expect(names(HLSVariantFilter(selected: best)) == ["c"])
        #expect(names(HLSVariantFilter(peakBitRate: 800_000, selected: best)) == ["b", "a", "sound"])
    }

    @Test func otherVariantsAreNotInTheMasterPlaylist() throws {
        let kept = Set(HLSVariantFilter(peakBitRate: 800_000).allowed(of: variants).map(\.url))
        let text = PlaylistRewriter.rewritten(Self.playlist, at: Self.base, variants: kept) { url, _ in url }
        guard case .master(let left)? = HLSPlaylist(text, url: Self.base) else {
            Issue.record("\(text)")
            return
        }
        #expect(left.variants.map(\.url.lastPathComponent) == ["b.m3u8", "a.m3u8", "sound.m3u8"])
        #expect(left.variants.map(\.bandwidth) == [800_000, 300_000, 90000])
        #expect(!text.contains("1280x720"))
    }

    @Test(arguments: ["x", "1x", "1x2x3", "99999999999999999999x1", "-1x-1", "9223372036854775807x9223372036854775807"])
    func oddSizesAreNoTrap(size: String) {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=\(size)\na\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb\n"
        guard case .master(let master)? = HLSPlaylist(text, url: Self.base) else {
            Issue.record("not read")
            return
        }
        let filter = HLSVariantFilter(maximumResolution: VideoSize(width: 1, height: 1))
        #expect(!filter.allowed(of: master.variants).isEmpty)
    }
}
