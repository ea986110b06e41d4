// Measures how the SDK starts and what it costs, against a minimal C program over the same libVLC, turn by turn.
// usage: startup [RUNS [SECONDS]], 15 runs of 10 seconds each by default
import Foundation
import Subprocess
import SystemPackage

let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
let runs = Int(arguments.first ?? 15)
let seconds = arguments.dropFirst().first ?? 10
let binaries = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

func output(_ program: Executable, _ arguments: [String]) async throws -> String {
    let result = try await run(
        program, arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20), error: .discarded)
    guard result.terminationStatus.isSuccess else {
        print("\(program) \(arguments) failed: \(result.terminationStatus)")
        exit(1)
    }
    return result.standardOutput
}

func binary(_ name: String) -> Executable { .path(FilePath(binaries.appending(path: name).path())) }

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let clip = FileManager.default.temporaryDirectory.appending(path: "startup-\(UUID().uuidString).mp4")
defer { try? FileManager.default.removeItem(at: clip) }
_ = try await output(
    .name("ffmpeg"),
    [
        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=\(seconds + 5)",
        "-f", "lavfi", "-i", "sine=duration=\(seconds + 5)", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "60",
        "-c:a", "aac", clip.path(),
    ])

/// Figures of both programs, turn by turn.
func measure(seconds: Double, warmUp: Double) async throws -> (sdk: [[Double]], peer: [[Double]]) {
    var figures: [String: [[Double]]] = [:]
    for number in 1...runs {
        FileHandle.standardError.write(Data("\rrun \(number) of \(runs), warm-up \(warmUp) s ".utf8))
        for program in ["startup-player", "startup-peer"] {
            let line = try await output(binary(program), [clip.path(), "\(seconds)", "\(warmUp)"])
            figures[program, default: []].append(line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) })
        }
    }
    FileHandle.standardError.write(Data("\n".utf8))
    return (figures["startup-player"]!, figures["startup-peer"]!)
}

func report(_ name: String, _ index: Int, _ figures: (sdk: [[Double]], peer: [[Double]]), bound: Double? = nil) {
    let ratios = zip(figures.sdk, figures.peer).map { $0[index] / $1[index] }
    let text = String(
        format: "%9.1f %7.1f %7.3f (%.3f to %.3f)", median(figures.sdk.map { $0[index] }),
        median(figures.peer.map { $0[index] }), median(ratios), ratios.min()!, ratios.max()!)
    let limit = bound.map { String(format: "%.2f %@", $0, median(ratios) <= $0 ? "met" : "MISSED") } ?? "-"
    print(name.padding(toLength: 26, withPad: " ", startingAt: 0) + text + "   " + limit)
}

let cold = try await measure(seconds: 1, warmUp: 0)
let warm = try await measure(seconds: seconds, warmUp: 0.5)
print("medians of \(runs) runs, 640x360 at 30 frames a second; CPU of \(seconds) s of playback")
print("                          SDK ms    C ms   ratio (median of pairs)   bound")
report("load to play", 0, warm)
report("load to first frame", 1, warm, bound: 1.10)
report("CPU", 2, warm, bound: 1.05)
report("cold: load to play", 0, cold)
report("cold: load to first frame", 1, cold)

print("\ncalls of the public API on the main actor, on a file and on a server that never answers")
print("call            calls  median ms  worst ms   (bound: 1 ms)")
for line in try await output(binary("startup-player"), ["--holds", clip.path()]).split(separator: "\n") {
    let fields = line.split(separator: " ")
    print(
        fields[0].padding(toLength: 14, withPad: " ", startingAt: 0)
            + String(format: "%7.0f %10.4f %9.4f", Double(fields[1])!, Double(fields[2])!, Double(fields[3])!))
}
