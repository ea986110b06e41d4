import Foundation

/// The edit lists of an mp4 file (ISO/IEC 14496-12, 8.6.6), which skip media, such as those before a cut.
package enum MP4Edits {
    /// A shorter part is an encoder's priming, in seconds. Such a file ends within the accepted distance from its duration.
    private static let shortestCut = 0.1

    /// Makes the duration of a movie longer by the media that its edit lists skip.
    ///
    /// GStreamer 1.22 ends each track where its media have the duration of the movie, although the edit list skips a part of them.
    ///
    /// - Parameter bytes: a part of a file. It changes if it is the whole box `moov`.
    /// - Returns: the time that was added, in seconds.
    package static func addSkippedTime(to bytes: UnsafeMutableRawBufferPointer) -> Double {
        guard let movie = Boxes.index(in: UnsafeRawBufferPointer(bytes)), movie.first("mvex") == nil,
            let header = movie.first("mvhd")?.content, let (rate, duration) = Boxes.clock(header: header), duration > 0
        else { return 0 }
        let isLong = header.first == 1
        let (offset, size) = isLong ? (24, 8) : (16, 4)
        let skipped = movie.all("trak").map { skippedTime(of: Boxes($0.content), movieRate: rate) }.max() ?? 0
        guard skipped > shortestCut,
            let longer = UInt64(exactly: (Double(duration) + skipped * Double(rate)).rounded(.up)),
            isLong ? longer < UInt64.max : longer < UInt64(UInt32.max)
        else { return 0 }
        let start = header.startIndex + offset
        for index in 0..<size {
            bytes[start + index] = UInt8(truncatingIfNeeded: longer >> UInt64(8 * (size - 1 - index)))
        }
        return Double(longer - UInt64(duration)) / Double(rate)
    }

    /// The longest time by which the media of a track are ahead of its edits, in seconds.
    private static func skippedTime(of track: Boxes, movieRate: Int) -> Double {
        guard let edits = track.first("edts").flatMap({ Boxes($0.content).first("elst") })?.content,
            let header = track.first("mdia").flatMap({ Boxes($0.content).first("mdhd") })?.content,
            let rate = Boxes.clock(header: header)?.rate
        else { return 0 }
        let size = edits.first == 1 ? 8 : 4
        let empty = size == 8 ? UInt64.max : UInt64(UInt32.max)
        var (entries, time, skipped) = (edits.dropFirst(8), 0.0, 0.0)
        while let length = entries.number(at: 0, bytes: size) {
            if let start = entries.number(at: size, bytes: size), UInt64(start) != empty {
                skipped = max(skipped, Double(start) / Double(rate) - time)
            }
            time += Double(length) / Double(movieRate)
            entries = entries.dropFirst(2 * size + 4)
        }
        return skipped
    }
}
