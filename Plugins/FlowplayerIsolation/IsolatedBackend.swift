import Foundation
import Playback
import Synchronization

/// Plays with an engine in another process.
///
/// A crash, a memory fault or a call that hangs ends that process, not the host. Another process continues at the same
/// position: the host sees `buffer`, `play` and the notice `engineRestarted`. After three restarts without 30 s of
/// playback the item fails with `engineCrashed`.
///
/// The process is the program `flowplayer-engine`. Install it beside the host's own program, or name it in the
/// environment variable `FLOWPLAYER_ENGINE`.
public final class IsolatedBackend: PlaybackBackend {
    public let capabilities: BackendCapabilities
    private let inputs: AsyncStream<IsolationController.Input>.Continuation

    /// The capabilities of libVLC in another process.
    public static let vlcCapabilities = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.keyframeSeeking]))

    /// - Parameters:
    ///   - engine: the name of the engine in the program.
    ///   - options: options of the engine. `vlc` and `gstreamer` know `audio` (`auto`, `none`, `pulse` or `alsa`), and `callTimeout`: a call
    ///     of the engine that takes longer ends the process, in seconds. By default that is 8 s for libVLC, and 0.6 s for a process
    ///     without a thread that works; 20 s for GStreamer.
    ///   - program: the program of the engines; by default `flowplayer-engine`.
    ///   - capabilities: the capabilities of the engine. If the process declares others, the item fails with
    ///     `backendUnavailable`.
    public init(
        running engine: BackendName = "vlc", options: [String: String] = [:], program: URL? = nil,
        capabilities: BackendCapabilities = IsolatedBackend.vlcCapabilities
    ) {
        self.capabilities = capabilities
        let (stream, inputs) = AsyncStream.makeStream(of: IsolationController.Input.self)
        self.inputs = inputs
        // One task owns the controller, and handles one input after another.
        Task.detached(priority: .userInitiated) {
            let controller = IsolationController(
                request: EngineRequest(engine: engine.rawValue, options: options),
                program: program ?? EngineProgram.find(), capabilities: capabilities,
                inputs: inputs)
            for await input in stream where !controller.handle(input) { break }
        }
    }

    deinit { inputs.yield(.close) }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { inputs.yield(.start(receive)) }

    public func send(_ command: BackendCommand) { inputs.yield(.command(command)) }

    public func setVideoOutput(_ output: VideoOutput) { inputs.yield(.output(output)) }

    /// The process of the engine; `nil` until one has been started for an item, and between two.
    public var status: EngineStatus? {
        get async { await withCheckedContinuation { inputs.yield(.status($0)) } }
    }

    /// The descriptor for `BackendRegistry`.
    ///
    /// - Parameters:
    ///   - schemes: the schemes of addresses that libVLC plays on this machine, in lower case.
    ///   - options: options of the engine.
    public static func descriptor(
        schemes: Set<String> = ["file", "http", "https"], options: [String: String] = [:]
    ) -> BackendDescriptor {
        BackendDescriptor(
            name: "isolated", summary: "libVLC 3 in a separate process", schemes: schemes,
            isAutomatic: false, installation: { BackendInstallation(missing: EngineProgram.missing) },
            make: { IsolatedBackend(options: options) })
    }

    /// The descriptor of another engine in a separate process. Its name is `isolated:` and the name of the engine.
    ///
    /// - Parameters:
    ///   - engine: the descriptor of the engine in this process.
    ///   - capabilities: the capabilities of the engine.
    ///   - options: options of the engine.
    public static func descriptor(
        of engine: BackendDescriptor, capabilities: BackendCapabilities, options: [String: String] = [:]
    ) -> BackendDescriptor {
        BackendDescriptor(
            name: .named("isolated:" + engine.name.rawValue),
            summary: "the engine \(engine.name.rawValue) in a separate process", schemes: engine.schemes,
            isAutomatic: false, installation: { BackendInstallation(missing: EngineProgram.missing) },
            make: { IsolatedBackend(running: engine.name, options: options, capabilities: capabilities) })
    }
}

/// The process of an engine.
public struct EngineStatus: Hashable, Sendable {
    /// Its number in the system.
    public let processIdentifier: Int32
    /// The protections that the kernel provides here.
    public let protections: Set<EngineProtection>
}
