#if Systemd
import Foundation
import Logging
import Playback

/// Knows from the desktop when its session is locked, and from the machine when it sleeps.
///
/// ```swift
/// ApplicationLifecycle.shared.add(LogindLifecycle())
/// ```
///
/// It gives two reasons.
///
/// `locked` begins when logind says that the session is locked or shall be, or when a screen saver becomes active, and
/// ends when none of that holds any longer. A session that is locked already is told of first. The session is that of
/// `XDG_SESSION_ID`, else the one that this process belongs to, else, for services of a user, the one on the user's
/// display.
///
/// `sleep` begins before the machine sleeps and ends when it has woken up. The machine is asked to wait for half a
/// second, so that players can pause.
///
/// Where there is no bus or no logind, or when they go away, the reasons that came from there end, and the problem is
/// told. Nothing that goes wrong there is an error for a host: it goes on without.
public final class LogindLifecycle: LifecycleSource {
    private let environment: [String: String]
    private let problem: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: where the buses and the session are looked for: `DBUS_SYSTEM_BUS_ADDRESS`,
    ///     `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR` and `XDG_SESSION_ID`. That of this process by default.
    ///   - problem: told what cannot be followed, and why, in a sentence for people; on a queue of the source's own.
    ///     Without it, a line of the level `notice` is written to the log.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.environment = environment
        self.problem = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
    }

    /// `locked` and `sleep` as they begin and end, from now on; each access makes a stream, with connections of its own.
    ///
    /// A stream ends when neither the system's bus nor the session's can be reached any more.
    public var changes: AsyncStream<LifecycleChange> {
        let (stream, continuation) = AsyncStream<LifecycleChange>.makeStream()
        let watch = LogindWatch(environment: environment, problem: problem, continuation: continuation)
        continuation.onTermination = { _ in watch.end() }
        watch.begin()
        return stream
    }
}
#endif
