import Synchronization

/// Tasks wait here until it is open.
final class Gate: Sendable {
    /// `nil` when it is open.
    private let waiting: Mutex<[CheckedContinuation<Void, Never>]?>

    init(isOpen: Bool) { waiting = Mutex(isOpen ? nil : []) }

    func open() {
        let tasks = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for task in tasks { task.resume() }
    }

    func wait() async {
        await withCheckedContinuation { task in
            let isOpen = waiting.withLock { waiting in
                waiting?.append(task)
                return waiting == nil
            }
            if isOpen { task.resume() }
        }
    }
}
