import Foundation
import Logging
import Playback

/// Gives way to other programs: a player that begins to play, as it tells the desktop over MPRIS, is an interruption until it
/// pauses, stops or is gone.
///
/// ```swift
/// AudioSession.sharedInstance().add(OtherPlayers())
/// ```
///
/// What plays already when this begins to look is not. Nor are the players of this process. Without the trait `Systemd`, and where
/// there is no bus, nobody is heard of. A bus that goes away ends what it has told, and is not looked for again.
public final class OtherPlayers: InterruptionSource {
    private let environment: [String: String]
    private let ownProcess: pid_t?
    private let problem: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: where the bus is looked for: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`. That of this process by
    ///     default.
    ///   - problem: told, on a queue of its own, why others are not heard of; by default a line of the log `flowplayer`.
    public convenience init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.init(environment: environment, ownProcess: getpid(), problem: problem)
    }

    /// - Parameter ownProcess: whose players are no others; `nil`: all are, for tests.
    init(environment: [String: String], ownProcess: pid_t?, problem: (@Sendable (String) -> Void)? = nil) {
        self.environment = environment
        self.ownProcess = ownProcess
        self.problem = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
    }

    public var changes: AsyncStream<InterruptionChange> {
        let (stream, continuation) = AsyncStream<InterruptionChange>.makeStream()
        #if Systemd
        let watch = MPRISWatch(
            environment: environment, ownProcess: ownProcess, problem: problem, continuation: continuation)
        continuation.onTermination = { _ in watch.end() }
        watch.begin()
        #else
        problem("Other players are not heard of: this was built without the trait Systemd.")
        continuation.finish()
        #endif
        return stream
    }
}
