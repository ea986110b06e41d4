import BenchmarkSupport
import Foundation

/// The output of an audio server: the parts of each channel in which a tone is audible without a gap.
public struct Recording {
    public static let sampleRate = 48000

    /// A part without a gap. Times are in the recording, in seconds.
    public struct Stretch: Sendable {
        public let start: Double
        public let end: Double
        /// The position in the file minus the position in the recording, in seconds, within half a sweep.
        public let offsets: [(time: Double, offset: Double)]

        /// The offset at the start, and at the end.
        public var first: Double? { Self.median(offsets.prefix(Self.edge)) }
        public var last: Double? { Self.median(offsets.suffix(Self.edge)) }

        /// The largest change of the offset, in seconds: audio that is missing or repeated.
        public var greatestStep: Double {
            guard offsets.count >= 2 * Self.edge else { return 0 }
            let steps = (Self.edge...offsets.count - Self.edge).map { index in
                let before = Self.median(offsets[(index - Self.edge)..<index])!
                return abs(Recording.wrapped(Self.median(offsets[index..<index + Self.edge])! - before))
            }
            return steps.max() ?? 0
        }

        /// The number of measurements whose median is reliable.
        private static let edge = 12

        private static func median(_ values: ArraySlice<(time: Double, offset: Double)>) -> Double? {
            // Offsets wrap at the end of a sweep, so the median is taken relative to one of them.
            guard let reference = values.first?.offset else { return nil }
            let sorted = values.map { Recording.wrapped($0.offset - reference) }.sorted()
            return Recording.wrapped(reference + sorted[sorted.count / 2])
        }
    }

    public let left: [Stretch]
    public let right: [Stretch]

    /// Limits a difference to half a sweep in either direction.
    public static func wrapped(_ seconds: Double) -> Double {
        seconds - (seconds / Tone.sweep).rounded() * Tone.sweep
    }

    public init(_ samples: [Int16]) {
        left = Self.stretches(stride(from: 0, to: samples.count - 1, by: 2).map { Double(samples[$0]) / 32768 })
        right = Self.stretches(stride(from: 1, to: samples.count, by: 2).map { Double(samples[$0]) / 32768 })
    }

    /// The tone has at least 500 Hz, so a channel that is quiet for half a wave is silent.
    private static func stretches(_ samples: [Double]) -> [Stretch] {
        let (threshold, longestQuiet) = (0.05, 48)
        var bounds: [(start: Int, end: Int)] = []
        for (index, sample) in samples.enumerated() where abs(sample) > threshold {
            if let last = bounds.last, index - last.end <= longestQuiet {
                bounds[bounds.count - 1].end = index
            } else {
                bounds.append((index, index))
            }
        }
        return bounds.map { bound in
            Stretch(
                start: Double(bound.start) / Double(sampleRate), end: Double(bound.end + 1) / Double(sampleRate),
                offsets: offsets(samples[bound.start...bound.end]))
        }
    }

    private static let window = 1920
    private static let hop = 480

    private static func offsets(_ samples: ArraySlice<Double>) -> [(time: Double, offset: Double)] {
        let starts = stride(from: samples.startIndex, through: samples.endIndex - window, by: hop)
        return starts.compactMap { start in
            let time = Double(start + window / 2) / Double(sampleRate)
            guard let frequency = frequency(of: samples[start..<start + window]) else { return nil }
            let inSweep = (frequency - Tone.lowest) / Tone.climb
            // A window that contains the start of a sweep has no single pitch.
            let margin = Double(window) / Double(sampleRate)
            guard (margin...Tone.sweep - margin).contains(inSweep) else { return nil }
            return (time, wrapped(inSweep - time))
        }
    }

    /// The pitch in the middle of a window, in hertz. The zero crossings give an estimate. The change of the phase between
    /// the halves corrects it.
    private static func frequency(of samples: ArraySlice<Double>) -> Double? {
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        let rough = Double(crossings) * Double(sampleRate) / Double(samples.count)
        guard rough > 0 else { return nil }
        let half = samples.count / 2
        let first = phase(of: rough, in: samples.prefix(half))
        let second = phase(of: rough, in: samples.dropFirst(half))
        let turn = ((second - first) / (2 * .pi))
        return rough + (turn - turn.rounded()) * Double(sampleRate) / Double(half)
    }

    private static func phase(of frequency: Double, in samples: ArraySlice<Double>) -> Double {
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = step * Double(samples.startIndex + index)
            let weighted = sample * sin(.pi * (Double(index) + 0.5) / Double(samples.count))
            real += weighted * cos(angle)
            imaginary -= weighted * sin(angle)
        }
        return atan2(imaginary, real)
    }
}

extension Recording {
    /// The change from one player to the next.
    public struct Transition {
        public let time: Double
        /// The time in which neither player is audible, in seconds. Below 0: both are.
        public let gap: Double
        /// The audio that is missing, in seconds. Below 0: repeated.
        public let skipped: Double
    }

    /// The transitions of a recording in which successive players use different channels.
    public var transitions: [Transition] {
        let sides = (left.map { ($0, true) } + right.map { ($0, false) }).filter { $0.0.offsets.count > 20 }
            .sorted { $0.0.start < $1.0.start }
        return zip(sides, sides.dropFirst()).compactMap { before, after in
            guard before.1 != after.1, let last = before.0.last, let first = after.0.first else { return nil }
            let gap = after.0.start - before.0.end
            return Transition(
                time: after.0.start, gap: gap, skipped: Recording.wrapped(first - last) + gap)
        }
    }
}

/// Records the sink of an audio server.
@MainActor
public final class Recorder {
    private let recorder: RunningCommand
    private let file: URL

    public init(_ server: TestAudioServer, in folder: URL) async throws {
        let file = folder.appending(path: "\(UUID().uuidString).raw")
        var command = Command(
            "parec",
            [
                "-d", "ci.monitor", "--format=s16le", "--rate=\(Recording.sampleRate)", "--channels=2",
                "--latency-msec=50", file.path(),
            ])
        command.environment = ["PULSE_SERVER": server.address]
        recorder = try await command.start()
        self.file = file
        let records = await eventually { Self.size(of: file) > 0 }
        guard records else { throw Failure(description: "parec records nothing") }
    }

    public func finish() async throws -> Recording {
        let end = Self.size(of: file) + Recording.sampleRate
        _ = await eventually { Self.size(of: file) >= end }
        recorder.signal(SIGTERM)
        _ = try await recorder.result
        defer { try? FileManager.default.removeItem(at: file) }
        return try Data(contentsOf: file).withUnsafeBytes { Recording(Array($0.bindMemory(to: Int16.self))) }
    }

    private static func size(of file: URL) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file.path())[.size] as? Int) ?? 0
    }
}
