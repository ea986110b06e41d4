import MediaTransport
import Playback

/// A message of the host to the engine's process.
enum HostMessage: SocketMessage, Sendable {
    /// The first message. Answered with `ready`.
    case run(EngineRequest)
    case command(BackendCommand)
    case show(VideoDestination)
    /// Answered with `pong`.
    case ping(Int)
    /// A descriptor of an item's file, before the command that opens the item. The engine needs no `openFile` for it.
    case file(path: String)
    /// The answer to `openFile`: 0 and a descriptor, or the number of an error.
    case opened(request: Int, error: Int32)
    /// The answer to `connect`. A descriptor comes with it if there is no failure.
    case connected(request: Int, ConnectionFailure?)
}

/// The engine to run, and its options.
struct EngineRequest: Codable, Hashable, Sendable {
    let engine: String
    let options: [String: String]
    var access = EngineAccess.none
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
enum EngineMessage: SocketMessage, Sendable {
    /// The answer to `run`.
    case ready(EngineDescription)
    case event(BackendEvent)
    /// Memory for frames. Its descriptor comes with the message.
    case memory(id: Int32, byteCount: Int)
    case frame(SharedFrame)
    /// The engine uses this memory no more.
    case forgetMemory(id: Int32)
    /// The answer to `ping`.
    case pong(Int)
    /// Answered with `opened`.
    case openFile(request: Int, path: String)
    /// Answered with `connected`, at the latest after the seconds.
    case connect(request: Int, Server, seconds: Double)
}

extension EngineMessage {
    var numbers: [Int32]? {
        guard case .frame(let frame) = self else { return nil }
        return [frame.memory, Int32(frame.width), Int32(frame.height), Int32(frame.bytesPerRow)]
    }

    init?(numbers: [Int32]) {
        guard numbers.count == 4 else { return nil }
        self = .frame(
            SharedFrame(
                memory: numbers[0], width: Int(numbers[1]), height: Int(numbers[2]), bytesPerRow: Int(numbers[3])))
    }
}

/// The properties of the engine's process.
struct EngineDescription: Codable, Hashable, Sendable {
    /// The version of the messages. It changes with each change that an older process cannot read.
    static let protocolVersion = 4

    let protocolVersion: Int
    /// `nil` if the process has no engine of the name.
    let capabilities: BackendCapabilities?
    /// The zero of the process's clock.
    let zero: ContinuousClock.Instant
    let protections: Set<EngineProtection>
}

/// The largest values of a process. With larger ones the host's arithmetic could overflow, which would end the host.
private enum Largest {
    static let time = Duration.seconds(1 << 40)
    /// In seconds.
    static let position = 1e12
    /// The counts of one report.
    static let count: UInt = 1 << 32
}

extension EngineDescription {
    /// `false` for a time that no clock has.
    var isPossible: Bool {
        let now = ContinuousClock.now
        return zero > now - Largest.time && zero < now + Largest.time
    }
}

extension BackendEvent {
    /// `false` for a time, a position or a count that no engine has.
    var isPossible: Bool {
        guard hostTime > .zero - Largest.time, hostTime < Largest.time else { return false }
        if let position = body.position, abs(position) > Largest.position { return false }
        guard case .statistics(let report) = body else { return true }
        return [report.bytesReceived, report.droppedFrames, report.retries].allSatisfy { $0.magnitude < Largest.count }
    }
}

/// A protection of the host from the engine's process.
public enum EngineProtection: String, Codable, Hashable, Sendable, CaseIterable {
    /// The process gains no privileges, for example by a program with the set-user-ID bit.
    case noNewPrivileges
    /// The process has at most 4 GB of memory, writes files of at most 1 GB, and leaves no memory dump.
    case resourceLimits
    /// Landlock: the process reads the files of the system and of libVLC, and writes to its own cache folder. The host opens the files of
    /// items for it.
    case fileAccess
    /// Landlock: the process connects to no server, and the system refuses all sockets but those of the machine itself. The host opens
    /// connections for it. Missing for items of `rtmp`, `rtsp`, `rtp`, `srt` and `udp`, which libVLC reads itself.
    case networkAccess
    /// The system refuses the calls that no engine needs: to start programs, to look into other processes, to change the system.
    case systemCalls
}

/// A frame in shared memory. The values have the shapes of those of `VideoFrame`.
struct SharedFrame: Codable, Hashable, Sendable {
    let memory: Int32
    let width: Int
    let height: Int
    let bytesPerRow: Int
}
