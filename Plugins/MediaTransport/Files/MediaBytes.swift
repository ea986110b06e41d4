import Foundation
import Synchronization

/// A file that engines read, wherever its bytes come from.
package protocol MediaBytes: Sendable {
    /// `true` if readers can seek to each position.
    var isSeekable: Bool { get }
    /// `true` if readers can seek by short distances. Default: `isSeekable`.
    var isSeekableNearby: Bool { get }
    /// `true` for bytes that may be a live stream. Default: `false`.
    var mayBeEndless: Bool { get }
    /// Returns a new reader; `nil` if there is nothing to read. Called on the thread that will read.
    func open() -> (any MediaReader)?
}

extension MediaBytes {
    package var isSeekableNearby: Bool { isSeekable }
    package var mayBeEndless: Bool { false }
}

/// Reads a file from the first byte to the last. One thread uses it at a time, but any thread may call `cancel`.
package protocol MediaReader: AnyObject, Sendable {
    /// The size in bytes; `nil` if it is unknown. May block.
    var size: UInt64? { get }
    /// Reads as many bytes as are available and fit. Returns 0 at the end, and `nil` after an error. May block.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// Moves to a position. Returns `false` if it cannot be read. May block.
    func seek(to offset: UInt64) -> Bool
    /// Ends all blocking calls, now and later.
    func cancel()
}

/// Bytes in memory.
package struct MemoryBytes: MediaBytes {
    let bytes: [UInt8]
    package let isSeekable = true

    package func open() -> (any MediaReader)? {
        PositionedReader(size: UInt64(bytes.count)) { offset, buffer in
            let part = bytes[min(offset, bytes.count)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
    }
}

/// A local file, in which some bytes can be replaced.
package struct PatchedFile: MediaBytes {
    private let url: URL
    private let offset: Int
    private let bytes: [UInt8]
    package let isSeekable = true

    package init(url: URL, at offset: Int = 0, bytes: [UInt8] = []) {
        (self.url, self.offset, self.bytes) = (url, offset, bytes)
    }

    package func open() -> (any MediaReader)? {
        guard let file = LocalFile.open(url), let size = try? file.seekToEnd() else { return nil }
        return PositionedReader(size: size) { position, buffer in
            let count = pread(file.fileDescriptor, buffer.baseAddress, buffer.count, position)
            guard count >= 0 else { return nil }
            for (place, byte) in zip((offset - position)..., bytes) where (0..<count).contains(place) {
                buffer[place] = byte
            }
            return count
        }
    }
}

/// A reader whose bytes are available without waiting.
final class PositionedReader: MediaReader {
    let size: UInt64?
    private let position = Mutex(0)
    private let copy: @Sendable (_ offset: Int, UnsafeMutableRawBufferPointer) -> Int?

    init(size: UInt64, copy: @escaping @Sendable (_ offset: Int, UnsafeMutableRawBufferPointer) -> Int?) {
        self.size = size
        self.copy = copy
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = copy(position.withLock(\.self), buffer)
        position.withLock { $0 += count ?? 0 }
        return count
    }

    func seek(to offset: UInt64) -> Bool {
        guard let offset = Int(exactly: offset) else { return false }
        position.withLock { $0 = offset }
        return true
    }

    func cancel() {}
}
