/// Undoes one registration, and nothing else.
///
/// Dropping the token keeps the registration. Cancelling twice is harmless.
@MainActor
public final class ObservationToken {
    private var undo: (@MainActor () -> Void)?

    /// A token of another registry.
    public init(_ undo: @escaping @MainActor () -> Void) { self.undo = undo }

    /// Takes the registration back. The handler is not called any more once this returns.
    public func cancel() {
        undo?()
        undo = nil
    }
}

/// Handlers in the order of their registration, each until its token is cancelled.
@MainActor
package final class Observers<Handler> {
    private struct Entry {
        let id: Int
        let handler: Handler
        var isActive: Bool
    }

    private var entries: [Entry] = []
    private var lastID = 0

    package init() {}

    /// The handlers, the oldest first.
    package var all: [Handler] { entries.map(\.handler) }

    package func add(_ handler: Handler, first: Bool = false) -> ObservationToken {
        let id = insert(handler, at: first ? 0 : entries.count, isActive: true)
        return token(of: id)
    }

    /// Adds a handler for what comes after all pending deliveries.
    package func add(_ handler: Handler, after deliveries: DeliveryQueue) -> ObservationToken {
        let id = insert(handler, at: entries.count, isActive: false)
        deliveries.add { [weak self] in self?.activate(id) }
        return token(of: id)
    }

    /// Calls the body with each handler. A handler that is cancelled meanwhile is left out, and so is one that is added.
    package func notify(_ body: (Handler) -> Void) {
        for entry in entries where entry.isActive && entries.contains(where: { $0.id == entry.id }) {
            body(entry.handler)
        }
    }

    package func removeAll(where isOver: (Handler) -> Bool) { entries.removeAll { isOver($0.handler) } }

    private func insert(_ handler: Handler, at index: Int, isActive: Bool) -> Int {
        lastID += 1
        entries.insert(Entry(id: lastID, handler: handler, isActive: isActive), at: index)
        return lastID
    }

    private func activate(_ id: Int) {
        if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].isActive = true }
    }

    private func token(of id: Int) -> ObservationToken {
        ObservationToken { [weak self] in self?.entries.removeAll { $0.id == id } }
    }
}

/// Runs deliveries one after another. A delivery that a running one adds follows those that already wait.
@MainActor
package final class DeliveryQueue {
    private var waiting: ArraySlice<@MainActor () -> Void> = []
    private var isRunning = false

    package init() {}

    /// Adds a delivery and runs it now, unless another one is running.
    package func add(_ delivery: @escaping @MainActor () -> Void) {
        append(delivery)
        run()
    }

    /// Adds a delivery without running it.
    func append(_ delivery: @escaping @MainActor () -> Void) { waiting.append(delivery) }

    func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while let next = waiting.popFirst() { next() }
    }
}
