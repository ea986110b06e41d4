// Measures the cost of an engine in another process, and how playback continues after a crash of that process.
// usage: isolation [ROUNDS [SECONDS]]                  the cost; 7 rounds of 10 seconds by default
//        isolation crashes [COUNT [SEED [KIND...]]]    the crashes; 100 of each kind by default
//        isolation start PLACE FILE, isolation play PLACE FILE SECONDS
//                                                      one run of the cost, in its own process
import Foundation
import Measuring

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.compactMap(Double.init)

switch arguments.first {
case "start":
    guard arguments.count == 3, let place = Place(rawValue: CommandLine.arguments[2]) else { exit(2) }
    await runBenchmark {
        let (first, next) = try await place.start(URL(filePath: CommandLine.arguments[3]))
        print(first, next)
        return true
    }
case "play":
    guard arguments.count == 4, let place = Place(rawValue: CommandLine.arguments[2]), let seconds = numbers.last else {
        exit(2)
    }
    await runBenchmark {
        print(try await place.play(URL(filePath: CommandLine.arguments[3]), seconds: seconds))
        return true
    }
case "crashes":
    let kinds = CrashKind.allCases.filter { arguments.contains($0.rawValue) }
    let crashes = Crashes(
        count: max(1, Int(numbers.first ?? 100)), seed: UInt64(numbers.dropFirst().first ?? 1),
        kinds: kinds.isEmpty ? CrashKind.allCases : kinds)
    await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) { try await crashes.run() }
default:
    let cost = Cost(rounds: max(1, Int(numbers.first ?? 7)), seconds: numbers.dropFirst().first ?? 10)
    await runBenchmark(needs: ["ffmpeg": "ffmpeg"]) { try await cost.run() }
}
