// Measures what it costs a host with many busy threads that the C library has no more heaps than the machine has cores, turn by turn.
// usage: heaps [RUNS], 15 by default
import Foundation
import Subprocess
import SystemPackage

let cores = max(2, ProcessInfo.processInfo.processorCount)

/// What a thread of such a host does all the time: it takes and gives back blocks of 16 bytes to 16 kB, a thousand at once.
func work(_ seed: UInt64) {
    var state = seed
    func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
    var blocks = [UnsafeMutableRawPointer?](repeating: nil, count: 1000)
    for _ in 0..<2_000_000 {
        let index = Int(next() % 1000)
        free(blocks[index])
        let size = 16 << Int(next() % 11)
        blocks[index] = malloc(size)
        blocks[index]?.storeBytes(of: 1, as: UInt8.self)
    }
    for block in blocks { free(block) }
}

/// Seconds for the work of all threads.
func workOnAllThreads(_ count: Int) -> Double {
    let group = DispatchGroup()
    let start = ContinuousClock.now
    for number in 1...count {
        group.enter()
        Thread {
            work(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            group.leave()
        }.start()
    }
    group.wait()
    return (ContinuousClock.now - start) / .seconds(1)
}

func seconds(heaps: Int) async throws -> Double {
    let environment = Environment.inherit.updating(["MALLOC_ARENA_MAX": "\(heaps)"])
    let result = try await run(
        .path(FilePath(CommandLine.arguments[0])), arguments: ["--work"], environment: environment, input: .none,
        output: .string(limit: 1000), error: .discarded)
    guard let seconds = Double(result.standardOutput.trimmingCharacters(in: .newlines)) else {
        print("the work failed: \(result.terminationStatus)")
        exit(1)
    }
    return seconds
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

if CommandLine.arguments.dropFirst().first == "--work" {
    print(workOnAllThreads(4 * cores))
} else {
    let runs = max(1, CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 15)
    var pairs: [(few: Double, many: Double)] = []
    for number in 1...runs {
        FileHandle.standardError.write(Data("\rrun \(number) of \(runs) ".utf8))
        pairs.append((try await seconds(heaps: cores), try await seconds(heaps: 8 * cores)))
    }
    FileHandle.standardError.write(Data("\n".utf8))
    let ratios = pairs.map { $0.few / $0.many }
    print("\(4 * cores) threads, each of two million blocks; medians of \(runs) runs")
    print(
        String(
            format: "%d heaps: %.2f s, %d heaps: %.2f s, ratio %.3f (%.3f to %.3f)", cores, median(pairs.map(\.few)),
            8 * cores, median(pairs.map(\.many)), median(ratios), ratios.min()!, ratios.max()!))
}
