import Foundation
import Testing

@testable import MediaTransport

/// The media that edit lists skip.
@Suite struct MP4EditsTests {
    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count) + Array(type.utf8) + content
    }

    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The common start of `mvhd` and `mdhd`.
    private func clock(_ rate: Int, _ duration: Int, isLong: Bool = false) -> [UInt8] {
        let size = isLong ? 8 : 4
        return [isLong ? 1 : 0, 0, 0, 0] + number(0, 2 * size) + number(rate) + number(duration, size)
    }

    private func track(_ edits: [(length: Int, start: Int)], isLong: Bool = false) -> [UInt8] {
        let size = isLong ? 8 : 4
        let entries = edits.flatMap { number($0.length, size) + number($0.start, size) + number(1 << 16) }
        let list = [isLong ? 1 : 0, 0, 0, 0] + number(edits.count) + entries
        return box("trak", box("edts", box("elst", list)) + box("mdia", box("mdhd", clock(48000, 480_000))))
    }

    /// - Returns: the time that was added, and the new duration.
    private func extended(_ content: [UInt8], isLong: Bool = false) -> (added: Double, duration: Int?) {
        var bytes = box("moov", content)
        let added = bytes.withUnsafeMutableBytes { MP4Edits.addSkippedTime(to: $0) }
        return (added, Data(bytes).number(at: isLong ? 40 : 32, bytes: isLong ? 8 : 4))
    }

    @Test(arguments: [false, true]) func theLongestSkippedPartIsAdded(isLong: Bool) {
        let movie = box("mvhd", clock(1000, 8000, isLong: isLong))
        let tracks = track([(8000, 48000)], isLong: isLong) + track([(8000, 96000)], isLong: isLong)
        let result = extended(movie + tracks, isLong: isLong)
        #expect(result.added == 2 && result.duration == 10000)
    }

    @Test func aLaterEditSkipsOnlyWhatIsAheadOfItsTime() {
        let movie = box("mvhd", clock(1000, 8000))
        let result = extended(movie + track([(3000, -1), (5000, 48000 * 5)]))
        #expect(result.added == 2 && result.duration == 10000)
        #expect(extended(movie + track([(3000, -1), (5000, 0)])).added == 0)
    }

    @Test func otherFilesStayAsTheyAre() {
        let movie = box("mvhd", clock(1000, 8000))
        let edited = track([(8000, 48000)])
        #expect(extended(movie).added == 0)
        #expect(extended(movie + track([(8000, 1024)])).added == 0, "the priming of an encoder")
        #expect(extended(movie + box("mvex", []) + edited).added == 0, "fragmented")
        #expect(extended(box("mvhd", clock(1000, 0)) + edited).added == 0, "unknown duration")
        #expect(extended(box("mvhd", clock(0, 8000)) + edited).added == 0, "no unit of time")
        #expect(extended(box("mvhd", clock(1000, 0xFFFF_FFF0)) + edited).added == 0, "no room")
        var part = Array(box("moov", movie + edited).dropLast())
        #expect(part.withUnsafeMutableBytes { MP4Edits.addSkippedTime(to: $0) } == 0)
    }
}
