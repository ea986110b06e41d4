import Synchronization

/// Holds something that the whole process shares for one test, until the lock is released by its last reference.
public final class TestLock: Sendable {
    /// Something that the process shares.
    public enum Resource: Sendable {
        /// `Flowplayer.current` and the shared audio session.
        case facade
        /// The environment's `PULSE_SERVER` and `DISPLAY`.
        case devices
    }

    /// The tests that wait for a resource. A resource without an entry is free.
    private static let queues = Mutex<[Resource: [CheckedContinuation<Void, Never>]]>([:])

    private let resource: Resource

    private init(_ resource: Resource) { self.resource = resource }

    /// Waits until no other test holds the resource.
    public static func acquire(_ resource: Resource) async -> TestLock {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                guard queues[resource] != nil else {
                    queues[resource] = []
                    return true
                }
                queues[resource]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return TestLock(resource)
    }

    deinit {
        let next = Self.queues.withLock { queues -> CheckedContinuation<Void, Never>? in
            guard let queue = queues[resource], !queue.isEmpty else {
                queues[resource] = nil
                return nil
            }
            return queues[resource]?.removeFirst()
        }
        next?.resume()
    }
}
