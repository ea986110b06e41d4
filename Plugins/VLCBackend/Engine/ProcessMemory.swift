#if VLC
import CVLC
import Foundation
import Synchronization

/// Keeps the process small.
///
/// libVLC works with many short-lived threads, and the C library keeps a heap for each of them: a program that shows
/// one picture after another would grow to several times its size without ever leaking.
enum ProcessMemory {
    private static let queue = DispatchQueue(label: "swift-flowplayer.memory", qos: .utility)
    private static let isScheduled = Mutex(false)
    /// Of many players that go at once, one trim is enough.
    private static let delay = 0.25
    /// In bytes: what is larger, pictures above all, lies in no heap.
    private static let largestInHeap: Int32 = 256 << 10

    /// A limit that the host has chosen stays. The second one has an effect only in a process that does not have more than eight
    /// heaps yet: the earlier, the better.
    static let limitHeaps: Void = {
        // The C library raises this one by itself to the size of pictures, which then tear holes into its heaps.
        limit(M_MMAP_THRESHOLD, to: largestInHeap, unless: "MALLOC_MMAP_THRESHOLD_", "glibc.malloc.mmap_threshold")
        // Each heap keeps what its threads have left behind. No more threads than that can be at work at once.
        limit(M_ARENA_MAX, to: Int32(max(2, usableCores)), unless: "MALLOC_ARENA_MAX", "glibc.malloc.arena_max")
    }()

    /// Those that this process may run on.
    private static var usableCores: Int {
        var cores = cpu_set_t()
        guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &cores) == 0 else { return 1 }
        return withUnsafeBytes(of: cores) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
    }

    private static func limit(_ option: Int32, to value: Int32, unless variable: String, _ tunable: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment[variable] == nil, environment["GLIBC_TUNABLES"]?.contains(tunable) != true else { return }
        mallopt(option, value)
    }

    /// Gives memory back to the system soon, since a player has gone.
    static func trimSoon() {
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + delay) {
            isScheduled.withLock { $0 = false }
            malloc_trim(0)
        }
    }
}
#endif
