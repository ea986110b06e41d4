/// Ends one observation or another registration, and nothing else.
///
/// An observation ends when its token is released, so keep the token: in a property, or with `store(in:)`. A plugin, a
/// target, a source or a backend stays until its token is cancelled. Cancelling twice is harmless.
@preconcurrency @MainActor
public final class ObservationToken {
    private var undo: (@MainActor () -> Void)?

    /// A token of another registry.
    public init(_ undo: @escaping @MainActor () -> Void) { self.undo = undo }

    isolated deinit { cancel() }

    /// Takes the registration back. The handler is not called any more once this returns.
    public func cancel() {
        let undo = undo
        self.undo = nil
        undo?()
    }

    /// Keeps the token in a set, until the set is released.
    public func store(in tokens: inout Set<ObservationToken>) { tokens.insert(self) }

    /// Keeps the token in an array, until the array is released.
    public func store(in tokens: inout [ObservationToken]) { tokens.append(self) }
}

extension ObservationToken: Hashable {
    nonisolated public static func == (a: ObservationToken, b: ObservationToken) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Handlers in the order of their registration, each until its token is cancelled or released.
@MainActor
package final class Observers<Handler> {
    /// A handler that stays when its token is released has the token here.
    private var entries: [(id: Int, handler: Handler, token: ObservationToken?)] = []
    private var lastID = 0

    package init() {}

    /// The handlers, the oldest first.
    package var all: [Handler] { entries.map { $0.handler } }

    /// - Parameter first: `true` to call the handler before all others.
    package func add(_ handler: Handler, first: Bool = false) -> ObservationToken {
        lastID += 1
        let id = lastID
        entries.insert((id, handler, nil), at: first ? 0 : entries.count)
        return ObservationToken { [weak self] in self?.remove(id) }
    }

    private func remove(_ id: Int) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        // The release of a handler may cancel other tokens, so it comes after the change.
        withExtendedLifetime(entries.remove(at: index)) {}
    }

    /// Adds a handler that stays when its token is released.
    ///
    /// - Parameter cancelled: called when the token is cancelled, or the last reference to the observers is dropped.
    package func addPermanently(_ handler: Handler, cancelled: @escaping @MainActor () -> Void = {}) -> ObservationToken
    {
        let registration = add(handler)
        let token = ObservationToken {
            registration.cancel()
            cancelled()
        }
        entries[entries.count - 1].token = token
        return token
    }

    /// Removes all handlers. Their tokens have no effect then.
    package func removeAll() {
        // The release of a handler may cancel other tokens, so it comes after the change.
        let removed = entries
        entries = []
        withExtendedLifetime(removed) {}
    }

    /// `true` if the token is that of a permanent handler here.
    package func contains(_ token: ObservationToken) -> Bool { entries.contains { $0.token === token } }

    /// Calls the body with each handler. A handler that is cancelled meanwhile is left out, and so is one that is added.
    package func notify(_ body: (Handler) -> Void) {
        for (id, handler, _) in entries where entries.contains(where: { $0.id == id }) { body(handler) }
    }
}
