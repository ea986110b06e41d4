import BenchmarkSupport
import FlowplayerIsolation
import Foundation
import Measuring
import Playback
import VLCBackend

/// The process of the engine: another one, or that of the player.
enum Place: String, CaseIterable {
    case isolated
    case inProcess = "in-process"

    func backend() -> any PlaybackBackend {
        switch self {
        case .isolated: IsolatedBackend(options: ["audio": "none"])
        case .inProcess: LibVLCBackend(audioOutput: .none)
        }
    }

    /// Starts two players, one after the other. Returns their times to the first frame in milliseconds.
    @MainActor
    func start(_ file: URL) async throws -> (Double, Double) {
        // The first process is that of this player, and the spare one that of the next.
        if self == .isolated { _ = try await firstFrame(file) }
        return (try await firstFrame(file), try await firstFrame(file))
    }

    @MainActor
    private func firstFrame(_ file: URL) async throws -> Double {
        let frames = Frames()
        let player = MediaPlayer(backend: backend())
        player.videoOutput = .frames(frames)
        // A player in process starts libVLC meanwhile.
        try await pause(0.7)
        let start = ContinuousClock.now
        player.load(file, autoPlay: true)
        try await become("no frame") { frames.first != nil }
        // The spare process starts meanwhile.
        try await pause(2.5)
        return (frames.first! - start) / .milliseconds(1)
    }

    /// Plays for some seconds, and measures them.
    @MainActor
    func play(_ file: URL, seconds: Double) async throws -> Usage {
        let backend = backend()
        let frames = Frames()
        let player = MediaPlayer(backend: backend)
        player.videoOutput = .frames(frames)
        player.load(file, autoPlay: true)
        try await become("nothing plays") { frames.count >= 10 }
        // The spare process has started by then.
        try await pause(3)
        let children = ProcessStat.children(of: getpid())
        func time() throws -> Double { try children.reduce(try cpuTime(of: getpid())) { $0 + (try cpuTime(of: $1)) } }
        let (cpu, count) = (try time(), frames.count)
        try await pause(seconds)
        let engine = await (backend as? IsolatedBackend)?.status?.processIdentifier
        return Usage(
            cpu: try time() - cpu, frames: frames.count - count, host: try memory(of: getpid()),
            engine: try engine.map { try memory(of: $0) } ?? 0,
            spare: try children.filter { $0 != engine }.reduce(0) { $0 + (try memory(of: $1)) })
    }
}

/// The cost of playback.
struct Usage: CustomStringConvertible {
    /// User and system time of all processes, in seconds.
    let cpu: Double
    let frames: Int
    /// Memory in MB. Memory of several processes is divided among them (PSS).
    let host: Double
    let engine: Double
    let spare: Double

    var description: String { "\(cpu) \(frames) \(host) \(engine) \(spare)" }
}

extension Usage {
    init(_ text: String) throws {
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 5 else { throw Failure(description: "not five figures: \(text)") }
        self.init(
            cpu: numbers[0], frames: Int(numbers[1]), host: numbers[2], engine: numbers[3], spare: numbers[4])
    }
}
