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

var sdk: [[Double]] = []
var peer: [[Double]] = []
for number in 1...runs {
    FileHandle.standardError.write(Data("\rrun \(number) of \(runs)".utf8))
    for (name, keep) in [("startup-player", true), ("startup-peer", false)] {
        let line = try await output(binary(name), [clip.path(), "\(seconds)"])
        let figures = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        if keep { sdk.append(figures) } else { peer.append(figures) }
    }
}
FileHandle.standardError.write(Data("\n".utf8))

print("medians of \(runs) runs of \(seconds) s, 640x360 at 30 frames a second")
print("                    SDK ms    C ms   ratio (median of pairs)   bound")
for (index, (name, bound)) in [("load to play", nil), ("load to first frame", 1.10), ("CPU", 1.05)].enumerated() {
    let ratios = zip(sdk, peer).map { $0[index] / $1[index] }
    let text = String(
        format: "%9.1f %7.1f %7.3f (%.3f to %.3f)", median(sdk.map { $0[index] }), median(peer.map { $0[index] }),
        median(ratios), ratios.min()!, ratios.max()!)
    let limit = (bound as Double?).map { String(format: "%.2f %@", $0, median(ratios) <= $0 ? "met" : "MISSED") } ?? "-"
    print(name.padding(toLength: 20, withPad: " ", startingAt: 0) + text + "   " + limit)
}

print("\ncalls of the public API on the main actor, on a file and on a server that never answers")
print("call            calls  median ms  worst ms   (bound: 1 ms)")
for line in try await output(binary("startup-player"), ["--holds", clip.path()]).split(separator: "\n") {
    let fields = line.split(separator: " ")
    print(
        fields[0].padding(toLength: 14, withPad: " ", startingAt: 0)
            + String(format: "%7.0f %10.4f %9.4f", Double(fields[1])!, Double(fields[2])!, Double(fields[3])!))
}
