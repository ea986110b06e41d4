#if Systemd
import Dispatch

/// This program's place on a bus: a name, and an object that answers there.
///
/// A bus that is not there, or that goes away, is looked for until it is there (again): at once, and then after waits that
/// grow to a second and a half. Name and object are then as they were.
@MainActor
package final class DBusService {
    /// How the place fares.
    package enum Event: Equatable, Sendable {
        /// Others find it by this name.
        case joined(String)
        /// There is no bus. Told once, until `joined`.
        case missing(DBusError)
        /// The bus refuses every name. It is asked again only when it has been away.
        case refused(DBusError)
    }

    private let address: String
    private let names: [String]
    private let object: DBusObject
    private weak var owner: AnyObject?
    private let told: @MainActor (Event) -> Void
    private let queue = DispatchQueue(label: "swift-flowplayer.dbus.service")

    private var connection: DBusConnection?
    private var reading: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var attempts = 0
    private var isMissed = false
    private var wait = firstWait

    private static let firstWait = Duration.milliseconds(100)
    private static let longestWait = Duration.milliseconds(1500)

    /// - Parameters:
    ///   - address: as the specification of D-Bus writes addresses.
    ///   - names: the first of them that is free is taken.
    ///   - object: what answers.
    ///   - owner: what the object needs to answer. Not kept alive; once it is gone nothing is answered.
    ///   - told: how it fares. Called later, never from within this.
    package init(
        address: String, names: [String], object: DBusObject, owner: AnyObject,
        told: @escaping @MainActor (Event) -> Void
    ) {
        self.address = DBusAddress.anyBus(at: address)
        self.names = names
        self.object = object
        self.owner = owner
        self.told = told
        // Whoever finds the name asks for everything first.
        _ = object.takeChanges()
        join()
    }

    /// Gives name and object back. Nothing is told any more.
    package func end() {
        leave()
        waiting?.cancel()
    }

    // MARK: What is told to others

    /// Tells those properties that have changed since this was done last.
    package func tellChanges() {
        for change in object.takeChanges() {
            emit(DBusObject.propertiesInterface, "PropertiesChanged", change)
        }
    }

    /// Tells a signal of the object to everybody.
    package func emit(_ interface: String, _ member: String, _ arguments: [DBusValue]) {
        connection?.emit(path: object.path, interface: interface, member, arguments)
    }

    // MARK: Coming and going

    private func join() {
        attempts += 1
        let attempt = attempts
        let connection = DBusConnection(address: address, queue: queue) { [weak self] error in
            Task { @MainActor [weak self] in self?.lost(error, attempt) }
        }
        self.connection = connection
        // A stream keeps the order of the calls, which tasks of their own need not.
        let (requests, request) = AsyncStream<DBusRequest>.makeStream()
        connection.serve(object.path) { request.yield($0) }
        reading = Task { [object, weak owner] in
            for await request in requests {
                guard let owner else { return }
                withExtendedLifetime(owner) { object.take(request) }
            }
        }
        own(names[...], over: connection, attempt)
    }

    private func own(_ names: ArraySlice<String>, over connection: DBusConnection, _ attempt: Int) {
        guard let name = names.first else { return told(.refused(.failed("all names are taken"))) }
        connection.own(name) { [weak self] result in
            Task { @MainActor [weak self] in
                guard let self, attempt == attempts, self.connection != nil else { return }
                switch result {
                case .success(.owned): joined(name)
                case .success(.taken): own(names.dropFirst(), over: connection, attempt)
                case .failure(let error) where error.isRefusal: told(.refused(error))
                case .failure(let error): lost(error, attempt)
                }
            }
        }
    }

    private func joined(_ name: String) {
        isMissed = false
        wait = Self.firstWait
        told(.joined(name))
    }

    private func lost(_ error: DBusError, _ attempt: Int) {
        guard attempt == attempts, connection != nil else { return }
        leave()
        if !isMissed { told(.missing(error)) }
        isMissed = true
        let wait = wait
        self.wait = min(wait * 2, Self.longestWait)
        waiting = Task { [weak self] in
            try? await Task.sleep(for: wait)
            if !Task.isCancelled { self?.join() }
        }
    }

    private func leave() {
        connection?.close()
        connection = nil
        reading?.cancel()
    }
}

extension DBusError {
    /// Whether the bus has said no. Else it has said nothing, and will not.
    fileprivate var isRefusal: Bool {
        let silences = ["NoReply", "Disconnected", "Timeout"].map { "org.freedesktop.DBus.Error.\($0)" }
        return name.hasPrefix("org.freedesktop.DBus.Error.") && !silences.contains(name)
    }
}
#endif
