import Foundation

/// The display and the audio server of this process, held for one test. The previous ones return with `release`.
public struct TestDevices {
    private let lock: TestLock
    private let previous: [String: String?]

    /// Waits until no other test holds the devices.
    ///
    /// - Parameters:
    ///   - audio: the address of the audio server; `nil` leaves it as it is.
    ///   - display: the display; `nil` leaves it as it is, an empty string is none.
    public static func acquire(audio: String? = nil, display: String? = nil) async -> TestDevices {
        let lock = await TestLock.acquire(.devices)
        var previous: [String: String?] = [:]
        // GLib would start a session bus for a display, and the bus would keep the display.
        let bus = display.map { _ in "disabled:" }
        for (name, value) in ["PULSE_SERVER": audio, "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus] {
            guard let value else { continue }
            previous[name] = .some(getenv(name).map { String(cString: $0) })
            set(name, value.isEmpty ? nil : value)
        }
        return TestDevices(lock: lock, previous: previous)
    }

    /// Restores the previous devices, and lets the next test have them.
    public func release() {
        for (name, value) in previous { Self.set(name, value) }
        withExtendedLifetime(lock) {}
    }

    private static func set(_ name: String, _ value: String?) {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}
