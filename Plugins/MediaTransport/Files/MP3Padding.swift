import Foundation

/// The samples that an encoder has added before and after the audio of an MP3 file, from the tag of LAME, which ffmpeg and others
/// write too.
package struct MP3Padding: Hashable {
    /// The duration of the samples before the audio, in seconds. It includes the delay of a decoder.
    package let lead: Double
    /// The duration of the audio, in seconds.
    package let length: Double

    /// The delay of each decoder, in samples.
    private static let decoderDelay = 529
    /// The longest ID3 tag, in bytes. A tag with artwork is long.
    private static let longestTag = 16 << 20

    /// Returns `nil` without a tag of LAME.
    package init?(file: URL) {
        guard file.pathExtension.lowercased() == "mp3", let handle = LocalFile.open(file),
            let start = try? handle.read(upToCount: 10)
        else { return nil }
        let offset = Self.tagLength(start)
        guard offset <= Self.longestTag, (try? handle.seek(toOffset: UInt64(offset))) != nil,
            let frame = try? handle.read(upToCount: 512)
        else { return nil }
        self.init(frame: frame)
    }

    /// - Parameter frame: the start of the first frame.
    init?(frame: Data) {
        guard let header = frame.number(at: 0, bytes: 4), header >> 21 == 0x7FF else { return nil }
        let (version, layer, rateIndex, mode) = (header >> 19 & 3, header >> 17 & 3, header >> 10 & 3, header >> 6 & 3)
        guard layer == 1, version != 1, rateIndex != 3 else { return nil }
        // MPEG-1 has version 3, MPEG-2 2, and MPEG-2.5 0.
        let isFirst = version == 3
        let rate = [44100, 48000, 32000][rateIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
        let sideInformation = isFirst ? (mode == 3 ? 17 : 32) : (mode == 3 ? 9 : 17)
        let tag = 4 + sideInformation
        guard let name = frame.number(at: tag, bytes: 4), [0x5869_6E67, 0x496E_666F].contains(name),
            let flags = frame.number(at: tag + 4, bytes: 4), flags & 1 != 0,
            let frames = frame.number(at: tag + 8, bytes: 4)
        else { return nil }
        let fields = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(0) { $0 + (flags & $1.0 != 0 ? $1.1 : 0) }
        // The version of the encoder, and 12 bytes about the quality, come before.
        guard let padding = frame.number(at: tag + 8 + fields + 21, bytes: 3), padding > 0 else { return nil }
        let (before, after) = (padding >> 12, padding & 0xFFF)
        let samples = frames * (isFirst ? 1152 : 576) - before - after
        guard samples > 0 else { return nil }
        lead = Double(before + Self.decoderDelay) / Double(rate)
        length = Double(samples) / Double(rate)
    }

    /// The length of the ID3 tag at the start of a file, in bytes.
    private static func tagLength(_ start: Data) -> Int {
        guard start.prefix(3) == Data("ID3".utf8), start.count == 10 else { return 0 }
        let size = start.dropFirst(6).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        let hasFooter = start[start.startIndex + 5] & 0x10 != 0
        return size + (hasFooter ? 20 : 10)
    }
}
