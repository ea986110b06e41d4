#if Systemd
import Dispatch

/// A connection to a bus.
///
/// ```swift
/// let bus = DBusConnection(address: address, queue: queue) { error in print("lost: \(error)") }
/// bus.listen(to: DBusMatch(from: name, interface: interface, "Changed")) { signal in print(signal.arguments) }
/// let reply = try await bus.call(DBusCall(name, path: path, interface: interface, "Method", [.bool(true)]))
/// ```
///
/// Every function may be called anywhere and returns at once. What it asks for happens on the queue, in this order,
/// and so do all handlers, in the order in which messages arrive. Several connections may share a queue. Without a
/// message there is no wake-up.
///
/// The connection is closed with its last reference. Calls that have no reply by then fail.
package final class DBusConnection: Sendable {
    private let queue: DispatchQueue
    private let worker: DBusWorker

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: as the specification of D-Bus writes addresses; see `DBusAddress`.
    ///   - queue: a serial one.
    ///   - onLoss: called once, if the bus cannot be reached or goes away, and not after `close()`. Calls fail from
    ///     then on.
    package init(
        address: String, queue: DispatchQueue = DispatchQueue(label: "swift-flowplayer.dbus"),
        onLoss: @escaping @Sendable (DBusError) -> Void = { _ in }
    ) {
        self.queue = queue
        let worker = DBusWorker(queue: queue, onLoss: onLoss)
        self.worker = worker
        queue.async { worker.open(address) }
    }

    deinit { close() }

    /// Ends it, and every call that has no reply yet.
    package func close() {
        queue.async { [worker] in worker.close() }
    }

    /// Calls a method.
    ///
    /// - Parameter reply: called once, on the queue, at the latest after the 25 seconds that sd-bus waits.
    package func call(
        _ call: DBusCall, reply: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void
    ) {
        queue.async { [worker] in worker.call(call, reply: reply) }
    }

    /// Calls a method, and waits for its reply.
    package func call(_ call: DBusCall) async throws(DBusError) -> [DBusValue] {
        let reply = await withCheckedContinuation { continuation in
            self.call(call) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Listens, as long as the connection lasts. A bus that refuses is lost.
    ///
    /// What is called afterwards reaches the other side when it is being listened to already.
    ///
    /// - Parameter handler: called on the queue.
    package func listen(to match: DBusMatch, handler: @escaping @Sendable (DBusSignal) -> Void) {
        queue.async { [worker] in worker.listen(to: match, handler: handler) }
    }

    /// Takes the calls at a path, as long as the connection lasts: all of them but those of the interface `Peer`.
    ///
    /// - Parameter handler: called on the queue. Answers at once or later.
    package func serve(_ path: String, handler: @escaping @Sendable (DBusRequest) -> Void) {
        queue.async { [worker] in worker.serve(path, handler: handler) }
    }

    /// Tells a signal to everybody. Without effect once the connection is over, or if the signal is none.
    package func emit(path: String, interface: String, _ member: String, _ arguments: [DBusValue] = []) {
        queue.async { [worker] in worker.emit(path, interface, member, arguments) }
    }
}
#endif
