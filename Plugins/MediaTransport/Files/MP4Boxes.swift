import Foundation

/// A sequence of boxes (ISO/IEC 14496-12, 4.2).
struct Boxes {
    struct Header {
        let type: String
        /// The size with the header, in bytes.
        let size: Int
        /// The size of the header, in bytes.
        let length: Int

        /// - Parameter limit: the number of bytes that are left for the box.
        init?(_ bytes: Data, upTo limit: Int) {
            guard let short = bytes.number(at: 0, bytes: 4), bytes.count >= 8 else { return nil }
            type = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
            length = short == 1 ? 16 : 8
            let size = short == 0 ? limit : short == 1 ? bytes.number(at: 8, bytes: 8) ?? 0 : short
            guard size >= length, size <= limit else { return nil }
            self.size = size
        }
    }

    struct Box {
        let type: String
        /// The start of the box, as an index of the data of all boxes.
        let start: Int
        let content: Data
    }

    private(set) var boxes: [Box] = []

    init(_ bytes: Data) {
        var rest = bytes
        while let header = Header(rest, upTo: rest.count) {
            let content = rest.dropFirst(header.length).prefix(header.size - header.length)
            boxes.append(Box(type: header.type, start: rest.startIndex, content: content))
            rest = rest.dropFirst(header.size)
        }
    }

    /// The boxes of an index. The positions of their contents are those in the bytes.
    ///
    /// - Parameter bytes: a part of a file.
    /// - Returns: `nil` if the part is not the whole box `moov`.
    static func index(in bytes: UnsafeRawBufferPointer) -> Boxes? {
        guard let header = Header(Data(bytes.prefix(16)), upTo: bytes.count), header.type == "moov",
            header.size == bytes.count
        else { return nil }
        return Boxes(Data(bytes).dropFirst(header.length))
    }

    /// Parses the common start of `mvhd` and `mdhd`: the number of ticks per second, and the duration in ticks.
    static func clock(header: Data) -> (rate: Int, length: Int)? {
        let isLong = header.first == 1
        guard let rate = header.number(at: isLong ? 20 : 12, bytes: 4),
            let length = header.number(at: isLong ? 24 : 16, bytes: isLong ? 8 : 4), rate > 0
        else { return nil }
        return (rate, length)
    }

    /// `true` if they are the boxes of an audio track.
    var isAudio: Bool {
        let handler = first("mdia").flatMap { Boxes($0.content).first("hdlr") }
        return handler?.content.dropFirst(8).starts(with: Data("soun".utf8)) == true
    }

    func first(_ type: String) -> Box? { boxes.first { $0.type == type } }

    func all(_ type: String) -> [Box] { boxes.filter { $0.type == type } }
}

extension Data {
    /// Reads a big-endian number; `nil` if it is missing or exceeds `Int`.
    func number(at offset: Int, bytes count: Int) -> Int? {
        let bytes = dropFirst(offset).prefix(count)
        guard bytes.count == count else { return nil }
        return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
