import Synchronization

/// The lines that the snippets have printed since the last `take`.
enum Paper {
    private struct State {
        var lines: [String] = []
        var reader: (last: String, continuation: CheckedContinuation<Void, Never>)?
    }

    private static let state = Mutex(State())

    static func write(_ line: String) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.lines.append(line)
            guard let reader = state.reader, reader.last == line else { return nil }
            state.reader = nil
            return reader.continuation
        }
        reader?.resume()
    }

    static func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    /// Waits for a line, if it is not there yet.
    static func take(upTo last: String) async -> [String] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.lines.contains(last)
                if !isThere { state.reader = (last, continuation) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
        return take()
    }
}

/// In place of the standard library's.
func print(_ items: Any...) {
    Paper.write(items.map { "\($0)" }.joined(separator: " "))
}
