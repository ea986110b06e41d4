#if Systemd
import CSystemd
import Dispatch
import Foundation

/// What a connection does, on its queue: every call of sd-bus is made here.
///
/// Whoever is called from within `pump` comes back by way of the queue: sd-bus does not allow more.
// Unchecked: all of it is used on `queue` only.
final class DBusWorker: @unchecked Sendable {
    private typealias Reply = (Result<[DBusValue], DBusError>) -> Void

    private let queue: DispatchQueue
    private let onLoss: (DBusError) -> Void
    private var bus: OpaquePointer?
    /// Why there is no connection any more.
    private var end: DBusError?
    private var calls: [ObjectIdentifier: (callback: Callback, reply: Reply)] = [:]
    private var listeners: [Callback] = []
    /// What others have asked and have no answer to yet, by the numbers of the requests.
    private var requests: [Int: OpaquePointer] = [:]
    private var lastRequest = 0
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    private var timer: (any DispatchSourceTimer)?
    /// When the timer fires, in microseconds of the monotonic clock; the largest number: never.
    private var timeout = UInt64.max

    init(queue: DispatchQueue, onLoss: @escaping @Sendable (DBusError) -> Void) {
        self.queue = queue
        self.onLoss = onLoss
    }

    // MARK: Beginning and end

    func open(_ address: String) {
        do throws(DBusError) {
            try check(sd_bus_new(&bus))
            try check(sd_bus_set_address(bus, address))
            try check(sd_bus_set_bus_client(bus, 1))
            try check(sd_bus_start(bus))
            try watch()
        } catch {
            return lose(error)
        }
        pump()
    }

    func close() {
        end(with: DBusError(name: "org.freedesktop.DBus.Error.Disconnected", message: "the connection was closed"))
    }

    private func lose(_ error: DBusError) {
        if end(with: error) { onLoss(error) }
    }

    /// - Returns: `false` if it was over before.
    @discardableResult
    private func end(with error: DBusError) -> Bool {
        guard end == nil else { return false }
        end = error
        reader?.cancel()
        writer?.cancel()
        timer?.cancel()
        for request in requests.values { sd_bus_message_unref(request) }
        requests = [:]
        sd_bus_close_unref(bus)
        bus = nil
        listeners = []
        let waiting = calls.values.map(\.reply)
        calls = [:]
        for reply in waiting { reply(.failure(error)) }
        return true
    }

    // MARK: What is asked for

    func call(_ call: DBusCall, reply: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void) {
        if let end { return reply(.failure(end)) }
        let callback = Callback { [weak self] callback, message in
            self?.calls[ObjectIdentifier(callback)] = nil
            reply(message.reply)
        }
        do throws(DBusError) {
            try send(call, callback)
        } catch {
            return reply(.failure(error))
        }
        calls[ObjectIdentifier(callback)] = (callback, reply)
        pump()
    }

    private func send(_ call: DBusCall, _ callback: Callback) throws(DBusError) {
        var pointer: OpaquePointer?
        defer { sd_bus_message_unref(pointer) }
        try check(
            sd_bus_message_new_method_call(
                bus, &pointer, call.destination, call.path, call.interface, call.member))
        guard let pointer else { return }
        try check(sd_bus_message_set_auto_start(pointer, call.startsService ? 1 : 0))
        for argument in call.arguments { try DBusMessage(pointer: pointer).append(argument) }
        try check(sd_bus_call_async(bus, nil, pointer, Callback.entry, callback.pointer, 0))
    }

    func listen(to match: DBusMatch, handler: @escaping @Sendable (DBusSignal) -> Void) {
        guard end == nil else { return }
        let callback = Callback { _, message in
            if let signal = message.signal { handler(signal) }
        }
        listeners.append(callback)
        let status = sd_bus_add_match_async(bus, nil, match.rule, Callback.entry, nil, callback.pointer)
        if status < 0 { return lose(DBusError(status: status)) }
        pump()
    }

    // MARK: What others ask for

    func serve(_ path: String, handler: @escaping @Sendable (DBusRequest) -> Void) {
        guard end == nil else { return }
        let callback = Callback(isLast: true) { [weak self] _, message in self?.receive(message, handler) }
        listeners.append(callback)
        let status = sd_bus_add_object(bus, nil, path, Callback.entry, callback.pointer)
        if status < 0 { lose(DBusError(status: status)) }
    }

    private func receive(_ message: DBusMessage, _ handler: (DBusRequest) -> Void) {
        lastRequest += 1
        let number = lastRequest
        requests[number] = sd_bus_message_ref(message.pointer)
        let answer = { @Sendable [weak self, queue] (result: Result<[DBusValue], DBusError>) in
            queue.async { [weak self] in self?.answer(number, result) }
        }
        guard let request = message.request(answer: answer) else {
            return answer(.failure(.invalidArguments("the arguments cannot be read")))
        }
        handler(request)
    }

    private func answer(_ number: Int, _ result: Result<[DBusValue], DBusError>) {
        guard let request = requests.removeValue(forKey: number) else { return }
        defer { sd_bus_message_unref(request) }
        guard sd_bus_message_get_expect_reply(request) > 0 else { return }
        do throws(DBusError) {
            try send(try result.get(), as: { sd_bus_message_new_method_return(request, $0) })
        } catch {
            refuse(request, error)
        }
        pump()
    }

    private func refuse(_ request: OpaquePointer, _ error: DBusError) {
        for error in [error, .failed(error.message)] {
            let status = error.name.withCString { name in
                error.message.withCString { message in
                    var error = sd_bus_error(name: name, message: message, _need_free: 0)
                    return sd_bus_reply_method_error(request, &error)
                }
            }
            if status >= 0 { return }
        }
    }

    func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
        guard end == nil else { return }
        try? send(arguments) { sd_bus_message_new_signal(bus, $0, path, interface, member) }
        pump()
    }

    private func send(_ values: [DBusValue], as make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32)
        throws(DBusError)
    {
        var pointer: OpaquePointer?
        defer { sd_bus_message_unref(pointer) }
        try check(make(&pointer))
        guard let pointer else { return }
        for value in values { try DBusMessage(pointer: pointer).append(value) }
        try check(sd_bus_send(bus, pointer, nil))
    }

    // MARK: Input, output and time

    private func watch() throws(DBusError) {
        // sd-bus closes its descriptor before the source has let go of it.
        guard let copy = DBusDescriptor(copying: sd_bus_get_fd(bus)) else { throw DBusError(status: -errno) }
        let reader = DispatchSource.makeReadSource(fileDescriptor: copy.number, queue: queue)
        reader.setEventHandler { [weak self] in self?.pump() }
        reader.setCancelHandler { withExtendedLifetime(copy) {} }
        reader.activate()
        self.reader = reader

        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in
            self?.timeout = .max
            self?.pump()
        }
        timer.activate()
        self.timer = timer
    }

    /// Lets sd-bus do all that can be done now, and waits for the rest.
    private func pump() {
        guard end == nil else { return }
        var status: Int32
        repeat { status = sd_bus_process(bus, nil) } while status > 0
        if status < 0 { return lose(DBusError(status: status)) }
        if sd_bus_get_events(bus) & POLLOUT != 0 { awaitRoom() }
        awaitTimeout()
    }

    /// A source of its own each time: room to write is nearly always there, and would never cease to be told.
    private func awaitRoom() {
        guard writer == nil else { return }
        guard let copy = DBusDescriptor(copying: sd_bus_get_fd(bus)) else { return lose(DBusError(status: -errno)) }
        let writer = DispatchSource.makeWriteSource(fileDescriptor: copy.number, queue: queue)
        writer.setEventHandler { [weak self] in
            self?.writer?.cancel()
            self?.writer = nil
            self?.pump()
        }
        writer.setCancelHandler { withExtendedLifetime(copy) {} }
        writer.activate()
        self.writer = writer
    }

    private func awaitTimeout() {
        var next = UInt64.max
        guard end == nil, sd_bus_get_timeout(bus, &next) >= 0, next != timeout else { return }
        timeout = next
        let (nanoseconds, isNever) = next.multipliedReportingOverflow(by: 1000)
        timer?.schedule(deadline: isNever ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds))
    }
}

/// What sd-bus calls. The worker keeps it as long as sd-bus may.
private final class Callback {
    static let entry: sd_bus_message_handler_t = { message, callback, _ in
        guard let message, let callback else { return 0 }
        return Unmanaged<Callback>.fromOpaque(callback).takeUnretainedValue().receive(DBusMessage(pointer: message))
    }

    /// Whether nobody else is to have the message.
    private let isLast: Bool
    private let handler: (Callback, DBusMessage) -> Void

    init(isLast: Bool = false, _ handler: @escaping (Callback, DBusMessage) -> Void) {
        self.isLast = isLast
        self.handler = handler
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func receive(_ message: DBusMessage) -> Int32 {
        handler(self, message)
        return isLast ? 1 : 0
    }
}

extension DBusMessage {
    fileprivate var reply: Result<[DBusValue], DBusError> {
        Result { () throws(DBusError) in
            if let error { throw error }
            return try values()
        }
    }

    /// `nil` if it cannot be read.
    fileprivate var signal: DBusSignal? {
        guard let arguments = try? values() else { return nil }
        return DBusSignal(
            sender: sender, path: path, interface: interface, member: member, arguments: arguments)
    }

    /// `nil` if it cannot be read.
    fileprivate func request(answer: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void) -> DBusRequest? {
        guard let arguments = try? values() else { return nil }
        return DBusRequest(
            sender: sender, path: path, interface: interface, member: member, arguments: arguments, answer: answer)
    }

    private var sender: String { text(sd_bus_message_get_sender(pointer)) }
    private var path: String { text(sd_bus_message_get_path(pointer)) }
    private var interface: String { text(sd_bus_message_get_interface(pointer)) }
    private var member: String { text(sd_bus_message_get_member(pointer)) }

    private func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
#endif
