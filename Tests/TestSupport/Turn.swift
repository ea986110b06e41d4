import Synchronization

/// Leaves something that the whole process shares to one test at a time, until the turn is dropped.
public final class Turn: Sendable {
    private struct Line {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let line = Mutex(Line())

    private init() {}

    /// Waits until the others have had their turn.
    public static func take() async -> Turn {
        await withCheckedContinuation { continuation in
            let isFree = line.withLock { line in
                if line.isTaken { line.waiting.append(continuation) }
                defer { line.isTaken = true }
                return !line.isTaken
            }
            if isFree { continuation.resume() }
        }
        return Turn()
    }

    deinit {
        let next = Self.line.withLock { line -> CheckedContinuation<Void, Never>? in
            line.isTaken = !line.waiting.isEmpty
            return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
        }
        next?.resume()
    }
}
