import Foundation

/// The index of the segments of an mp4 file: its box `sidx` (ISO/IEC 14496-12, 8.16.3).
struct SegmentIndex: Sendable {
    private struct Entry {
        /// In seconds.
        let start: Double
        let duration: Double
        let range: ByteRange
    }

    private var entries: [Entry] = []
    /// The position of the box in the file.
    let position: UInt64

    /// - Parameters:
    ///   - bytes: a part of the file that contains the box.
    ///   - offset: the position of the bytes in the file.
    /// - Returns: `nil` if there is no index of segments.
    init?(_ bytes: Data, at offset: UInt64) {
        guard let box = Boxes(bytes).first("sidx") else { return nil }
        let content = box.content
        self.position = offset + UInt64(box.start - bytes.startIndex)
        let wide = content.first == 0 ? 4 : 8
        guard let scale = content.number(at: 8, bytes: 4), scale > 0, let start = content.number(at: 12, bytes: wide),
            let gap = content.number(at: 12 + wide, bytes: wide), gap < 1 << 53,
            let count = content.number(at: 14 + 2 * wide, bytes: 2)
        else { return nil }
        var position = offset + UInt64(content.endIndex - bytes.startIndex + gap)
        var time = Double(start) / Double(scale)
        for number in 0..<count {
            let entry = 16 + 2 * wide + 12 * number
            // The highest bit is set for another index.
            guard let size = content.number(at: entry, bytes: 4), (1..<1 << 31).contains(size),
                let duration = content.number(at: entry + 4, bytes: 4)
            else { return nil }
            let seconds = Double(duration) / Double(scale)
            let last = position + UInt64(size) - 1
            entries.append(Entry(start: time, duration: seconds, range: ByteRange(first: position, last: last)))
            time += seconds
            position = last + 1
        }
    }

    /// - Parameter start: the position of the file's time 0, in seconds.
    func segments(of url: URL, from start: Double) -> [DASHSegment] {
        entries.map { DASHSegment(start: $0.start + start, duration: $0.duration, url: url, range: $0.range) }
    }
}
