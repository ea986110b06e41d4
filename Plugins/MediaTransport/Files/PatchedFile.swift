import Foundation

/// A file of which some bytes are read as others.
package struct PatchedFile: MediaBytes {
    package struct Patch {
        package let offset: Int
        package let bytes: [UInt8]

        package init(offset: Int, bytes: [UInt8]) { (self.offset, self.bytes) = (offset, bytes) }
    }

    package let url: URL
    package let patch: Patch

    package init(url: URL, patch: Patch) { (self.url, self.patch) = (url, patch) }
    package let isSeekable = true

    package func open() -> (any MediaReader)? { Reader(self) }

    // Unchecked: used by one thread at a time.
    private final class Reader: MediaReader, @unchecked Sendable {
        package let size: UInt64?
        private let file: FileHandle
        private let patch: Patch
        private var offset = 0

        package init?(_ file: PatchedFile) {
            guard let handle = try? FileHandle(forReadingFrom: file.url), let size = try? handle.seekToEnd() else {
                return nil
            }
            self.file = handle
            self.size = size
            patch = file.patch
        }

        package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            let count = pread(file.fileDescriptor, buffer.baseAddress, buffer.count, offset)
            guard count >= 0 else { return nil }
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + index - offset
                if (0..<count).contains(place) { buffer[place] = byte }
            }
            offset += count
            return count
        }

        package func seek(to offset: UInt64) -> Bool {
            guard let offset = Int(exactly: offset) else { return false }
            self.offset = offset
            return true
        }

        // Reading a file waits for nobody.
        package func cancel() {}
    }
}
