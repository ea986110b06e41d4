/// The bytes of a medium, for a reader that does not care where they come from.
package protocol MediaBytes: Sendable {
    /// Whether readers can go to any place.
    var isSeekable: Bool { get }
    /// Begins to read; `nil` if there is nothing to be read. Called on the thread that will read.
    func open() -> (any MediaReader)?
}

/// Reads from one place to the next. Used by one thread at a time, but for `cancel`.
package protocol MediaReader: AnyObject, Sendable {
    /// In bytes; `nil` if it is not known. May wait.
    var size: UInt64? { get }
    /// Fills what it can of the buffer, and says how much that is: 0 at the end, `nil` if reading fails. May wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// Whether the next byte read is the one at the offset. May wait.
    func seek(to offset: UInt64) -> Bool
    /// Nobody waits any more, now or later. From any thread.
    func cancel()
}

/// Bytes that are in memory.
package struct MemoryBytes: MediaBytes {
    package let bytes: [UInt8]

    package let isSeekable = true

    package func open() -> (any MediaReader)? { Reader(bytes) }

    // Unchecked: used by one thread at a time.
    private final class Reader: MediaReader, @unchecked Sendable {
        private let bytes: [UInt8]
        private var offset = 0

        package init(_ bytes: [UInt8]) { self.bytes = bytes }

        package var size: UInt64? { UInt64(bytes.count) }

        package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            let part = bytes[offset...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            offset += part.count
            return part.count
        }

        package func seek(to offset: UInt64) -> Bool {
            guard offset <= bytes.count else { return false }
            self.offset = Int(offset)
            return true
        }

        package func cancel() {}
    }
}
