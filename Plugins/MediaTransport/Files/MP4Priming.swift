import Foundation

/// What an encoder has put before the sound of an mp4 file, as the file's edit list tells it (ISO/IEC 14496-12, 8.6.6).
///
/// A decoder needs it for the first sound that is meant; libVLC leaves it out before the decoder sees it, unless it does not
/// find the list.
package struct MP4Priming: Hashable {
    /// In seconds: what is to be left out at the start.
    package let lead: Double
    /// In seconds: how long the sound is that is meant.
    package let length: Double
    /// In bytes, from the start of the file: where the type of the box stands that tells it.
    package let boxType: Int

    /// In seconds: with a later start something was cut off on purpose.
    private static let longestLead = 0.1
    /// In bytes: no index of a file that is only sound is longer.
    private static let longestIndex = 64 << 20

    /// `nil` if the file is no mp4 with one sound, or tells of nothing before it.
    package init?(file: URL) {
        guard let handle = try? FileHandle(forReadingFrom: file), let index = Self.index(of: handle) else { return nil }
        self.init(index: index.box, at: index.offset)
    }

    /// - Parameters:
    ///   - index: the contents of the box `moov`.
    ///   - offset: where they begin in the file.
    package init?(index: Data, at offset: Int) {
        let movie = Boxes(index)
        let sounds = movie.all("trak").map { Boxes($0.content) }.filter(\.isSound)
        guard sounds.count == 1, let track = sounds.first, let edits = track.first("edts"),
            let media = track.first("mdia").map({ Boxes($0.content) }),
            let header = media.first("mdhd").flatMap({ Clock(header: $0.content) }),
            let movieHeader = movie.first("mvhd").flatMap({ Clock(header: $0.content) }),
            let list = Boxes(edits.content).first("elst").flatMap({ Edit(list: $0.content) })
        else { return nil }
        lead = Double(list.start) / Double(header.rate)
        guard lead > 0, lead <= Self.longestLead else { return nil }
        let told = Double(list.length) / Double(movieHeader.rate)
        let whole = Double(header.length) / Double(header.rate) - lead
        // The list counts in the ticks of the movie, which are often milliseconds.
        length = abs(told - whole) <= 1 / Double(movieHeader.rate) ? whole : min(told, whole)
        boxType = offset + edits.start - index.startIndex + 4
    }

    private static func index(of file: FileHandle) -> (box: Data, offset: Int)? {
        guard let size = try? Int(file.seekToEnd()) else { return nil }
        var offset = 0
        while offset + 8 <= size {
            try? file.seek(toOffset: UInt64(offset))
            guard let bytes = try? file.read(upToCount: 16), let box = Boxes.Header(bytes, upTo: size - offset) else {
                return nil
            }
            if offset == 0, box.type != "ftyp" { return nil }
            if box.type == "moov" {
                let length = box.size - box.length
                guard length <= longestIndex else { return nil }
                try? file.seek(toOffset: UInt64(offset + box.length))
                guard let content = try? file.read(upToCount: length), content.count == length else { return nil }
                return (content, offset + box.length)
            }
            offset += box.size
        }
        return nil
    }

    /// `mvhd` and `mdhd` begin alike.
    private struct Clock {
        /// Ticks a second.
        package let rate: Int
        /// In ticks.
        package let length: Int

        package init?(header: Data) {
            let isLong = header.first == 1
            guard let rate = header.number(at: isLong ? 20 : 12, bytes: 4),
                let length = header.number(at: isLong ? 24 : 16, bytes: isLong ? 8 : 4), rate > 0
            else { return nil }
            (self.rate, self.length) = (rate, length)
        }
    }

    /// The one edit of a list.
    private struct Edit {
        /// In ticks of the movie.
        package let length: Int
        /// In ticks of the track.
        package let start: Int

        package init?(list: Data) {
            let bytes = list.first == 1 ? 8 : 4
            guard list.number(at: 4, bytes: 4) == 1, let length = list.number(at: 8, bytes: bytes),
                let start = list.number(at: 8 + bytes, bytes: bytes), length > 0
            else { return nil }
            (self.length, self.start) = (length, start)
        }
    }
}

/// Boxes that follow each other (ISO/IEC 14496-12, 4.2).
private struct Boxes {
    package struct Header {
        package let type: String
        /// In bytes, with the header.
        package let size: Int
        /// Of the header, in bytes.
        package let length: Int

        /// - Parameter limit: how many bytes are left for the box.
        package init?(_ bytes: Data, upTo limit: Int) {
            guard let short = bytes.number(at: 0, bytes: 4), bytes.count >= 8 else { return nil }
            type = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
            length = short == 1 ? 16 : 8
            let size = short == 0 ? limit : short == 1 ? bytes.number(at: 8, bytes: 8) ?? 0 : short
            guard size >= length, size <= limit else { return nil }
            self.size = size
        }
    }

    package struct Box {
        package let type: String
        /// Where it begins, as an index of the bytes that all boxes are in.
        package let start: Int
        package let content: Data
    }

    private var boxes: [Box] = []

    package init(_ bytes: Data) {
        var rest = bytes
        while let header = Header(rest, upTo: rest.count) {
            let content = rest.dropFirst(header.length).prefix(header.size - header.length)
            boxes.append(Box(type: header.type, start: rest.startIndex, content: content))
            rest = rest.dropFirst(header.size)
        }
    }

    /// Whether they are those of a track with sound.
    package var isSound: Bool {
        let handler = first("mdia").flatMap { Boxes($0.content).first("hdlr") }
        return handler?.content.dropFirst(8).starts(with: Data("soun".utf8)) == true
    }

    package func first(_ type: String) -> Box? { boxes.first { $0.type == type } }

    package func all(_ type: String) -> [Box] { boxes.filter { $0.type == type } }
}

extension Data {
    /// A number of so many bytes, the greatest first; `nil` if it is not there, or greater than what an `Int` holds.
    fileprivate func number(at offset: Int, bytes count: Int) -> Int? {
        let bytes = dropFirst(offset).prefix(count)
        guard bytes.count == count else { return nil }
        return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
