#if VLC
    import CVLC
    import Foundation
    import Synchronization

    /// Gives memory back to the system after players have gone.
    ///
    /// libVLC works with many short-lived threads, and the C library keeps a heap for each of them: a program that shows
    /// one picture after another would grow to several times its size without ever leaking.
    enum MemoryTrimmer {
        private static let queue = DispatchQueue(label: "swift-flowplayer.memory", qos: .utility)
        private static let isScheduled = Mutex(false)
        /// Of many players that go at once, one trim is enough.
        private static let delay = 0.25

        static func schedule() {
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
