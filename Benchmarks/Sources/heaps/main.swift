// Measures the cost of the heap limit for a host with many busy threads.
// usage: heaps [RUNS], 15 by default
import Foundation
import Measuring

let cores = max(2, ProcessInfo.processInfo.processorCount)

/// The work of one thread: it allocates and frees blocks of 16 bytes to 16 kB, and holds a thousand.
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

/// Does the work on all threads and returns how long it took, in seconds.
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
    let text = try await output(of: "heaps", ["--work"], environment: ["MALLOC_ARENA_MAX": "\(heaps)"])
    guard let seconds = Double(text.trimmingCharacters(in: .newlines)) else {
        throw Failure(description: "the work printed: \(text)")
    }
    return seconds
}

@MainActor
func compare(runs: Int) async throws -> Bool {
    var pairs: [(few: Double, many: Double)] = []
    for number in 1...runs {
        say("run \(number) of \(runs)")
        pairs.append((try await seconds(heaps: cores), try await seconds(heaps: 8 * cores)))
    }
    let ratios = pairs.map { $0.few / $0.many }
    print("\(4 * cores) threads, two million blocks each; medians of \(runs) runs")
    print(
        String(
            format: "%d heaps: %.2f s, %d heaps: %.2f s, ratio %.3f (%.3f to %.3f)", cores, median(pairs.map(\.few)),
            8 * cores, median(pairs.map(\.many)), median(ratios), ratios.min()!, ratios.max()!))
    return true
}

let argument = CommandLine.arguments.dropFirst().first
if argument == "--work" {
    print(workOnAllThreads(4 * cores))
} else {
    await runBenchmark { try await compare(runs: max(1, argument.flatMap(Int.init) ?? 15)) }
}
