/// The parts of a file: boxes, chunks, elements, pages, packets or lines.
struct MediaShape {
    struct Part {
        let range: Range<Int>
        /// Where it says how long it is.
        var length: Range<Int>?
    }

    private(set) var parts: [Part] = []

    /// Boxes of ISO/IEC 14496-12, also those within others.
    init(boxes bytes: [UInt8]) { add(boxes: bytes, 0..<bytes.count) }

    private static let nests = Set(["moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "udta", "moof", "traf"])

    private mutating func add(boxes bytes: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = start + max(8, size)
            guard end <= range.upperBound else { return }
            parts.append(Part(range: start..<end, length: start..<start + 4))
            let type = String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)
            if Self.nests.contains(type) { add(boxes: bytes, start + 8..<end) }
            // The description of the samples starts with their number.
            if type == "stsd", end - start > 16 { add(boxes: bytes, start + 16..<end) }
            start = end
        }
    }

    /// Chunks of RIFF, also those within lists.
    init(chunks bytes: [UInt8]) { add(chunks: bytes, 0..<bytes.count) }

    private mutating func add(chunks bytes: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            let size = bytes[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let end = min(range.upperBound, start + 8 + size + size % 2)
            parts.append(Part(range: start..<end, length: start + 4..<start + 8))
            let type = String(decoding: bytes[start..<start + 4], as: UTF8.self)
            if ["RIFF", "LIST"].contains(type), start + 12 <= end { add(chunks: bytes, start + 12..<end) }
            start = end
        }
    }

    /// Elements of EBML (RFC 8794), also those within others.
    init(elements bytes: [UInt8]) { add(elements: bytes, 0..<bytes.count) }

    /// Segment, heads, infos, tracks with their entries, video and audio, clusters with their groups, cues, tags.
    private static let families: Set = [
        0x1853_8067, 0x114D_9B74, 0x4DBB, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE0, 0xE1, 0x1F43_B675, 0xA0, 0x1C53_BB6B,
        0xBB, 0xB7, 0x1254_C367, 0x7373, 0x67C8, 0x1A45_DFA3,
    ]

    private mutating func add(elements bytes: [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let nameLength = bytes[start].leadingZeroBitCount + 1
            let lengthStart = start + nameLength
            guard nameLength <= 4, lengthStart < range.upperBound else { return }
            let lengthLength = bytes[lengthStart].leadingZeroBitCount + 1
            let content = lengthStart + lengthLength
            guard lengthLength <= 8, content <= range.upperBound else { return }
            let name = bytes[start..<lengthStart].reduce(0) { $0 << 8 | Int($1) }
            let size = bytes[lengthStart..<content].reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * lengthLength) - 1)
            let end = min(range.upperBound, content + size)
            parts.append(Part(range: start..<end, length: lengthStart..<content))
            if Self.families.contains(name) { add(elements: bytes, content..<end) }
            start = end
        }
    }

    /// Packets of a transport stream (ISO/IEC 13818-1).
    init(packets bytes: [UInt8]) {
        parts = stride(from: 0, to: bytes.count, by: 188).map { start in
            let end = min(start + 188, bytes.count)
            return Part(range: start..<end, length: end - start > 6 ? start + 4..<start + 6 : nil)
        }
    }

    /// Parts that begin with a mark, given as bytes and the bits of them that count.
    ///
    /// - Parameter length: where a part has what its length follows from, counted from its beginning.
    init(marks bytes: [UInt8], _ mark: [(byte: UInt8, bits: UInt8)], length: Range<Int>) {
        let starts = (0..<max(0, bytes.count - length.upperBound)).filter { start in
            mark.enumerated().allSatisfy { bytes[start + $0.offset] & $0.element.bits == $0.element.byte }
        }
        parts = zip(starts, starts.dropFirst() + [bytes.count]).map { start, end in
            Part(range: start..<end, length: start + length.lowerBound..<start + length.upperBound)
        }
        if let first = starts.first, first > 0 { parts.insert(Part(range: 0..<first, length: 4..<8), at: 0) }
    }

    init(lines bytes: [UInt8]) {
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            parts.append(Part(range: start..<index + 1))
            start = index + 1
        }
    }
}
