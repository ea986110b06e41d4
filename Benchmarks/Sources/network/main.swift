// Measures playback over HTTP against a C program over libVLC and against mpv, on a server that adds round trips.
// usage: network [RUNS [SECONDS]], 7 runs and 30 seconds of 1080p HLS by default
import Foundation
import Subprocess
import SystemPackage

let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
let runs = Int(arguments.first ?? 7)
let seconds = arguments.dropFirst().first ?? 30
let binaries = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
let folder = FileManager.default.temporaryDirectory.appending(path: "network-\(UUID().uuidString)")

func output(_ program: Executable, _ arguments: [String]) async throws -> String {
    let result = try await run(
        program, arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 24), error: .discarded)
    guard result.terminationStatus.isSuccess else {
        print("\(program) \(arguments) failed: \(result.terminationStatus)")
        exit(1)
    }
    return result.standardOutput
}

func make(_ name: String, size: String, seconds: Double, _ options: [String]) async throws {
    let input = ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30:duration=\(seconds)"]
    let audio = ["-f", "lavfi", "-i", "sine=duration=\(seconds)", "-c:a", "aac"]
    let video = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "60"]
    _ = try await output(
        .name("ffmpeg"),
        ["-v", "error", "-nostdin", "-y"] + input + audio + video + options + [folder.appending(path: name).path()])
}

/// The figures of one run.
struct Figures {
    /// In milliseconds.
    var firstFrame = 0.0, seek = 0.0, cpu = 0.0
    var threads = 0.0
    /// In MB.
    var memory = 0.0
    var connections = 0.0, requests = 0.0
}

enum Program: String, CaseIterable {
    case player = "network-player"
    case peer = "network-peer"
    case mpv

    static let all = allCases.filter { $0 != .mpv || FileManager.default.isExecutableFile(atPath: "/usr/bin/mpv") }

    var name: String { ["network-player": "player", "network-peer": "C program"][rawValue] ?? rawValue }

    func play(_ path: String, roundTrip: Double, seconds: Double, seek: Double) async throws -> Figures {
        let server = try DistantServer(serving: folder, roundTrip: roundTrip)
        let url = server.base.appending(path: path).absoluteString
        var figures = Figures()
        if self == .mpv {
            figures = try await playInMPV(url, seconds: seconds)
        } else {
            let program = Executable.path(FilePath(binaries.appending(path: rawValue).path()))
            let values = try await output(program, [url, "\(seconds)", "\(seek)"])
                .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            (figures.firstFrame, figures.seek, figures.cpu) = (values[0], values[1], values[2])
            (figures.threads, figures.memory) = (values[3], values[4])
        }
        figures.connections = Double(server.count.connections)
        figures.requests = Double(server.count.requests)
        return figures
    }

    /// Reads the time of the first frame from mpv's log. mpv has no other figures.
    private func playInMPV(_ url: String, seconds: Double) async throws -> Figures {
        let log = folder.appending(path: "mpv.log")
        _ = try await output(
            .path("/usr/bin/mpv"),
            [
                "--no-config", "--vo=null", "--ao=null", "--hwdec=no", "--length=\(seconds)",
                "--log-file=\(log.path())", url,
            ])
        let text = try String(contentsOf: log, encoding: .utf8)
        func time(_ message: String) -> Double {
            let line = text.split(separator: "\n").first { $0.contains(message) }
            return (line?.firstMatch(of: /\[ *([\d.]+)\]/)).flatMap { Double($0.1) } ?? .nan
        }
        var figures = Figures()
        figures.firstFrame = (time("first video frame after restart shown") - time("Opening ")) * 1000
        return figures
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func measure(_ path: String, roundTrip: Double, runs: Int, seconds: Double, seek: Double) async throws
    -> [Program: [Figures]]
{
    var figures: [Program: [Figures]] = [:]
    for _ in 1...runs {
        for program in Program.all {
            figures[program, default: []].append(
                try await program.play(path, roundTrip: roundTrip, seconds: seconds, seek: seek))
        }
    }
    return figures
}

func pad(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let hls = ["-hls_time", "4", "-hls_playlist_type", "vod"]
try await make("clip.mp4", size: "640x360", seconds: 60, ["-movflags", "+faststart"])
try await make("clip.m3u8", size: "640x360", seconds: 60, hls)
try await make("large.m3u8", size: "1920x1080", seconds: seconds + 8, hls)
try "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=640x360\nclip.m3u8\n".write(
    to: folder.appending(path: "master.m3u8"), atomically: true, encoding: .utf8)

if Program.all.count < 3 { print("mpv is not installed: apt-get install mpv") }
print("medians of \(runs) runs; first frame and seek in ms; seek to second 45 after 3 s")
print("file         round trip  program     first frame  round trips    seek  connections  requests")
for path in ["clip.mp4", "clip.m3u8", "master.m3u8"] {
    for roundTrip in [0, 0.05, 0.15] {
        let figures = try await measure(path, roundTrip: roundTrip, runs: runs, seconds: 3, seek: 45)
        for program in Program.all {
            func value(_ key: KeyPath<Figures, Double>) -> Double { median(figures[program]!.map { $0[keyPath: key] }) }
            let trips = roundTrip > 0 ? String(format: "%.2f", value(\.firstFrame) / roundTrip / 1000) : "-"
            print(
                pad(path, 13) + pad(String(format: "%.0f ms", roundTrip * 1000), 12) + pad(program.name, 12)
                    + String(format: "%11.0f  ", value(\.firstFrame)) + pad("", 11 - trips.count) + trips
                    + String(format: "%8.0f", value(\.seek))
                    + String(format: "%13.0f%10.0f", value(\.connections), value(\.requests)))
        }
    }
}

print("\n\(seconds) s of 1080p HLS, medians of \(max(1, runs / 3)) runs")
print("program     CPU ms  threads  memory MB  connections")
let large = try await measure("large.m3u8", roundTrip: 0, runs: max(1, runs / 3), seconds: seconds, seek: 0)
for program in Program.all where program != .mpv {
    func value(_ key: KeyPath<Figures, Double>) -> Double { median(large[program]!.map { $0[keyPath: key] }) }
    print(
        pad(program.name, 10)
            + String(
                format: "%8.0f%9.0f%11.1f%13.0f", value(\.cpu), value(\.threads), value(\.memory), value(\.connections))
    )
}
