#if VLC
import FlowplayerFaults
import FlowplayerSDK
import Foundation
import Playback

// The benchmark `faults` has links to this file.
#if canImport(BenchmarkSupport)
import BenchmarkSupport
#else
import TestSupport
import VLCBackend
#endif

/// Every fault on every kind of media.
struct FaultMatrix {
    struct Cell: Sendable {
        let fault: FaultCatalogue.Entry
        let media: FaultRun.Media
    }

    /// How many players play at once.
    private static let width = 16

    private var runs: [String: FaultRun] = [:]

    /// Plays cells.
    ///
    /// - Parameters:
    ///   - backend: creates the backend of a cell.
    ///   - policy: the retry policy for a cell.
    @MainActor
    init(
        _ cells: [Cell] = all,
        backend: @escaping @Sendable () -> any PlaybackBackend = { LibVLCBackend(audioOutput: .none) },
        policy: (Cell) -> RetryPolicy
    ) async throws {
        let folder = try await Self.media()
        try await withThrowingTaskGroup(of: (String, FaultRun).self) { group in
            var waiting = cells.map { (cell: $0, policy: policy($0)) }[...]
            for _ in 0..<Self.width { Self.start(waiting.popFirst(), folder, backend, &group) }
            while let (key, run) = try await group.next() {
                runs[key] = run
                Self.start(waiting.popFirst(), folder, backend, &group)
            }
        }
    }

    private static func start(
        _ cell: (cell: Cell, policy: RetryPolicy)?, _ folder: URL,
        _ backend: @escaping @Sendable () -> any PlaybackBackend,
        _ group: inout ThrowingTaskGroup<(String, FaultRun), any Error>
    ) {
        guard let (cell, policy) = cell else { return }
        group.addTask {
            // Its own: an outage is one for all.
            let server = try await FaultServer.start(serving: folder)
            let run = try await FaultRun(cell.media, cell.fault.plan, server, policy: policy, backend: backend())
            await server.stop()
            return (key(cell), run)
        }
    }

    subscript(_ cell: Cell) -> FaultRun? { runs[Self.key(cell)] }

    private static func key(_ cell: Cell) -> String { "\(cell.fault.plan) \(cell.media.rawValue)" }

    static let all: [Cell] = FaultCatalogue.entries.flatMap { fault in
        FaultRun.Media.allCases.filter { $0.isHLS || !fault.isForHLS }
            // A plan that makes a stream live is not a fault of a live stream.
            .filter { $0 != .live || !fault.plan.description.hasPrefix("live") }
            .map { Cell(fault: fault, media: $0) }
    }

    /// A folder with the media: six seconds each, and a live stream that does not come to its end.
    static func media() async throws -> URL { try await making.value }

    /// Made once, whoever asks first: nobody must read what is still being written.
    private static let making = Task { try await makeMedia() }

    private static func makeMedia() async throws -> URL {
        let folder = MediaFixtures.shared.directory.appending(path: "faults")
        let codecs = [
            "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-b:v", "300k", "-pix_fmt", "yuv420p", "-c:a",
            "aac",
        ]
        for name in ["vod", "live"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try await ffmpeg(
            input(seconds: 6) + codecs + ["-movflags", "+faststart", folder.appending(path: "clip.mp4").path()])
        try await ffmpeg(
            ["-f", "lavfi", "-i", "anoisesrc=duration=6:amplitude=0.3:seed=1", "-b:a", "192k"]
                + [folder.appending(path: "clip.mp3").path()])
        for (name, seconds) in [("vod", 6), ("live", 40)] {
            let stream = folder.appending(path: name).path()
            try await ffmpeg(
                input(seconds: seconds) + ["-map", "0", "-map", "1", "-map", "0", "-map", "1"] + codecs + [
                    "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-var_stream_map",
                    "v:0,a:0 v:1,a:1",
                    "-hls_segment_filename", stream + "/part%v-%d.ts", "-master_pl_name", "clip.m3u8",
                    stream + "/variant%v.m3u8",
                ])
        }
        return folder
    }

    private static func input(seconds: Int) -> [String] {
        [
            "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=\(seconds)",
            "-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds):sample_rate=48000",
        ]
    }

    private static func ffmpeg(_ arguments: [String]) async throws {
        let result = try await Command("ffmpeg", ["-v", "error", "-y"] + arguments).run()
        guard result.status == 0 else { throw FixtureError(description: result.errors) }
    }

    // MARK: The document

    /// The table of all faults. Times are as they were in this run.
    var table: String {
        let media = FaultRun.Media.allCases
        var lines = [
            "| fault | " + media.map(\.rawValue).joined(separator: " | ") + " |",
            "|---|" + media.map { _ in "---|" }.joined(),
        ]
        for fault in FaultCatalogue.entries {
            let cells = media.map { media in
                self[Cell(fault: fault, media: media)].map { run in
                    run.text + (run.silence.map { String(format: " (%.1f s)", $0) } ?? "")
                } ?? "–"
            }
            lines.append("| `\(fault.plan)`: \(fault.summary) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    /// The messages of each fault, each sentence once, with `n` for numbers that differ from run to run.
    var messages: String {
        let lines = FaultCatalogue.entries.compactMap { fault -> String? in
            let runs = FaultRun.Media.allCases.compactMap { self[Cell(fault: fault, media: $0)] }
            let messages = runs.compactMap(\.message).reduce(into: [String]()) { messages, message in
                if !messages.contains(message) { messages.append(message) }
            }
            return messages.isEmpty ? nil : "| `\(fault.plan)` | \(messages.joined(separator: "<br>")) |"
        }
        return (["| fault | message |", "|---|---|"] + lines).joined(separator: "\n")
    }

    /// A table without times and stalls, which differ from run to run.
    static func timeless(_ table: some StringProtocol) -> [String] {
        table.split(separator: "\n").map { String($0).replacing(#/, `buffer`| \(\d+\.\d s\)/#, with: "") }
    }

    /// Every code there is.
    static var codes: String {
        let lines = PlaybackErrorCode.all.sorted { $0.number < $1.number }.map { code in
            let again = code == .httpStatus ? "408, 429, 5xx" : code.isRetryable ? "yes" : "no"
            return "| \(code.number) | `\(code.name)` | \(code.summary) \(code.advice) | \(again) |"
        }
        return (["| number | name | message | again later |", "|---|---|---|---|"] + lines).joined(separator: "\n")
    }
}
#endif
