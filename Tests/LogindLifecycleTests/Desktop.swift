#if Systemd
import DBus
import Foundation
import LogindLifecycle
import Synchronization
import TestSupport

/// A machine with a session, `c1`, and a screen saver, on private buses.
final class Desktop: Sendable {
    let systemBus: PrivateBus
    let sessionBus: PrivateBus
    let logind: Mock
    let screenSaver: Mock
    private let reported = Mutex<[String]>([])

    static let session = "/org/freedesktop/login1/session/c1"
    private static let manager = "org.freedesktop.login1.Manager"

    init() async throws {
        systemBus = try await PrivateBus()
        sessionBus = try await PrivateBus()
        logind = try await Self.logind(on: systemBus)
        screenSaver = try await Mock(
            "gnome_screensaver", "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver", on: sessionBus,
            isSystem: false)
    }

    static func logind(on bus: PrivateBus) async throws -> Mock {
        let logind = try await Mock(
            "logind", "org.freedesktop.login1", path: "/org/freedesktop/login1", on: bus, isSystem: true)
        try await logind.call(
            "AddSession", [.string("c1"), .string("seat0"), .uint32(getuid()), .string("somebody"), .bool(true)])
        return logind
    }

    /// The problems that the source has reported.
    var problems: [String] { reported.withLock(\.self) }

    /// A source that finds both buses, in a session or without one.
    func source(sessionID: String? = "c1") -> LogindSource {
        var environment = [
            "DBUS_SYSTEM_BUS_ADDRESS": systemBus.address, "DBUS_SESSION_BUS_ADDRESS": sessionBus.address,
        ]
        environment["XDG_SESSION_ID"] = sessionID
        return LogindSource(environment: environment) { [weak self] problem in
            self?.reported.withLock { $0.append(problem) }
        }
    }

    /// Waits until the source has sent its first requests.
    func isFollowed() async throws -> Bool {
        try await eventually {
            let questions = try await screenSaver.call("GetMethodCalls", [.string("GetActive")]).first?.elements
            let inhibitors = try await inhibitors()
            return inhibitors.count == 1 && questions?.isEmpty == false
        }
    }

    /// The sleep inhibitors: what, who, why, mode, user and process.
    func inhibitors() async throws -> [[DBusValue]] {
        try await logind.call("ListInhibitors", of: Self.manager).first?.elements.map(\.elements) ?? []
    }

    func lock(_ session: String = session) async throws {
        try await logind.emit("Lock", of: "org.freedesktop.login1.Session", at: session)
    }

    func unlock(_ session: String = session) async throws {
        try await logind.emit("Unlock", of: "org.freedesktop.login1.Session", at: session)
    }

    func setLockedHint(_ isLocked: Bool) async throws {
        try await logind.call(
            "SetLockedHint", [.bool(isLocked)], of: "org.freedesktop.login1.Session", at: Self.session)
    }

    func setScreenSaver(_ isActive: Bool) async throws {
        try await screenSaver.call("SetActive", [.bool(isActive)], of: "org.gnome.ScreenSaver")
    }

    func prepareForSleep(_ isPreparing: Bool) async throws {
        try await logind.emit("PrepareForSleep", of: Self.manager, "b", [.bool(isPreparing)])
    }
}
#endif
