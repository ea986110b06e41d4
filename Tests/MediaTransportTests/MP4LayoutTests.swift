import Foundation
import TestSupport
import Testing

@testable import MediaTransport

@Suite struct MP4LayoutTests {
    private func box(_ type: String, _ size: UInt32) -> Data {
        withUnsafeBytes(of: size.bigEndian) { Data($0) } + Data(type.utf8) + Data(count: max(8, Int(size)) - 8)
    }

    @Test func theFirstBytesShowThePlaceOfTheIndex() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.medium("mp4"))
        #expect(MP4Layout.isIndexAtEnd(clip.prefix(4096)) == true)
        #expect(MP4Layout.isMP4(clip.prefix(MP4Layout.markLength)))
        let fast = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: 1))
        #expect(MP4Layout.isIndexAtEnd(fast.prefix(4096)) == false)
        for format in ["mkv", "mp3", "ts", "ogg", "wav"] {
            let other = try Data(contentsOf: try await MediaFixtures.shared.medium(format))
            #expect(MP4Layout.isIndexAtEnd(other) != true && !MP4Layout.isMP4(other), "\(format)")
        }
    }

    @Test func boxesBeforeTheMediaAreSkipped() {
        let start = box("ftyp", 24) + box("free", 100) + box("wide", 8)
        #expect(MP4Layout.isIndexAtEnd(start + box("mdat", 64)) == true)
        #expect(MP4Layout.isIndexAtEnd(start + box("moov", 64)) == false)
        #expect(MP4Layout.isIndexAtEnd(start) == nil)
        #expect(MP4Layout.isIndexAtEnd(box("uuid", 4096).prefix(64)) == nil)
        #expect(MP4Layout.isIndexAtEnd(Data()) == nil)
        #expect(MP4Layout.isIndexAtEnd(box("mdat", 16)) == true)
    }

    /// Reads invalid beginnings: reading ends.
    @Test func rottenBeginningsAreRead() {
        var dice = Dice(seed: 11)
        var known = 0
        for _ in 0..<20_000 {
            var bytes = box("ftyp", 24) + box("free", 40) + box("mdat", 64)
            for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice) }
            if MP4Layout.isIndexAtEnd(bytes) != nil { known += 1 }
        }
        #expect(known > 0)
    }
}
