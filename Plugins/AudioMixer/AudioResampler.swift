import Foundation

/// Converts audio to the mixer's rate. The duration stays the same to the frame.
///
/// libVLC's default converter takes the nearest sample, and its better ones never deliver the last frames.
struct AudioResampler {
    /// The zero crossings of the filter on each side.
    private static let crossings = 16
    /// The positions between two frames for which the filter is computed.
    private static let phases = 256
    /// The passband as a fraction of the narrower band. The filter's slope lies above it.
    private static let passband = 0.95

    /// The rate of the incoming audio, in hertz.
    let rate: Int
    /// The incoming frames for each outgoing frame.
    private let step: Double
    private let halfWidth: Int
    private let filter: [Float]
    /// Incoming samples, from `halfWidth` frames before the next outgoing frame.
    private var buffer: [Float]
    /// The position of the next outgoing frame in the buffer, in frames.
    private var position: Double
    private var framesIn = 0
    private var framesOut = 0

    init(from rate: Int) {
        self.rate = rate
        step = Double(rate) / Double(AudioFormat.rate)
        let cutoff = min(1, 1 / step) * Self.passband
        halfWidth = Int((Double(Self.crossings) / min(1, 1 / step)).rounded(.up))
        filter = Self.filter(cutoff: cutoff, halfWidth: halfWidth)
        buffer = [Float](repeating: 0, count: halfWidth * AudioFormat.channels)
        position = Double(halfWidth)
    }

    /// One row for each phase, and one more for the interpolation after the last phase.
    private static func filter(cutoff: Double, halfWidth: Int) -> [Float] {
        (0...phases).flatMap { phase in
            let row = (0..<2 * halfWidth).map { tap in
                let distance = Double(tap - halfWidth + 1) - Double(phase) / Double(phases)
                let angle = Double.pi * distance / Double(halfWidth)
                let window = abs(distance) < Double(halfWidth) ? 0.42 + 0.5 * cos(angle) + 0.08 * cos(2 * angle) : 0
                let argument = Double.pi * cutoff * distance
                return (argument == 0 ? 1 : sin(argument) / argument) * window
            }
            let sum = row.reduce(0, +)
            return row.map { Float($0 / sum) }
        }
    }

    mutating func process(_ samples: [Float]) -> [Float] {
        framesIn += samples.count / AudioFormat.channels
        return convert(samples)
    }

    /// Returns the remaining frames after the last call of `process`.
    mutating func finish() -> [Float] {
        let missing = max(0, Int((Double(framesIn) / step).rounded()) - framesOut)
        let silence = [Float](repeating: 0, count: (halfWidth + Int(step.rounded(.up))) * AudioFormat.channels)
        let rest = convert(silence)
        return Array(rest.prefix(missing * AudioFormat.channels))
    }

    private mutating func convert(_ samples: [Float]) -> [Float] {
        buffer += samples
        var result: [Float] = []
        let frames = buffer.count / AudioFormat.channels
        let taps = 2 * halfWidth
        while Int(position) + halfWidth < frames {
            let place = Int(position)
            let phase = (position - Double(place)) * Double(Self.phases)
            let row = Int(phase) * taps
            let weight = Float(phase - phase.rounded(.down))
            let first = (place - halfWidth + 1) * AudioFormat.channels
            var (left, right): (Float, Float) = (0, 0)
            for tap in 0..<taps {
                let factor = filter[row + tap] + (filter[row + taps + tap] - filter[row + tap]) * weight
                left += buffer[first + 2 * tap] * factor
                right += buffer[first + 2 * tap + 1] * factor
            }
            result.append(left)
            result.append(right)
            position += step
        }
        let used = max(0, min(Int(position) - halfWidth, frames))
        buffer.removeFirst(used * AudioFormat.channels)
        position -= Double(used)
        framesOut += result.count / AudioFormat.channels
        return result
    }
}
