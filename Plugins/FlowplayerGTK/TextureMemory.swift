#if GTK
import CGTK
import Foundation

/// Keeps the memory of textures in the process.
///
/// Without a GPU, the memory of each frame's texture comes from the C library. The engine lets the C library return such
/// blocks to the system at once, so the system would have to clear the same pages for each frame. That took a sixth of the CPU
/// of playback.
enum TextureMemory {
    /// The C library allows no more, in bytes. A frame of 3840 × 2160 pixels is smaller.
    private static let largestInHeap: Int32 = 32 << 20
    /// Free memory that the process keeps, in bytes. The engine returns it when a player is closed.
    private static let keptMemory: Int32 = 64 << 20

    /// Works once a process, and only if the host has not set the limits of the C library. Call it after the engine has set its own.
    static let keep: Void = {
        let settings = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"]
        guard settings.allSatisfy({ getenv($0) == nil }) else { return }
        mallopt(M_MMAP_THRESHOLD, largestInHeap)
        mallopt(M_TRIM_THRESHOLD, keptMemory)
    }()
}
#endif
