import Foundation
import Playback

/// A file from a server that sends no byte ranges, stored on the disk for as long as it is open.
///
/// An mp4 file whose index is at its end needs ranges: the engine reads the index first. Its playback could not start before
/// the last byte anyway, so the whole file is read first. AVI and fragmented files need ranges too, because the engine reads all
/// indices. If their size is unknown, they may have no end, and are read in order.
final class StoredFile: MediaBytes {
    /// The size limit, in bytes.
    private static let limit: UInt64 = 1 << 30
    let isSeekable = true
    private let file: FileHandle
    private let size: UInt64

    private init(_ file: FileHandle, size: UInt64) { (self.file, self.size) = (file, size) }

    /// Stores the file if an engine cannot play it from the reader.
    static func store(_ reader: HTTPReader, _ layout: FileLayout) async throws(PlaybackError) -> StoredFile? {
        switch layout {
        case .indexAtEnd: break
        case .avi where reader.head?.size != nil, .fragmented where reader.head?.size != nil: break
        default: return nil
        }
        let tooLarge = PlaybackError(.rangesUnsupported, url: reader.url)
        let detail = "The file could not be stored in the folder for temporary files."
        let notStored = PlaybackError(.rangesUnsupported, url: reader.url, detail: detail)
        guard reader.head?.size ?? 0 <= limit else { throw tooLarge }
        reader.state.withLock { $0.isStored = true }
        guard let file = temporaryFile() else { throw notStored }
        var size: UInt64 = 0
        while let bytes = await reader.next(1 << 20) {
            size += UInt64(bytes.count)
            guard size <= limit, (try? file.write(contentsOf: bytes)) != nil else {
                reader.cancel()
                throw size <= limit ? notStored : tooLarge
            }
        }
        guard reader.hasEnded else { throw reader.error ?? PlaybackError(.connectionLost, url: reader.url) }
        return StoredFile(file, size: size)
    }

    /// A file without a name, so that the system removes it in any case.
    private static func temporaryFile() -> FileHandle? {
        let template = FileManager.default.temporaryDirectory.appending(path: "flowplayer-XXXXXX")
        var path = Array(template.path(percentEncoded: false).utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        // A program that the host starts does not inherit it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func open() -> (any MediaReader)? {
        PositionedReader(size: size) { [file] position, buffer in
            let count = pread(file.fileDescriptor, buffer.baseAddress, buffer.count, position)
            return count >= 0 ? count : nil
        }
    }
}
