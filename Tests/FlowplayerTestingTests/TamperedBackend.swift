import FlowplayerTesting
import Playback
import Synchronization

/// A simulated backend between whose commands and events somebody has put his hands.
final class TamperedBackend: PlaybackBackend {
    /// What becomes of a command or of an event on its way.
    struct Fault: Sendable, CustomStringConvertible {
        typealias Tamper<Message> = @Sendable (Message) -> [Message]

        let description: String
        /// The case of the contract that finds it.
        let caughtBy: String
        var features = SimulatedBackend.everything.features
        /// Whether the backend is kept although nobody wants it any more.
        var clings = false
        /// Made anew for each backend.
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
    private let queue: EventQueue<BackendEvent>
    private let commands: Fault.Tamper<BackendCommand>
    private let forwarding: Task<Void, Never>

    init(_ fault: Fault, clock: ManualClock) {
        capabilities = BackendCapabilities(features: fault.features)
        let backend = SimulatedBackend(
            clock: clock, capabilities: capabilities, script: BackendFixtures.simulatedMedia)
        let queue = EventQueue<BackendEvent>(clock: clock)
        self.backend = backend
        self.queue = queue
        commands = fault.makeCommands()
        let tamper = fault.makeEvents()
        let (events, kept) = (backend.events, fault.clings ? backend : nil)
        forwarding = Task {
            for await event in events {
                for event in tamper(event) { queue.push(event) }
            }
            queue.finish()
            withExtendedLifetime(kept) {}
        }
    }

    var events: AsyncStream<BackendEvent> { queue.makeStream() }

    func send(_ command: BackendCommand) {
        for command in commands(command) { backend.send(command) }
    }

    func setVideoOutput(_ output: VideoOutput) { backend.setVideoOutput(output) }
}
