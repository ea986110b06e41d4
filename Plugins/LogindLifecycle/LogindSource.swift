import Foundation
import Logging
import Playback

/// Reports the lock of the desktop session and the sleep of the machine.
///
/// ```swift
/// ApplicationLifecycle.shared.add(LogindSource())
/// ```
///
/// The source gives two background reasons.
///
/// `locked` starts when logind locks the session or requests a lock, or when a screen saver becomes active. It ends when
/// none of these apply any more. If the session is already locked, the source reports that first. The session is that of
/// `XDG_SESSION_ID`, else the session of this process, else the session on the user's display.
///
/// `sleep` starts before the machine sleeps and ends after it has resumed. The source delays sleep by half a second, so
/// that players can pause.
///
/// If there is no bus or no logind, or if one ends, its reasons end and the source reports the problem. Playback
/// continues.
public final class LogindSource: LifecycleSource {
    private let environment: [String: String]
    private let problem: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: has the addresses of the buses and the session: `DBUS_SYSTEM_BUS_ADDRESS`,
    ///     `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR` and `XDG_SESSION_ID`. The environment of the process by default.
    ///   - problem: called on the main actor with a message if the source cannot observe something. By default, the
    ///     message is logged with the level `notice`.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.environment = environment
        self.problem = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
    }

    /// The starts and ends of `locked` and `sleep`, from now on. Each access creates a stream with its own connections.
    ///
    /// A stream ends when neither the system bus nor the session bus is available.
    public var changes: AsyncStream<LifecycleChange> {
        let (stream, continuation) = AsyncStream<LifecycleChange>.makeStream()
        let watch = Task { @MainActor [environment, problem] in
            LogindWatch(environment: environment, problem: problem, continuation: continuation)
        }
        continuation.onTermination = { _ in
            Task { await watch.value.close() }
        }
        return stream
    }
}
