// Measures how long after a change of the video's output the first frame comes, by container, while playing and while paused.
// usage: video-output [ROUNDS], 10 rounds by default
import BenchmarkSupport
import Foundation
import Measuring
import Playback
import Synchronization
import VLCBackend

/// Keeps the time of the first frame.
final class FirstFrame: VideoFrameSink {
    private let state = Mutex<ContinuousClock.Instant?>(nil)
    var time: ContinuousClock.Instant? { state.withLock(\.self) }

    func receive(_ frame: VideoFrame) { state.withLock { $0 = $0 ?? .now } }
}

@MainActor
struct OutputChange {
    let rounds: Int
    let folder: URL

    /// In seconds. Containers whose video starts with the next key frame have no bound.
    private static let bound = 0.5
    private static let length = 40

    func run() async throws -> Bool {
        let server = try await LoopbackServer(files: folder)
        print("seconds until the first frame of 720p30 with a key frame every 2 s, \(rounds) rounds")
        print("                 playing: median  worst   paused: median  worst   bound \(Self.bound) for the worst")
        var isMet = true
        for (name, format, isServed) in [
            ("mp4 file", "mp4", false), ("Matroska file", "mkv", false), ("TS file", "ts", false),
            ("HLS, server", "m3u8", true),
        ] {
            let file = try await make(format)
            let url = isServed ? server.base.appending(path: file.lastPathComponent) : file
            var (playing, paused): ([Double], [Double]) = ([], [])
            for round in 1...rounds {
                say("\(name), round \(round) of \(rounds)")
                playing.append(try await delay(url, after: Double(round) * 0.17, isPaused: false))
                paused.append(try await delay(url, after: Double(round) * 0.17, isPaused: true))
            }
            let hasBound = format == "mp4"
            let isQuick = max(playing.max()!, paused.max()!) <= Self.bound
            print(
                name.padding(toLength: 24, withPad: " ", startingAt: 0),
                String(
                    format: "%8.2f %6.2f %16.2f %6.2f   ", median(playing), playing.max()!, median(paused),
                    paused.max()!), hasBound ? verdict(isQuick) : "-")
            isMet = isMet && (isQuick || !hasBound)
        }
        return isMet
    }

    private func make(_ format: String) async throws -> URL {
        let file = folder.appending(path: "clip.\(format)")
        if FileManager.default.fileExists(atPath: file.path()) { return file }
        try await output(
            of: "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                "testsrc2=size=1280x720:rate=30:duration=\(Self.length)", "-f", "lavfi", "-i",
                "sine=duration=\(Self.length)", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast", "-g",
                "60",
                "-sc_threshold", "0", "-c:a", "aac",
            ] + (format == "m3u8" ? ["-hls_time", "4", "-hls_list_size", "0"] : ["-movflags", "+faststart"]) + [
                file.path()
            ])
        return file
    }

    /// Plays without an output, sets one, and returns the time until its first frame in seconds.
    private func delay(_ url: URL, after position: Double, isPaused: Bool) async throws -> Double {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.load(url, autoPlay: true)
        try await become("nothing plays") { player.position.seconds >= 1 + position }
        if isPaused {
            player.pause()
            try await become("nothing pauses") { player.snapshot.state == .pause }
        }
        let frame = FirstFrame()
        let start = ContinuousClock.now
        player.videoOutput = .frames(frame)
        try await become("no frame") { frame.time != nil }
        return (frame.time! - start) / .seconds(1)
    }

    private func become(_ problem: String, _ condition: () -> Bool) async throws {
        guard await eventually(condition) else { throw Failure(description: problem) }
    }
}

await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "video-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 10
    return try await OutputChange(rounds: max(1, rounds), folder: folder).run()
}
