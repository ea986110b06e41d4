import Foundation

/// A segment of an HLS media playlist.
struct HLSSegment: Equatable, Sendable {
    /// A file, or a part of one.
    struct Part: Hashable, Sendable {
        let url: URL
        var start: UInt64 = 0
        /// In bytes; `nil` for the whole file.
        var count: UInt64?

        /// The part without its number of bytes, by which segments are found.
        var beginning: Self { Self(url: url, start: start) }

        var range: ByteRange? { count.map { ByteRange(first: start, last: start + max($0, 1) - 1) } }
    }

    let number: Int
    let part: Part
    /// The initialization that the segment needs; `nil` without one.
    var map: Part?
    /// In seconds.
    var duration = 0.0
    /// The number of discontinuities before it: segments of one period have continuous times.
    var period = 0
    var isEncrypted = false
}
