import FlowplayerTesting
import Playback
import Synchronization

/// A simulated backend whose commands and events are changed on their way.
final class TamperedBackend: PlaybackBackend {
    /// A change of commands or events on their way.
    struct Fault: Sendable, CustomStringConvertible {
        typealias Tamper<Message> = @Sendable (Message) -> [Message]

        let description: String
        /// The case of the contract that finds it.
        let caughtBy: String
        var features = SimulatedBackend.everything.features
        /// `true` if the backend is kept after the last reference.
        var clings = false
        /// Called for each backend.
        let makeCommands: @Sendable () -> Tamper<BackendCommand>
        let makeEvents: @Sendable () -> Tamper<BackendEvent>

        init(
            _ description: String, caughtBy: String, commands: @escaping @Sendable () -> Tamper<BackendCommand>,
            events: @escaping @Sendable () -> Tamper<BackendEvent>
        ) {
            self.description = description
            self.caughtBy = caughtBy
            makeCommands = commands
            makeEvents = events
        }

        init(_ description: String, caughtBy: String, commands: @escaping Tamper<BackendCommand> = { [$0] }) {
            self.init(description, caughtBy: caughtBy, commands: { commands }, events: { { [$0] } })
        }

        init(_ description: String, caughtBy: String, events: @escaping Tamper<BackendEvent>) {
            self.init(description, caughtBy: caughtBy, commands: { { [$0] } }, events: { events })
        }
    }

    let capabilities: BackendCapabilities
    private let backend: SimulatedBackend
    private let commands: Fault.Tamper<BackendCommand>
    private let fault: Fault

    init(_ fault: Fault, clock: ManualClock) {
        capabilities = BackendCapabilities(features: fault.features)
        backend = SimulatedBackend(
            clock: clock, capabilities: capabilities, script: BackendFixtures.simulatedMedia)
        self.fault = fault
        commands = fault.makeCommands()
    }

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        let tamper = fault.makeEvents()
        let kept = fault.clings ? backend : nil
        backend.start { event in
            for event in tamper(event) { receive(event) }
            withExtendedLifetime(kept) {}
        }
    }

    func send(_ command: BackendCommand) {
        for command in commands(command) { backend.send(command) }
    }

    func setVideoOutput(_ output: VideoOutput) { backend.setVideoOutput(output) }
}
