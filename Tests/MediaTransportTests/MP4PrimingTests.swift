import Foundation
import TestSupport
import Testing

@testable import MediaTransport

@Suite struct MP4PrimingTests {
    /// One packet of AAC.
    private static let packet = 1024

    private func isFree(_ url: URL, at offset: Int) throws -> Bool {
        let reader = try #require(PatchedFile(url: url, at: offset, bytes: Array("free".utf8)).open())
        #expect(try Int(#require(reader.size)) == Data(contentsOf: url).count)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
        defer { buffer.deallocate() }
        try #require(reader.seek(to: UInt64(offset - 3)))
        try #require(reader.read(into: buffer) == 6)
        let ahead = Array(buffer)
        try #require(reader.read(into: buffer) == 6)
        return ahead.suffix(3) == Array("fre".utf8) && buffer.first == UInt8(ascii: "e")
    }

    @Test(arguments: [44100, 48000]) func anAudioFileHasItsPrimingAndDuration(rate: Int) async throws {
        let url = try await MediaFixtures.shared.audio("m4a", rate: rate)
        let priming = try #require(MP4Priming(file: url))
        #expect(priming.lead == Double(Self.packet) / Double(rate))
        #expect(abs(priming.length - MediaFixtures.duration) < 1 / Double(rate), "\(priming.length)")
        let bytes = try Data(contentsOf: url)
        #expect(bytes[priming.boxType..<priming.boxType + 4] == Data("edts".utf8))
        #expect(try isFree(url, at: priming.boxType))
        let ticks = try #require(bytes.dropFirst(priming.editLength).number(at: 0, bytes: priming.longerEdit.count))
        let longer = try #require(Data(priming.longerEdit).number(at: 0, bytes: priming.longerEdit.count))
        #expect(ticks == 2000 && longer == 2000 + Int((priming.lead * 1000).rounded(.up)), "ticks are milliseconds")
    }

    @Test func theAudioListOfAVideoFileIsFound() async throws {
        let url = try await MediaFixtures.shared.file("mp4")
        let priming = try #require(MP4Priming(file: url))
        #expect(priming.lead > 0.02 && priming.lead < 0.025)
        let bytes = try Data(contentsOf: url)
        let lists = bytes.ranges(of: Data("edts".utf8)).map(\.lowerBound)
        #expect(lists.count == 2 && lists.last == priming.boxType, "\(lists), \(priming.boxType)")
    }

    @Test(arguments: ["mkv", "mp3", "flac"]) func otherFormatsHaveNoPriming(format: String) async throws {
        #expect(MP4Priming(file: try await MediaFixtures.shared.file(format)) == nil)
    }

    @Test func aFileWithoutAudioHasNoPriming() async throws {
        #expect(MP4Priming(file: try await MediaFixtures.shared.silent()) == nil)
    }

    @Test(arguments: [4, 8]) func aListThatCannotBecomeLongerIsRefused(bytes: Int) throws {
        func number(_ value: Int, _ count: Int = 4) -> Data {
            Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        func box(_ type: String, _ content: Data) -> Data { number(content.count + 8) + Data(type.utf8) + content }
        func index(length: Int) -> Data {
            let list = number(bytes == 8 ? 1 << 24 : 0) + number(1) + number(length, bytes) + number(1024, bytes)
            let clock = number(0, 12) + number(44100) + number(88200)
            let handler = box("hdlr", number(0, 8) + Data("soun".utf8))
            let track = box("edts", box("elst", list + number(1 << 16))) + box("mdia", box("mdhd", clock) + handler)
            return box("mvhd", clock) + box("trak", track)
        }
        let priming = try #require(MP4Priming(index: index(length: 87176), at: 0))
        #expect(priming.longerEdit == Array(number(88200, bytes)))
        #expect(MP4Priming(index: index(length: bytes == 8 ? .max : Int(UInt32.max)), at: 0) == nil)
    }

    /// Reads invalid files: reading ends, and the values are within their bounds.
    @Test func rottenFilesAreRead() async throws {
        let whole = try Data(contentsOf: try await MediaFixtures.shared.audio("m4a", rate: 44100))
        let start = try #require(whole.firstRange(of: Data("moov".utf8))).lowerBound - 4
        var dice = Dice(seed: 7)
        var found = 0
        for number in 0..<3000 {
            await Fuzzing.giveWay(number)
            var bytes = whole
            if number.isMultiple(of: 3) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &dice)) }
            for _ in 0..<Int.random(in: 1...6, using: &dice) where start < bytes.count {
                bytes[Int.random(in: start..<bytes.count, using: &dice)] = [0, 1, 0x7F, 0xFF].randomElement(
                    using: &dice)!
            }
            guard start + 8 < bytes.count else { continue }
            if let priming = MP4Priming(index: bytes.dropFirst(start + 8), at: start + 8) {
                found += 1
                #expect(priming.lead > 0 && priming.lead <= 0.1 && priming.length.isFinite)
                #expect((start..<bytes.count).contains(priming.boxType))
            }
        }
        #expect(found > 100)
    }
}
