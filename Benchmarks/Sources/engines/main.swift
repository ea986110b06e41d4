// Measures all engines, and mpv as their peer, in one run. The first frame has a second peer, a C program over GStreamer.
// usage: engines [--update] [ROUNDS [SECONDS]]    5 rounds of 10 seconds by default
//          --update    write the table of Benchmarks/README.md
//        engines RUN ENGINE FILE...              one run, in its own process
import Foundation
import Measuring

#if GStreamer
let arguments = Array(CommandLine.arguments.dropFirst())

if let run = arguments.first.flatMap(Run.init) {
    guard arguments.count >= 3, let subject = Subject(rawValue: arguments[1]) else { exit(2) }
    let files = arguments.dropFirst(2).map { URL(filePath: $0) }
    let seconds = Double(arguments.last!) ?? 0
    let figures: @MainActor () async throws -> [Double] = {
        let (player, mpv) = (PlayerRun(subject: subject), MPVRun())
        let isMPV = subject == .mpv
        switch run {
        case .start: return [isMPV ? try await mpv.start(files[0]) : try await player.start(files[0])]
        case .play:
            return [
                isMPV
                    ? try await mpv.cpu(files[0], seconds: seconds) : try await player.cpu(files[0], seconds: seconds)
            ]
        case .seek: return isMPV ? try await mpv.seeks(files[0]) : try await player.seeks(files[0])
        case .crowd: return [isMPV ? try await mpv.crowd(files[0]) : try await player.crowd(files[0])]
        case .queue:
            if isMPV { try await mpv.queue(files) } else { try await player.queue(files) }
            return []
        }
    }
    await runBenchmark {
        print(try await figures().map { "\($0)" }.joined(separator: " "))
        return true
    }
}

await runBenchmark(
    needs: ["ffmpeg": "ffmpeg", "mpv": "mpv", "parec": "pulseaudio-utils", "pulseaudio": "pulseaudio"]
) {
    let numbers = arguments.compactMap(Double.init)
    let folder = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var comparison = Comparison(
        rounds: max(1, Int(numbers.first ?? 5)), seconds: numbers.dropFirst().first ?? 10, folder: folder)
    let (table, isMet) = try await comparison.run()
    print(table)
    if arguments.contains("--update") { try Figures.update(table) }
    return isMet
}
#else
await runBenchmark {
    throw Failure(description: "GStreamer is missing. Build with: --traits GStreamer")
}
#endif
