import Foundation

/// The encoder's priming samples at the start of an mp4 file, from the file's edit list (ISO/IEC 14496-12, 8.6.6).
///
/// A decoder needs these samples to decode the first audible ones. An engine that applies the edit list drops them before the
/// decoder receives them.
package struct MP4Priming: Hashable {
    /// The duration of the priming samples, in seconds.
    package let lead: Double
    /// The duration of the audio after the priming samples, in seconds.
    package let length: Double
    /// The position in the file of the type of the box with the edit list.
    package let boxType: Int
    /// The position in the file of the duration in the edit list.
    package let editLength: Int
    /// A duration for the edit list that is longer by the priming samples, for an engine that omits the last packet of an edit.
    package let longerEdit: [UInt8]

    /// The longest duration of priming samples, in seconds. A longer edit cuts the audio on purpose.
    private static let longestLead = 0.1
    /// The longest index of an audio file, in bytes.
    private static let longestIndex = 64 << 20

    /// Returns `nil` if the file is not an mp4 with one audio track, or has no priming samples.
    package init?(file: URL) {
        guard let handle = LocalFile.open(file), let index = Self.index(of: handle) else { return nil }
        self.init(index: index.box, at: index.offset)
    }

    /// - Parameters:
    ///   - index: the content of the box `moov`.
    ///   - offset: the position of the content in the file.
    init?(index: Data, at offset: Int) {
        let movie = Boxes(index)
        let audioTracks = movie.all("trak").map { Boxes($0.content) }.filter(\.isAudio)
        guard audioTracks.count == 1, let track = audioTracks.first, let edits = track.first("edts"),
            let media = track.first("mdia").map({ Boxes($0.content) }),
            let header = media.first("mdhd").flatMap({ Boxes.clock(header: $0.content) }),
            let movieHeader = movie.first("mvhd").flatMap({ Boxes.clock(header: $0.content) }),
            let edit = Boxes(edits.content).first("elst").flatMap({ Self.onlyEdit(of: $0.content) })
        else { return nil }
        lead = Double(edit.start) / Double(header.rate)
        guard lead > 0, lead <= Self.longestLead else { return nil }
        let listed = Double(edit.length) / Double(movieHeader.rate)
        let whole = Double(header.length) / Double(header.rate) - lead
        // The unit of the list is the tick of the movie, often a millisecond.
        length = abs(listed - whole) <= 1 / Double(movieHeader.rate) ? whole : min(listed, whole)
        boxType = offset + edits.start - index.startIndex + 4
        editLength = offset + edit.lengthPosition - index.startIndex
        let (longer, overflows) = edit.length.addingReportingOverflow(
            Int((lead * Double(movieHeader.rate)).rounded(.up)))
        guard !overflows, edit.bytes == 8 || longer <= UInt32.max else { return nil }
        longerEdit = (0..<edit.bytes).reversed().map { UInt8(truncatingIfNeeded: longer >> (8 * $0)) }
    }

    /// The content of the box `moov`, and its position in the file; `nil` if the file is no mp4 file.
    static func index(of file: FileHandle) -> (box: Data, offset: Int)? {
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

    /// A list of one edit: its duration in ticks of the movie, and its start in ticks of the track.
    private typealias Edit = (length: Int, start: Int, bytes: Int, lengthPosition: Data.Index)

    private static func onlyEdit(of list: Data) -> Edit? {
        let bytes = list.first == 1 ? 8 : 4
        guard list.number(at: 4, bytes: 4) == 1, let length = list.number(at: 8, bytes: bytes),
            let start = list.number(at: 8 + bytes, bytes: bytes), length > 0
        else { return nil }
        return (length, start, bytes, list.startIndex + 8)
    }
}
