import Foundation

/// A file of which some bytes are read as others.
struct PatchedFile: MediaBytes {
    struct Patch {
        let offset: Int
        let bytes: [UInt8]
    }

    let url: URL
    let patch: Patch
    let isSeekable = true

    func open() -> (any MediaReader)? { Reader(self) }

    // Unchecked: used by one thread at a time.
    private final class Reader: MediaReader, @unchecked Sendable {
        let size: UInt64?
        private let file: FileHandle
        private let patch: Patch
        private var offset = 0

        init?(_ file: PatchedFile) {
            guard let handle = try? FileHandle(forReadingFrom: file.url), let size = try? handle.seekToEnd() else {
                return nil
            }
            self.file = handle
            self.size = size
            patch = file.patch
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            let count = pread(file.fileDescriptor, buffer.baseAddress, buffer.count, offset)
            guard count >= 0 else { return nil }
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + index - offset
                if (0..<count).contains(place) { buffer[place] = byte }
            }
            offset += count
            return count
        }

        func seek(to offset: UInt64) -> Bool {
            guard let offset = Int(exactly: offset) else { return false }
            self.offset = offset
            return true
        }

        // Reading a file waits for nobody.
        func cancel() {}
    }
}
