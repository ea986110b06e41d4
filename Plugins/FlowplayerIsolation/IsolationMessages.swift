import MediaTransport
import Playback

/// A message of the host to the engine's process.
enum HostMessage: Codable, Sendable {
    /// The first message. Answered with `ready`.
    case run(EngineRequest)
    case command(BackendCommand)
    case show(VideoDestination)
    /// Answered with `pong`.
    case ping
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
enum EngineMessage: Codable, Sendable {
    /// The answer to `run`.
    case ready(EngineDescription)
    case event(BackendEvent)
    /// The answer to `ping`.
    case pong
    /// Answered with `opened`.
    case openFile(request: Int, path: String)
    /// Answered with `connected`, at the latest after the seconds.
    case connect(request: Int, Server, seconds: Double)
}

/// The properties of the engine's process.
struct EngineDescription: Codable, Hashable, Sendable {
    /// The version of the messages. It changes with each change that an older process cannot read.
    static let protocolVersion = 8

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
    /// The limit of positions in seconds, of areas in pixels, and of counts.
    static let figure = 1e12
}

extension EngineDescription {
    /// `false` for a time that no clock has.
    var isPossible: Bool {
        let now = ContinuousClock.now
        return zero > now - Largest.time && zero < now + Largest.time
    }
}

extension BackendEvent {
    /// `false` for a time or a figure that no engine has, and for other capabilities than those of the first message.
    var isPossible: Bool {
        if case .capabilitiesChanged = body { return false }
        guard hostTime > .zero - Largest.time, hostTime < Largest.time else { return false }
        return body.hasOrderedWindow && body.figures.allSatisfy { abs($0) <= Largest.figure }
    }
}

extension BackendEvent.Body {
    /// `false` for a window that ends before its start.
    fileprivate var hasOrderedWindow: Bool {
        switch self {
        case .opened(let media): media.dvrWindow.map { $0.start <= $0.end } ?? true
        case .dvrWindowChanged(let window?): window.start <= window.end
        default: true
        }
    }

    fileprivate var figures: [Double] {
        switch self {
        case .opened(let media):
            [media.duration ?? 0, media.position] + (media.dvrWindow?.figures ?? []) + media.tracks.figures
        case .durationChanged(let duration): [duration]
        case .tracksChanged(let tracks): tracks.figures
        case .qualitiesChanged(let qualities):
            qualities.flatMap { area($0.width, $0.height) + [$0.bitRate, $0.frameRate ?? 0] }
        case .videoSizeChanged(let size): size.map { area($0.width, $0.height) } ?? []
        case .buffered(let level): [level.percentage]
        case .bufferedRangesChanged(let ranges): ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        case .dvrWindowChanged(let window): window?.figures ?? []
        case .markersChanged(let markers): markers.flatMap { [$0.start, $0.duration ?? 0] }
        case .metadataChanged(let metadata): metadata.chapters.map(\.start)
        case .statistics(let report):
            [report.bytesReceived, report.droppedFrames, report.retries].map(Double.init)
                + [report.indicatedBitRate ?? 0, report.observedBitRate ?? 0]
        default: [position ?? 0]
        }
    }
}

private func area(_ width: Int, _ height: Int) -> [Double] {
    [Double(width), Double(height), Double(width) * Double(height)]
}

extension MediaTracks {
    fileprivate var figures: [Double] { video.flatMap { area($0.width, $0.height) } }
}

extension DVRWindow {
    fileprivate var figures: [Double] { [start, end] }
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
