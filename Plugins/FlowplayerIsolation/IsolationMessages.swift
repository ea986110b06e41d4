import Playback

/// A message of the host to the engine's process.
enum HostMessage: Codable, Sendable {
    /// The first message. Answered with `ready`.
    case run(EngineRequest)
    case command(BackendCommand)
    case show(VideoDestination)
    /// The host has released a frame, so that its memory can be used again.
    case releaseFrame(memory: Int)
    /// Answered with `pong`.
    case ping(Int)
}

/// The engine to run, and its options.
struct EngineRequest: Codable, Hashable, Sendable {
    let engine: String
    let options: [String: String]
}

/// A `VideoOutput` as plain data.
enum VideoDestination: Codable, Hashable, Sendable {
    case none
    case window
    /// Frames of at most this size in pixels, if it is not `nil`.
    case frames(maximum: VideoSize?)

    init(_ output: VideoOutput) {
        switch output {
        case .none: self = .none
        case .window: self = .window
        case .frames(let sink): self = .frames(maximum: sink.maximumFrameSize)
        }
    }
}

/// A message of the engine's process to the host.
enum EngineMessage: Codable, Sendable {
    /// The answer to `run`.
    case ready(EngineDescription)
    case event(BackendEvent)
    /// Memory for frames. Its descriptor comes with the message.
    case memory(id: Int, byteCount: Int)
    case frame(SharedFrame)
    /// The engine uses this memory no more.
    case forgetMemory(id: Int)
    /// The answer to `ping`.
    case pong(Int)
}

/// The properties of the engine's process.
struct EngineDescription: Codable, Hashable, Sendable {
    /// The version of the messages. It changes with each change that an older process cannot read.
    static let protocolVersion = 1

    let protocolVersion: Int
    /// `nil` if the process has no engine of the name.
    let capabilities: BackendCapabilities?
    /// The zero of the process's clock.
    let zero: ContinuousClock.Instant
    let protections: Set<EngineProtection>
}

/// A protection of the host from the engine's process.
public enum EngineProtection: String, Codable, Hashable, Sendable, CaseIterable {
    /// The process gains no privileges, for example by a program with the set-user-ID bit, and leaves no memory dump.
    case noNewPrivileges
    /// Landlock: the process writes to its own cache folder and to devices only.
    case writeProtection
}

/// A frame in shared memory. The values have the shapes of those of `VideoFrame`.
struct SharedFrame: Codable, Hashable, Sendable {
    let memory: Int
    let width: Int
    let height: Int
    let bytesPerRow: Int
}
