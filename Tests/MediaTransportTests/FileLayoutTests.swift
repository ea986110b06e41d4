import Foundation
import TestSupport
import Testing

@testable import MediaTransport

@Suite struct FileLayoutTests {
    private func box(_ type: String, _ size: UInt32) -> Data {
        withUnsafeBytes(of: size.bigEndian) { Data($0) } + Data(type.utf8) + Data(count: max(8, Int(size)) - 8)
    }

    @Test func theFirstBytesShowThePlaceOfTheIndex() async throws {
        let clip = try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))
        #expect(FileLayout(clip.prefix(4096)) == .indexAtEnd)
        let fast = try Data(contentsOf: try await MediaFixtures.shared.long(seconds: 1))
        #expect(FileLayout(fast) == .indexAtStart)
        let matroska = try Data(contentsOf: try await MediaFixtures.shared.file("mkv"))
        #expect(FileLayout(matroska) == .matroska)
        #expect(FileLayout(Data("RIFF....AVI LIST".utf8)) == .avi)
        #expect(FileLayout(Data([0, 0, 1, 0xBA, 0x44])) == .programStream)
        for format in ["mp3", "ts", "ogg", "wav"] {
            let other = try Data(contentsOf: try await MediaFixtures.shared.file(format))
            #expect([nil, .other].contains(FileLayout(other)), "\(format)")
        }
    }

    @Test func boxesBeforeTheMediaAreSkipped() {
        let start = box("ftyp", 24) + box("free", 100) + box("wide", 8)
        #expect(FileLayout(start + box("mdat", 64)) == .indexAtEnd)
        #expect(FileLayout(start + box("moov", 64)) == .indexAtStart)
        #expect(FileLayout(start + box("moov", 64).dropLast(8)) == nil)
        #expect(FileLayout(start + box("moov", 64).dropLast(8) + box("mvex", 8)) == .fragmented)
        #expect(FileLayout(start) == nil)
        #expect(FileLayout(box("uuid", 4096).prefix(64)) == nil)
        #expect(FileLayout(Data()) == nil)
        #expect(FileLayout(box("mdat", 16)) == .indexAtEnd)
    }

    /// Reads invalid beginnings: reading ends.
    @Test func rottenBeginningsAreRead() {
        var dice = Dice(seed: 11)
        var known = 0
        for _ in 0..<20_000 {
            var bytes = box("ftyp", 24) + box("free", 40) + box("mdat", 64)
            for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice) }
            if FileLayout(bytes) != nil { known += 1 }
        }
        #expect(known > 0)
    }
}
