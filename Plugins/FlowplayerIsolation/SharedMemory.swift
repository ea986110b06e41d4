import CIsolation
import Foundation

/// Memory of a fixed size that two processes see.
final class SharedMemory: Sendable {
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Creates memory, and passes its descriptor to the closure.
    init?(byteCount: Int, send: (Int32) -> Void) {
        let descriptor = isolation_create_memory(byteCount)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = Self.map(descriptor, byteCount, PROT_READ | PROT_WRITE) else { return nil }
        self.bytes = bytes
        send(descriptor)
    }

    /// Reads the memory of another process. `nil` if its size could change, because then a read could end this process.
    init?(reading descriptor: Int32, byteCount: Int) {
        guard byteCount > 0, isolation_has_fixed_size(descriptor, byteCount),
            let bytes = Self.map(descriptor, byteCount, PROT_READ)
        else { return nil }
        self.bytes = bytes
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    private static func map(_ descriptor: Int32, _ count: Int, _ protection: Int32) -> UnsafeMutableRawBufferPointer? {
        guard let address = mmap(nil, count, protection, MAP_SHARED, descriptor, 0), address != MAP_FAILED else {
            return nil
        }
        return UnsafeMutableRawBufferPointer(start: address, count: count)
    }
}
