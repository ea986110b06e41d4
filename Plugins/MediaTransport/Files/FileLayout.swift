import Foundation

/// The order of the parts of a file, as far as it matters to a reader that cannot seek.
enum FileLayout {
    /// An mp4 file whose index is before the media.
    case indexAtStart
    /// An mp4 file whose index follows the media, so that an engine needs the end of the file first.
    case indexAtEnd
    /// An mp4 file whose parts have an index each.
    case fragmented
    /// An AVI file. libVLC reads its index first, which is at the end.
    case avi
    /// A Matroska or WebM file. Its index is needed for seeking only.
    case matroska
    /// An MPEG program stream. libVLC looks at its end for the duration.
    case programStream
    /// A file of another format, which can be read in order.
    case other

    /// The part of an index that is searched, in bytes. That of a fragmented file is short.
    private static let searched = 64 << 10

    /// Returns `nil` if the first bytes do not show the layout.
    init?(_ beginning: Data) {
        if beginning.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
            return
        }
        if beginning.starts(with: [0, 0, 1, 0xBA]) {
            self = .programStream
            return
        }
        if beginning.starts(with: Data("RIFF".utf8)), beginning.dropFirst(8).starts(with: Data("AVI ".utf8)) {
            self = .avi
            return
        }
        var rest = beginning
        while rest.count >= 16 {
            let box = Boxes.Header(rest, upTo: .max)
            switch box?.type {
            case "mdat":
                self = .indexAtEnd
                return
            case "moov":
                let size = min(box?.size ?? 0, Self.searched)
                guard rest.count >= size else { return nil }
                self = rest.prefix(size).range(of: Data("mvex".utf8)) == nil ? .indexAtStart : .fragmented
                return
            case "ftyp", "free", "pdin", "pnot", "skip", "styp", "uuid", "wide":
                rest = rest.dropFirst(box?.size ?? 0)
            default:
                self = .other
                return
            }
        }
        return nil
    }
}
