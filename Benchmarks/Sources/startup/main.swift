// Measures the start of playback, CPU and calls on the main actor. The peer is a minimal C program over the same libVLC.
// usage: startup [RUNS [SECONDS]], 15 runs of 10 seconds by default
import Foundation
import Measuring

/// The figures of one run, in milliseconds.
struct Run {
    let play: Double
    let firstFrame: Double
    let cpu: Double

    init(_ line: String) throws {
        let figures = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 3 else { throw Failure(description: "not three figures: \(line)") }
        (play, firstFrame, cpu) = (figures[0], figures[1], figures[2])
    }
}

/// A run of the player and a run of the peer, one after the other.
typealias Pair = (player: Run, peer: Run)

@MainActor
struct Startup {
    let runs: Int
    let seconds: Double
    let clip = FileManager.default.temporaryDirectory.appending(path: "startup-\(UUID().uuidString).mp4")

    func run() async throws -> Bool {
        defer { try? FileManager.default.removeItem(at: clip) }
        try await makeClip()
        let cold = try await measure(seconds: 2, warmUp: 0)
        let warm = try await measure(seconds: seconds, warmUp: 0.5)
        print("medians of \(runs) runs, 640x360 at 30 frames per second; CPU of \(seconds) s of playback")
        print("                        player ms    C ms   ratio (median of pairs)   bound")
        var isMet = true
        report("load to play", warm, \.play)
        isMet = report("load to first frame", warm, \.firstFrame, bound: 1.05) && isMet
        isMet = report("CPU", warm, \.cpu, bound: 1.05) && isMet
        report("cold: load to play", cold, \.play)
        isMet = report("cold: load to first frame", cold, \.firstFrame, bound: 1.10) && isMet
        return try await reportCalls() && isMet
    }

    private func makeClip() async throws {
        let length = seconds + 5
        try await output(
            of: "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                "testsrc2=size=640x360:rate=30:duration=\(length)", "-f", "lavfi", "-i", "sine=duration=\(length)",
                "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", clip.path(),
            ])
    }

    private func measure(seconds: Double, warmUp: Double) async throws -> [Pair] {
        var pairs: [Pair] = []
        for number in 1...runs {
            say("run \(number) of \(runs), warm-up \(warmUp) s")
            let arguments = [clip.path(), "\(seconds)", "\(warmUp)"]
            let player = try Run(try await output(of: "startup-player", arguments))
            let peer = try Run(try await output(of: "startup-peer", arguments))
            pairs.append((player, peer))
        }
        return pairs
    }

    @discardableResult
    private func report(_ name: String, _ pairs: [Pair], _ figure: KeyPath<Run, Double>, bound: Double? = nil) -> Bool {
        let ratios = pairs.map { $0.player[keyPath: figure] / $0.peer[keyPath: figure] }
        let isMet = bound.map { median(ratios) <= $0 } ?? true
        let text = String(
            format: "%9.1f %7.1f %7.3f (%.3f to %.3f)", median(pairs.map { $0.player[keyPath: figure] }),
            median(pairs.map { $0.peer[keyPath: figure] }), median(ratios), ratios.min()!, ratios.max()!)
        let limit = bound.map { String(format: "%.2f ", $0) + verdict(isMet) } ?? "-"
        print(name.padding(toLength: 26, withPad: " ", startingAt: 0) + text + "   " + limit)
        return isMet
    }

    /// Prints the calls. The first player of a process starts the engine, so its bound is higher.
    private func reportCalls() async throws -> Bool {
        print("\ncalls of the public API on the main actor, with a file and with a server that never answers")
        print("call               calls  median ms  worst ms   bound")
        var isMet = true
        for line in try await output(of: "startup-player", ["--calls", clip.path()]).split(separator: "\n") {
            let fields = line.split(separator: " ")
            let (count, middle, worst) = (Double(fields[1])!, Double(fields[2])!, Double(fields[3])!)
            let bound = fields[0] == "first-init" ? 2.0 : 1.0
            isMet = worst <= bound && isMet
            print(
                fields[0].padding(toLength: 17, withPad: " ", startingAt: 0)
                    + String(format: "%7.0f %10.4f %9.4f   %.0f ms ", count, middle, worst, bound)
                    + verdict(worst <= bound))
        }
        return isMet
    }
}

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
let startup = Startup(runs: max(1, Int(numbers.first ?? 15)), seconds: numbers.dropFirst().first ?? 10)
await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) { try await startup.run() }
