import CIsolation
import Foundation
import Synchronization

/// Memory for a frame that the engine's process writes and the host reads.
///
/// A flag behind the frame says whether the host still needs it, because a message for each frame costs more CPU time.
final class SharedMemory: Sendable {
    /// The frame.
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    private let size: Int
    nonisolated(unsafe) private let flag: UnsafeMutablePointer<Atomic<UInt32>>

    /// The flag is aligned, and has a line of the cache for itself.
    private static let flagSize = 64

    /// Creates memory, and passes its descriptor to the closure.
    convenience init?(byteCount: Int, send: (Int32) -> Void) {
        let descriptor = isolation_create_memory(Self.size(for: byteCount))
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        self.init(mapping: descriptor, byteCount)
        send(descriptor)
    }

    /// Opens the memory of another process. `nil` if its size could change, because then a read could end this process.
    convenience init?(of descriptor: Int32, byteCount: Int) {
        guard byteCount > 0, byteCount <= Self.largestFrame,
            isolation_has_fixed_size(descriptor, Self.size(for: byteCount))
        else { return nil }
        self.init(mapping: descriptor, byteCount)
    }

    private init?(mapping descriptor: Int32, _ byteCount: Int) {
        size = Self.size(for: byteCount)
        guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), address != MAP_FAILED
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        flag = (address + size - Self.flagSize).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    }

    deinit { munmap(bytes.baseAddress, size) }

    /// `true` from the time when the engine sends the frame until the host has released it.
    var isInUse: Bool {
        get { flag.pointee.load(ordering: .acquiring) != 0 }
        set { flag.pointee.store(newValue ? 1 : 0, ordering: .releasing) }
    }

    /// The size of the largest frame with 8 bytes for each pixel, in bytes.
    private static let largestFrame = 8 << 30

    private static func size(for byteCount: Int) -> Int {
        (byteCount + flagSize - 1) / flagSize * flagSize + flagSize
    }
}
