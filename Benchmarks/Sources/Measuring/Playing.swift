import BenchmarkSupport
import Foundation
import Playback
import Synchronization

/// Counts frames, and reads a byte of each page of their memory.
public final class Frames: VideoFrameSink {
    private let state = Mutex((count: 0, first: ContinuousClock.Instant?.none, sum: 0))

    public init() {}

    public var count: Int { state.withLock(\.count) }

    /// The time of the first frame, or of the first one since `restart`.
    public var first: ContinuousClock.Instant? { state.withLock(\.first) }

    public func restart() { state.withLock { $0.first = nil } }

    public func receive(_ frame: VideoFrame) {
        let sum = frame.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4096).reduce(0) { $0 &+ Int(bytes[$1]) }
        }
        state.withLock { $0 = ($0.count + 1, $0.first ?? .now, $0.sum &+ sum) }
    }
}

extension MediaPlayer {
    /// Seeks without waiting, also in an asynchronous function.
    public func startSeek(to seconds: Double) { seek(to: seconds) }
}

public func pause(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }

/// Waits for a condition for at most a minute.
@MainActor
public func become(_ failure: String, _ condition: @MainActor () async -> Bool) async throws {
    guard await eventually(within: .seconds(60), condition) else { throw Failure(description: failure) }
}

/// A clip with a tone, at 30 frames a second. The caller removes it.
public func makeClip(_ size: String, seconds: Double) async throws -> URL {
    let file = FileManager.default.temporaryDirectory.appending(path: "clip-\(UUID().uuidString).mp4")
    try await output(
        of: "ffmpeg",
        [
            "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30:duration=\(seconds)",
            "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt",
            "yuv420p", "-g", "60", "-c:a", "aac", file.path(),
        ])
    return file
}
