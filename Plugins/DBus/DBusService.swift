#if Systemd
/// A name on a bus, and an object that answers there.
///
/// Without a bus, the service reconnects: at once, and then after delays that double up to 1.5 s. It then has the same
/// name and object again.
@MainActor
package final class DBusService {
    /// A change of the connection.
    package enum Event: Equatable, Sendable {
        /// Programs find the service by this name.
        case joined(String)
        /// There is no bus. Sent once until `joined`.
        case missing(DBusError)
        /// The bus refuses every name. The service tries again after the bus was lost.
        case refused(DBusError)
    }

    private let address: String
    private let names: [String]
    private let object: DBusObject
    private let handler: @MainActor (Event) -> Void

    private var connection: DBusConnection?
    private var reconnection: Task<Void, Never>?
    private var isMissing = false
    private var delay = minimumDelay

    private static let minimumDelay = Duration.milliseconds(100)
    private static let maximumDelay = Duration.milliseconds(1500)

    /// - Parameters:
    ///   - address: in the format of the D-Bus specification.
    ///   - names: the service takes the first name that is free.
    ///   - object: answers until `close()`.
    ///   - handler: receives the events until `close()`.
    package init(
        address: String, names: [String], object: DBusObject, handler: @escaping @MainActor (Event) -> Void
    ) {
        self.address = DBusAddress.anyBus(at: address)
        self.names = names
        self.object = object
        self.handler = handler
        // A program that finds the name reads all properties first.
        _ = object.takeChanges()
        connect()
    }

    /// Releases the name and the object.
    package func close() {
        disconnect()
        reconnection?.cancel()
    }

    // MARK: Signals

    /// Sends `PropertiesChanged` for the properties that have changed since the last time.
    package func emitChanges() {
        for change in object.takeChanges() {
            emit(DBusObject.propertiesInterface, "PropertiesChanged", change)
        }
    }

    /// Sends a signal of the object.
    package func emit(_ interface: String, _ member: String, _ arguments: [DBusValue]) {
        connection?.emit(path: object.path, interface: interface, member, arguments)
    }

    // MARK: Connection

    private func connect() {
        let connection = DBusConnection(address: address) { [weak self] error in self?.reconnect(after: error) }
        self.connection = connection
        connection.serve(object)
        requestName(names[...], over: connection)
    }

    private func requestName(_ names: ArraySlice<String>, over connection: DBusConnection) {
        guard let name = names.first else { return handler(.refused(.failed("all names are taken"))) }
        connection.requestName(name) { [weak self, weak connection] result in
            guard let self, let connection, connection === self.connection else { return }
            switch result {
            case .success(true):
                isMissing = false
                delay = Self.minimumDelay
                handler(.joined(name))
            case .success(false): requestName(names.dropFirst(), over: connection)
            case .failure(let error) where error.isRefusal: handler(.refused(error))
            case .failure(let error): reconnect(after: error)
            }
        }
    }

    private func reconnect(after error: DBusError) {
        disconnect()
        if !isMissing { handler(.missing(error)) }
        isMissing = true
        let delay = delay
        self.delay = min(delay * 2, Self.maximumDelay)
        reconnection = Task { [weak self] in
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { self?.connect() }
        }
    }

    private func disconnect() {
        let old = connection
        connection = nil
        old?.close()
    }
}

extension DBusError {
    /// `true` for an answer of the bus, `false` if the bus does not answer.
    fileprivate var isRefusal: Bool {
        let prefix = "org.freedesktop.DBus.Error."
        return name.hasPrefix(prefix) && !["NoReply", "Disconnected", "Timeout"].contains(name.dropFirst(prefix.count))
    }
}
#endif
