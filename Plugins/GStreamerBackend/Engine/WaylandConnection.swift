#if GStreamer
import Foundation
import Synchronization

/// A connection to the Wayland compositor, for the engine's own windows.
///
/// `waylandsink` waits only 100 ms for the compositor's answer to a new window. Then it draws without it, the compositor ends
/// the connection, and the element does not report that. The engine knows it if the connection is its own.
final class WaylandConnection: Sendable {
    /// It is never closed, because elements use it for a while after their window.
    private static let shared = Mutex<WaylandConnection?>(nil)

    private typealias Status = @convention(c) (UnsafeMutableRawPointer) -> CInt

    nonisolated(unsafe) let display: UnsafeMutableRawPointer
    private let (getError, roundTrip): (Status, Status)

    /// A connection that works; `nil` without a compositor. Blocks until the compositor answers.
    static var working: WaylandConnection? {
        shared.withLock { shared in
            if let connection = shared, connection.roundTrip(connection.display) >= 0 { return connection }
            shared = WaylandConnection()
            return shared
        }
    }

    /// `true` after the compositor has ended the connection.
    var hasFailed: Bool { getError(display) != 0 }

    private init?() {
        typealias Connect = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?
        // The library of `waylandsink`.
        guard let library = dlopen("libwayland-client.so.0", RTLD_NOW),
            let connect = dlsym(library, "wl_display_connect"),
            let getError = dlsym(library, "wl_display_get_error"),
            let roundTrip = dlsym(library, "wl_display_roundtrip"),
            let display = unsafeBitCast(connect, to: Connect.self)(nil)
        else { return nil }
        self.display = display
        self.getError = unsafeBitCast(getError, to: Status.self)
        self.roundTrip = unsafeBitCast(roundTrip, to: Status.self)
    }
}
#endif
