import DBus
import Foundation
import Playback

/// Observes a session and its screen savers for one stream of changes, until `close()`.
@MainActor
final class LogindWatch {
    let environment: [String: String]
    let report: @Sendable (String) -> Void
    private let continuation: AsyncStream<LifecycleChange>.Continuation
    private(set) var state = SessionState()

    private(set) var systemBus: DBusConnection?
    private var sessionBus: DBusConnection?
    /// The session with listeners.
    var sessionPath: String?
    /// While this descriptor is open, the machine waits before it sleeps.
    var sleepDelay: FileHandle?
    var endOfSleepDelay: Task<Void, Never>?

    private static let screenSavers = [
        "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
        "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
    ]

    init(
        environment: [String: String], problem: @escaping @Sendable (String) -> Void,
        continuation: AsyncStream<LifecycleChange>.Continuation
    ) {
        self.environment = environment
        self.report = problem
        self.continuation = continuation
        openSystemBus()
        openSessionBus()
    }

    func close() {
        let buses = [systemBus, sessionBus]
        (systemBus, sessionBus) = (nil, nil)
        for bus in buses { bus?.close() }
        dropSleepDelay()
    }

    func change(_ change: (inout SessionState) -> Void) {
        let before = state.reasons
        change(&state)
        let changes = before.symmetricDifference(state.reasons)
        for reason in [BackgroundReason.locked, .sleep] where changes.contains(reason) {
            continuation.yield(before.contains(reason) ? .ended(reason) : .began(reason))
        }
    }

    // MARK: The buses

    private func openSystemBus() {
        systemBus = DBusConnection(address: DBusAddress.system(in: environment)) { [self] error in
            systemBus = nil
            report("Lock and sleep are not observed, because the system bus is not available: \(error).")
            forgetLogind()
            finishWithoutBuses()
        }
        observeLogind()
    }

    private func openSessionBus() {
        guard let address = DBusAddress.session(in: environment) else {
            return report("Screen savers are not observed, because the session bus has no address.")
        }
        let bus = DBusConnection(address: address) { [self] error in
            sessionBus = nil
            report("Screen savers are not observed, because the session bus is not available: \(error).")
            change { $0.activeScreenSavers = [] }
            finishWithoutBuses()
        }
        sessionBus = bus
        for (name, path) in Self.screenSavers { observeScreenSaver(name, at: path, on: bus) }
    }

    private func finishWithoutBuses() {
        if systemBus == nil, sessionBus == nil { continuation.finish() }
    }

    // MARK: Screen savers

    /// The interface of a screen saver has the name of its program. One program may have several paths.
    private func observeScreenSaver(_ name: String, at path: String, on bus: DBusConnection) {
        let read = { [self] in
            var isActive = DBusCall(name, path: path, interface: name, "GetActive")
            isActive.startsService = false
            bus.call(isActive) { reply in
                // Most desktops have at most one of them.
                guard let isActive = (try? reply.get())?.first?.bool else { return }
                self.change { $0.setScreenSaver(name, isActive: isActive) }
            }
        }
        bus.listen(to: .owner(of: name)) { [self] signal in
            // The end of its process is not an unlock.
            change { $0.activeScreenSavers.remove(name) }
            if signal.arguments.last?.string != "" { read() }
        }
        bus.listen(to: DBusMatch(from: name, interface: name, "ActiveChanged")) { [self] signal in
            let isActive = signal.arguments.first?.bool == true
            change { $0.setScreenSaver(name, isActive: isActive) }
        }
        read()
    }
}
