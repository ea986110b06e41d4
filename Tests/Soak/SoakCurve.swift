import Foundation
import TestSupport

/// How large the process was, from the beginning to the end.
struct SoakCurve {
    struct Sample {
        /// In seconds.
        let time: Double
        let size: ProcessSize
    }

    private(set) var samples: [Sample] = []

    /// Nothing may grow by more, from the second tenth to the last. Within the first minutes memory is still finding its
    /// level: plugins come in, and heaps of threads. A queue has twice the threads and descriptors of a single item.
    private var allowed: (megabytes: Double, threads: Double, descriptors: Double) {
        ((samples.last?.time ?? 0) < 240 ? 45 : 25, 25, 25)
    }

    mutating func add(_ size: ProcessSize, at time: Double) { samples.append(Sample(time: time, size: size)) }

    /// The middle one of a tenth, counted from 0.
    func median(tenth: Int, _ value: (ProcessSize) -> Double) -> Double {
        let width = samples.count / 10
        guard width > 0 else { return 0 }
        return samples[tenth * width..<(tenth + 1) * width].map { value($0.size) }.sorted()[width / 2]
    }

    private func growth(_ value: (ProcessSize) -> Double) -> Double {
        median(tenth: 9, value) - median(tenth: 1, value)
    }

    /// The values that grow after the first tenth.
    var complaints: [String] {
        [
            (growth(\.megabytes), allowed.megabytes, "MB"),
            (growth { Double($0.threads) }, allowed.threads, "threads"),
            (growth { Double($0.descriptors) }, allowed.descriptors, "descriptors"),
        ].compactMap { $0.0 > $0.1 ? String(format: "grew by %.1f ", $0.0) + $0.2 : nil }
    }

    var description: String {
        func text(_ tenth: Int) -> String {
            String(
                format: "%.1f MB, %.0f threads, %.0f descriptors", median(tenth: tenth, \.megabytes),
                median(tenth: tenth) { Double($0.threads) }, median(tenth: tenth) { Double($0.descriptors) })
        }
        return "second tenth: \(text(1)); middle: \(text(5)); last tenth: \(text(9))"
    }

    /// One line a sample.
    var table: String {
        let lines = samples.map {
            String(format: "%.1f,%.1f,%d,%d", $0.time, $0.size.megabytes, $0.size.threads, $0.size.descriptors)
        }
        return (["seconds,megabytes,threads,descriptors"] + lines).joined(separator: "\n") + "\n"
    }
}
