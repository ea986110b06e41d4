import Foundation
import TestSupport
import Testing

@testable import MediaTransport

@Suite struct TransportStreamClockTests {
    private struct Packet: Equatable {
        let stream: String
        let time: Double
        let decodingTime: Double
        let hash: Substring
    }

    /// The packets of a file, as ffprobe reads them.
    private func packets(_ bytes: [UInt8]) async throws -> [Packet] {
        let file = MediaFixtures.shared.directory.appending(path: "\(UUID()).ts")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let entries = ["-show_entries", "packet=stream_index,pts_time,dts_time,data_hash", "-show_data_hash", "md5"]
        let result = try await Command(
            "ffprobe", ["-v", "error", "-of", "csv=p=0"] + entries + [file.path()]
        ).run()
        #expect(result.errors.isEmpty, "\(result.errors)")
        // The hash is on its own line after data that belong to a packet.
        return try result.output.replacing(",\n,", with: ",").split(separator: "\n").map { line in
            let parts = line.split(separator: ",", omittingEmptySubsequences: false)
            return Packet(
                stream: String(parts[0]), time: try #require(Double(parts[1])),
                decodingTime: try #require(Double(parts[2])), hash: parts[3])
        }
    }

    /// A second of video and audio. Its frames are decoded in another order than they are shown, so they have two times.
    private func segment() async throws -> [UInt8] {
        let file = MediaFixtures.shared.directory.appending(path: "\(UUID()).ts")
        defer { try? FileManager.default.removeItem(at: file) }
        let sources = ["testsrc2=size=160x90:rate=25:duration=1", "sine=duration=1"]
        let inputs = sources.flatMap { ["-f", "lavfi", "-i", $0] }
        let codecs = ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        let result = try await Command("ffmpeg", ["-v", "error"] + inputs + codecs + [file.path()]).run()
        #expect(result.status == 0, "\(result.errors)")
        return Array(try Data(contentsOf: file))
    }

    private func pass(_ bytes: [UInt8], in sizes: [Int], _ clock: TransportStreamClock) -> [UInt8] {
        var (rest, result, index) = (bytes[...], clock.pass([]), 0)
        while !rest.isEmpty {
            result += clock.pass(Array(rest.prefix(sizes[index % sizes.count])))
            rest = rest.dropFirst(sizes[index % sizes.count])
            index += 1
        }
        return result + clock.finish()
    }

    @Test(arguments: [(3.0, [65536]), (-20.0, [1, 187, 188, 1000]), (-95_443.7, [4096])])
    func allTimesMoveAndNothingElseDoes(shift: Double, sizes: [Int]) async throws {
        let bytes = try await segment()
        let moved = pass(bytes, in: sizes, TransportStreamClock { _ in shift })
        #expect(moved.count == bytes.count && moved != bytes)
        let first = try #require(TransportStreamClock.first(in: bytes))
        // Times have 33 bits.
        let wrap = Double(1 << 33) / 90_000
        let start = try #require(TransportStreamClock.first(in: moved))
        #expect((0..<wrap).contains(start) && abs((start - first + shift).remainder(dividingBy: wrap)) < 0.001)
        let (before, after) = (try await packets(bytes), try await packets(moved))
        #expect(before.count > 20 && Set(before.map(\.stream)).count == 2)
        #expect(before.contains { $0.time != $0.decodingTime })
        #expect(before.map(\.hash) == after.map(\.hash) && before.map(\.stream) == after.map(\.stream))
        let offset = try #require(after.first).time - before[0].time
        #expect(abs((offset + shift).remainder(dividingBy: wrap)) < 0.001)
        for (before, after) in zip(before, after) {
            #expect(abs(after.time - before.time - offset) < 0.001)
            #expect(abs(after.decodingTime - before.decodingTime - offset) < 0.001)
        }
    }

    @Test func theFirstTimeDecidesTheShift() async throws {
        let bytes = try await segment()
        let first = TransportStreamClock.first(in: bytes)
        let clock = TransportStreamClock { time in
            #expect(time == first)
            return 0
        }
        #expect(pass(bytes, in: [500], clock) == bytes)
    }

    /// Audio without a transport stream has its time in a tag.
    @Test(arguments: [1, 40, 1000]) func theTimeOfAudioMoves(size: Int) {
        func segment(at time: UInt64) -> [UInt8] {
            let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
            let number = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
            return Array("ID3\u{4}\0\0\0\0\0?PRIV\0\0\05\0\0".utf8) + owner + number + [
                0xFF, 0xF1, 0x50, 0x80, 1, 2, 3,
            ]
        }
        let clock = TransportStreamClock { time in
            #expect(time == 10)
            return -2.5
        }
        #expect(pass(segment(at: 900_000), in: [size], clock) == segment(at: 1_125_000))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddSegmentsKeepTheirSize(seed: UInt64) async throws {
        let bytes = Array(try await segment().prefix(20 * 188))
        var mutator = Mutator(seed: seed, pieces: ["\u{47}@", "\0\0\u{1}", "\u{FF}", "\u{7F}"])
        for number in 0..<Fuzzing.count(short: 250) {
            await Fuzzing.giveWay(number)
            let mutant = mutator.mutant(of: [bytes])
            #expect(pass(mutant, in: [1000, 7], TransportStreamClock { $0 - 1e21 }).count == mutant.count)
        }
    }

    @Test func otherFormatsPass() async throws {
        let file = Array(try Data(contentsOf: try await MediaFixtures.shared.file("mp3")))
        let clock = TransportStreamClock { _ in
            Issue.record("There is no time.")
            return 1
        }
        #expect(pass(file, in: [1000], clock) == file)
        #expect(pass([0x47], in: [1], TransportStreamClock { _ in 1 }) == [0x47])
    }
}
