import Foundation
import Logging
import Playback

/// Interrupts playback while the player of another program plays, as that program reports over MPRIS. The interruption
/// stops when that player pauses, stops or exits.
///
/// ```swift
/// AudioSession.sharedInstance().add(OtherPlayers())
/// ```
///
/// Players that already play and the players of this process do not interrupt. The source needs the trait `Systemd` and a
/// session bus. If the bus ends, its interruptions stop, and the source does not reconnect.
public final class OtherPlayers: InterruptionSource {
    private let environment: [String: String]
    private let ownProcess: pid_t?
    private let problem: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: has the address of the bus: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`. The environment of the
    ///     process by default.
    ///   - problem: called on the main actor with a message if other players cannot be observed. By default, the message
    ///     is logged.
    public convenience init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        problem: (@Sendable (String) -> Void)? = nil
    ) {
        self.init(environment: environment, ownProcess: getpid(), problem: problem)
    }

    /// - Parameter ownProcess: the process whose players are ignored; `nil` for none.
    init(environment: [String: String], ownProcess: pid_t?, problem: (@Sendable (String) -> Void)? = nil) {
        self.environment = environment
        self.ownProcess = ownProcess
        self.problem = problem ?? { Logger(label: "flowplayer").notice("\($0)") }
    }

    public var changes: AsyncStream<InterruptionChange> {
        let (stream, continuation) = AsyncStream<InterruptionChange>.makeStream()
        let watch = Task { @MainActor [environment, ownProcess, problem] in
            MPRISWatch(
                environment: environment, ownProcess: ownProcess, problem: problem, continuation: continuation)
        }
        continuation.onTermination = { _ in
            Task { await watch.value.close() }
        }
        return stream
    }
}
