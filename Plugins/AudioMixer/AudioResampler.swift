import Foundation

/// Brings sound to the mixer's rate, to the frame: so many seconds that go in come out.
///
/// libVLC's own converter takes the nearest sample, and its better ones keep the end of the sound to themselves.
package struct AudioResampler {
    /// Zero crossings of the filter on each side, and places between two frames for which it is worked out.
    private static let (crossings, phases) = (16, 256)
    /// Of the lower one of the two bands: what is above it is the filter's slope.
    private static let passband = 0.95

    /// Frames that come in for each one that goes out.
    private let step: Double
    private let halfWidth: Int
    private let filter: [Float]
    /// Left and right, as they came, from `halfWidth` frames before the next one.
    private var buffer: [Float]
    /// Of the next frame, in frames of the buffer.
    private var position: Double
    private var (framesIn, framesOut) = (0, 0)

    /// - Parameter rate: what comes in, in hertz.
    package init(from rate: Int) {
        step = Double(rate) / Double(AudioFormat.rate)
        let cutoff = min(1, 1 / step) * Self.passband
        halfWidth = Int((Double(Self.crossings) / min(1, 1 / step)).rounded(.up))
        filter = Self.filter(cutoff: cutoff, halfWidth: halfWidth)
        buffer = [Float](repeating: 0, count: halfWidth * AudioFormat.channels)
        position = Double(halfWidth)
    }

    /// One row for each phase, and one more to go towards from the last.
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

    package mutating func process(_ samples: [Float]) -> [Float] {
        framesIn += samples.count / AudioFormat.channels
        return convert(samples)
    }

    /// What is left when nothing more comes.
    package mutating func finish() -> [Float] {
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
            let (row, towards) = (Int(phase) * taps, Float(phase - phase.rounded(.down)))
            var (left, right): (Float, Float) = (0, 0)
            let first = (place - halfWidth + 1) * AudioFormat.channels
            for tap in 0..<taps {
                let factor = filter[row + tap] + (filter[row + taps + tap] - filter[row + tap]) * towards
                left += buffer[first + 2 * tap] * factor
                right += buffer[first + 2 * tap + 1] * factor
            }
            result.append(left)
            result.append(right)
            position += step
        }
        let gone = max(0, min(Int(position) - halfWidth, frames))
        buffer.removeFirst(gone * AudioFormat.channels)
        position -= Double(gone)
        framesOut += result.count / AudioFormat.channels
        return result
    }
}
