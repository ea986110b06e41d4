import CMalloc
import Foundation
import Synchronization

/// Limits the memory of the process.
///
/// Engines use many short-lived threads, and the C library keeps a heap for each of them. Without limits, a program
/// that opens one image after another would grow to several times its size.
package enum ProcessMemory {
    private static let queue = DispatchQueue(label: "swift-flowplayer.memory", qos: .utility)
    private static let isScheduled = Atomic(false)
    /// Players that are closed within this time share one trim, in seconds.
    private static let delay = 0.25
    /// Larger blocks, such as frames, are allocated outside of the heaps, in bytes.
    private static let largestInHeap: Int32 = 256 << 10
    /// The size of a new heap, in bytes. Pages that nothing uses take no memory.
    private static let heapGrowth: Int32 = 2 << 20

    /// Sets the limits that the host has not set. The second one works only while the process has at most eight heaps,
    /// so call it early.
    package static let limitHeaps: Void = {
        // The C library would raise this limit to the size of frames, which would fragment its heaps.
        limit(M_MMAP_THRESHOLD, to: largestInHeap, unless: "MALLOC_MMAP_THRESHOLD_", "glibc.malloc.mmap_threshold")
        // A thread's heap grows by one page a system call otherwise: 600 calls for the start of libVLC.
        limit(M_TOP_PAD, to: heapGrowth, unless: "MALLOC_TOP_PAD_", "glibc.malloc.top_pad")
        // Each heap keeps the free blocks of its threads. No more threads than cores run at once.
        limit(M_ARENA_MAX, to: Int32(max(2, usableCores)), unless: "MALLOC_ARENA_MAX", "glibc.malloc.arena_max")
    }()

    /// The number of cores that this process may use.
    private static var usableCores: Int {
        var cores = cpu_set_t()
        guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &cores) == 0 else { return 1 }
        return withUnsafeBytes(of: cores) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
    }

    private static func limit(_ option: Int32, to value: Int32, unless variable: String, _ tunable: String) {
        // The main actor runs this, and `ProcessInfo.environment` would copy the whole environment.
        let tunables = getenv("GLIBC_TUNABLES").map { String(cString: $0) } ?? ""
        guard getenv(variable) == nil, !tunables.contains(tunable) else { return }
        mallopt(option, value)
    }

    /// Returns free memory to the system soon, because a player was closed.
    package static func trimSoon() {
        guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
        queue.asyncAfter(deadline: .now() + delay) {
            isScheduled.store(false, ordering: .relaxed)
            malloc_trim(0)
        }
    }
}
