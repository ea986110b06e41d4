import CSystemd
import Dispatch
import Foundation

/// A connection to a bus, over sd-bus on the main actor.
///
/// ```swift
/// let bus = DBusConnection(address: address) { error in print("lost: \(error)") }
/// bus.listen(to: DBusMatch(from: name, interface: interface, "Changed")) { signal in print(signal.arguments) }
/// let reply = try await bus.call(DBusCall(name, path: path, interface: interface, "Method", [.bool(true)]))
/// ```
///
/// A connection is open until it is lost or closed. Every function returns at once. The connection sends messages in the
/// order of the calls, and calls handlers in the order of the messages that it receives. A handler may call any function.
///
/// One file descriptor, that of the sd-event loop, covers input, output and timeouts. The connection wakes up for
/// messages and timeouts only.
@MainActor
package final class DBusConnection {
    package typealias Reply = @MainActor (Result<[DBusValue], DBusError>) -> Void

    private let onLoss: @MainActor (DBusError) -> Void
    private var bus: OpaquePointer?
    private var events: OpaquePointer?
    private var source: (any DispatchSourceRead)?
    private var isProcessingScheduled = false
    /// The reason why the connection is over; `nil` until then.
    private var end: DBusError?
    private var calls: [ObjectIdentifier: (handler: MessageHandler, reply: Reply)] = [:]
    private var listeners: [MessageHandler] = []

    /// `false` in a build without the trait `Systemd`, and without libsystemd.
    package static let isAvailable: Bool = {
        #if Systemd
        var bus: OpaquePointer?
        sd_bus_new(&bus)
        sd_bus_close_unref(bus)
        return bus != nil
        #else
        return false
        #endif
    }()

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: in the format of the D-Bus specification; see `DBusAddress`.
    ///   - onLoss: called once if the connection fails or the bus ends, and never from `init` or after `close()`.
    package init(address: String, onLoss: @escaping @MainActor (DBusError) -> Void = { _ in }) {
        self.onLoss = onLoss
        do throws(DBusError) {
            try open(address)
            scheduleProcessing()
        } catch {
            disconnect()
            Task { lose(error) }
        }
    }

    isolated deinit { close() }

    private func open(_ address: String) throws(DBusError) {
        guard Self.isAvailable else { throw .notSupported("libsystemd is not installed, or not in this build") }
        try check(sd_bus_new(&bus))
        try check(sd_bus_set_address(bus, address))
        try check(sd_bus_set_bus_client(bus, 1))
        try check(sd_bus_start(bus))
        try check(sd_event_new(&events))
        try check(sd_bus_attach_event(bus, events, 0))
        // sd-event closes its descriptor while the source may still use it, so the source has a copy.
        let copy = fcntl(sd_event_get_fd(events), F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw DBusError(status: -errno) }
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.process() }
        }
        source.setCancelHandler { Glibc.close(copy) }
        source.activate()
        self.source = source
    }

    /// Processes the messages and timeouts that are due, and waits for the next ones.
    private func process() {
        for _ in 1...Self.batchSize {
            guard let events, sd_event_run(events, 0) > 0 else {
                if let bus, sd_bus_is_open(bus) <= 0 { lose(DBusError(status: -ECONNRESET)) }
                return
            }
        }
        scheduleProcessing()
    }

    /// Lets sd-event wait for the replies to new messages, once per main actor job. sd-bus has already sent the messages.
    private func scheduleProcessing() {
        guard !isProcessingScheduled else { return }
        isProcessingScheduled = true
        Task {
            isProcessingScheduled = false
            process()
        }
    }

    /// The number of messages after which other work on the main actor has its chance.
    private static let batchSize = 64

    /// Closes the connection. Calls without a reply fail.
    package func close() { finish(.standard("Disconnected", "the connection was closed")) {} }

    private func lose(_ error: DBusError) { finish(error) { onLoss(error) } }

    private func finish(_ error: DBusError, report: () -> Void) {
        guard end == nil else { return }
        end = error
        disconnect()
        listeners = []
        let pending = calls.values.map(\.reply)
        calls = [:]
        report()
        for reply in pending { reply(.failure(error)) }
    }

    private func disconnect() {
        source?.cancel()
        sd_bus_detach_event(bus)
        sd_bus_close_unref(bus)
        sd_event_unref(events)
        (source, bus, events) = (nil, nil, nil)
    }

    // MARK: Client

    /// Calls a method.
    ///
    /// - Parameter reply: called once, at the latest after the 25 seconds that sd-bus waits.
    package func call(_ call: DBusCall, reply: @escaping Reply) {
        if let end { return reply(.failure(end)) }
        let handler = MessageHandler { [weak self] handler, message in
            self?.calls[ObjectIdentifier(handler)] = nil
            reply(Result { () throws(DBusError) in try message.reply() })
        }
        calls[ObjectIdentifier(handler)] = (handler, reply)
        // Without a bus, a loss is about to be reported. It ends this call too.
        guard bus != nil else { return }
        do throws(DBusError) {
            let message = try DBusMessage(call.arguments) {
                sd_bus_message_new_method_call(bus, $0, call.destination, call.path, call.interface, call.member)
            }
            try check(sd_bus_message_set_auto_start(message.pointer, call.startsService ? 1 : 0))
            try check(sd_bus_call_async(bus, nil, message.pointer, receive, handler.pointer, 0))
            scheduleProcessing()
        } catch {
            calls[ObjectIdentifier(handler)] = nil
            reply(.failure(error))
        }
    }

    /// Calls a method and waits for its reply.
    package func call(_ call: DBusCall) async throws(DBusError) -> [DBusValue] {
        let reply = await withCheckedContinuation { continuation in
            self.call(call) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Listens for signals until the connection is over. If the bus refuses the match, the connection is lost.
    ///
    /// The bus knows the match before it receives any later call. Signals with values that cannot be read are ignored.
    package func listen(to match: DBusMatch, handler: @escaping @MainActor (DBusSignal) -> Void) {
        let handler = MessageHandler { _, message in
            guard let arguments = try? message.values() else { return }
            handler(DBusSignal(sender: message.sender, member: message.member, arguments: arguments))
        }
        add(handler) { sd_bus_add_match_async(bus, nil, match.rule, receive, nil, $0) }
    }

    // MARK: Server

    /// A function that answers a call, given the method, its interface and its arguments.
    package typealias Answer = @MainActor (String, String, [DBusValue]) throws(DBusError) -> [DBusValue]

    /// Answers the calls of an object until the connection is over. sd-bus answers those of the interface `Peer`.
    package func serve(_ path: String, answer: @escaping Answer) {
        let handler = MessageHandler { [weak self] _, message in self?.reply(to: message, answer) }
        add(handler) { sd_bus_add_object(bus, nil, path, receive, $0) }
    }

    private func reply(to message: DBusMessage, _ answer: Answer) {
        do throws(DBusError) {
            guard let arguments = try? message.values() else {
                throw .invalidArguments("the arguments cannot be read")
            }
            let values = try answer(message.member, message.interface, arguments)
            // sd-bus discards the reply if the caller does not expect one, or if the connection is over.
            try send(values) { sd_bus_message_new_method_return(message.pointer, $0) }
        } catch {
            var reply = sd_bus_error()
            sd_bus_error_set(&reply, error.name, error.message)
            sd_bus_reply_method_error(message.pointer, &reply)
            sd_bus_error_free(&reply)
        }
    }

    /// Sends a signal to all listeners. Does nothing if the connection is over or a value is invalid.
    package func emit(path: String, interface: String, _ member: String, _ arguments: [DBusValue] = []) {
        guard bus != nil else { return }
        try? send(arguments) { sd_bus_message_new_signal(bus, $0, path, interface, member) }
        scheduleProcessing()
    }

    private func send(_ values: [DBusValue], as create: (UnsafeMutablePointer<OpaquePointer?>) -> Int32)
        throws(DBusError)
    {
        let message = try DBusMessage(values, as: create)
        try check(sd_bus_send(bus, message.pointer, nil))
    }

    /// Keeps a handler until the connection is over. If sd-bus refuses it, the connection is lost.
    private func add(_ handler: MessageHandler, register: (UnsafeMutableRawPointer) -> Int32) {
        guard bus != nil else { return }
        listeners.append(handler)
        let status = register(handler.pointer)
        if status < 0 { return lose(DBusError(status: status)) }
        scheduleProcessing()
    }
}

/// Handles messages. sd-bus has a pointer to it, and the connection keeps it.
@MainActor
private final class MessageHandler {
    let handle: (MessageHandler, DBusMessage) -> Void

    init(_ handle: @escaping (MessageHandler, DBusMessage) -> Void) { self.handle = handle }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// The function that sd-bus calls from within `DBusConnection.process`, with a `MessageHandler`.
private func receive(
    _ message: OpaquePointer?, _ handler: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    // The pointers stay on the main actor.
    nonisolated(unsafe) let (message, handler) = (message, handler)
    return MainActor.assumeIsolated {
        guard let message, let handler else { return 0 }
        let receiver = Unmanaged<MessageHandler>.fromOpaque(handler).takeUnretainedValue()
        receiver.handle(receiver, DBusMessage(received: message))
        // A call has one answer. A signal also goes to the other handlers.
        return sd_bus_message_is_method_call(message, nil, nil)
    }
}
