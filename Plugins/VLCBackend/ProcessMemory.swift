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

        /// The C library raises this limit by itself to the size of pictures, which then tear holes into its heaps.
        /// A host that has chosen a limit keeps it.
        static func keepPicturesOutOfHeaps() {
            guard ProcessInfo.processInfo.environment["MALLOC_MMAP_THRESHOLD_"] == nil else { return }
            mallopt(M_MMAP_THRESHOLD, largestInHeap)
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
