import Foundation
import TestSupport
import Testing

@testable import MediaTransport

@Suite struct MP3PaddingTests {
    /// The delay of the encoder and that of a decoder, in samples.
    private static let delay = 576 + 529

    @Test(arguments: [22050, 44100, 48000]) func anAudioFileHasItsPaddingAndDuration(rate: Int) async throws {
        let padding = try #require(MP3Padding(file: try await MediaFixtures.shared.audio("mp3", rate: rate)))
        #expect(padding.lead == Double(Self.delay) / Double(rate))
        #expect(abs(padding.length - MediaFixtures.duration) < 1 / Double(rate), "\(padding.length)")
    }

    @Test(arguments: ["mp4", "flac", "wav"]) func otherFormatsHaveNoPadding(format: String) async throws {
        let file = try await MediaFixtures.shared.file(format)
        #expect(MP3Padding(file: file) == nil)
        #expect(try MP3Padding(frame: Data(contentsOf: file).prefix(512)) == nil)
    }

    @Test func rottenFramesAreRead() async throws {
        let bytes = try Data(contentsOf: try await MediaFixtures.shared.audio("mp3", rate: 44100))
        let start = try #require(bytes.firstRange(of: Data("Xing".utf8)) ?? bytes.firstRange(of: Data("Info".utf8)))
        // The header and the side information of a mono frame come before.
        let frame = Data(bytes[(start.lowerBound - 21)..<(start.lowerBound + 400)])
        #expect(MP3Padding(frame: frame) != nil)
        var dice = Dice(seed: 7)
        for _ in 0..<3000 {
            var rotten = frame.prefix(Int.random(in: 0...frame.count, using: &dice))
            for _ in 0..<Int.random(in: 0...6, using: &dice) where !rotten.isEmpty {
                rotten[Int.random(in: 0..<rotten.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            guard let padding = MP3Padding(frame: Data(rotten)) else { continue }
            #expect(padding.lead > 0 && padding.lead < 1 && padding.length > 0)
        }
    }
}
