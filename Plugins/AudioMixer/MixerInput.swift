import Foundation

/// The audio of one player on its way to the mixer.
///
/// The engine pushes blocks of samples with the times at which they are due. The mixer takes chunks at its own rate. An
/// input starts at the time of its first block, or at the frame after the last frame of its predecessor. After that its
/// frames follow each other without regard to their times. If no more frames come it waits again, and starts again at
/// the time of the next block. It ends with the last frame before `drain`.
///
/// An engine whose times are exact sets `keepsTime`. Such an input plays up to 0.2 % faster or slower until its frames are heard at
/// their times, so that audio and video stay together. It also waits where the times skip a part of the item.
///
/// Times are microseconds of the monotonic clock. The type is pure: the caller passes the time and the predecessor.
struct MixerInput {
    private enum State {
        case waiting
        case running
        /// The frame of the last chunk at which the input ended.
        case ended(at: Int)
    }

    /// The state of the input that is heard before this one.
    enum Predecessor: Equatable {
        case none
        case playing
        /// The predecessor ended at this frame of the chunk.
        case ended(at: Int)
    }

    /// Samples as the engine pushed them.
    private struct Block {
        let time: Int64
        var samples: [Int16]
        /// In hertz.
        let rate: Int
        /// The times of two blocks with the same number can be compared.
        let discontinuity: Int
        /// `true` if there is silence between the block before and this one.
        var followsSilence = false

        /// At the mixer's rate.
        var frameCount: Int { samples.count / AudioFormat.channels * AudioFormat.rate / rate }
    }

    /// The block that is being mixed, at the mixer's rate.
    private struct CurrentBlock {
        var time: Int64 = 0
        var samples: [Float] = []
        var discontinuity = 0
        /// The frames that were mixed already.
        var offset = 0

        var framesLeft: Int { samples.count / AudioFormat.channels - offset }
        var nextTime: Int64 { time + AudioFormat.microseconds(offset) }
    }

    /// Blocks that are further apart belong to different parts of the item. In microseconds.
    private static let longestStep: Int64 = 100_000
    /// If the server took no audio and the output is later than this, the input skips frames. In microseconds.
    private static let longestDelay: Int64 = 250_000
    /// The padding of two AAC packets, in frames.
    private static let longestPadding = 2048
    /// An input that keeps time corrects a larger deviation. In microseconds.
    private static let longestDeviation: Int64 = 10_000
    /// The largest correction is one of this number of frames.
    private static let correctedFrames = 500
    /// The input keeps no more for a server that takes no audio. In frames.
    private static let capacity = 30 * AudioFormat.rate
    /// Damaged files have lower rates, at which a block would fill the memory. In hertz.
    private static let lowestRate = 1000

    private var state = State.waiting
    private var current = CurrentBlock()
    private var blocks: [Block] = []
    private var resampler: AudioResampler?
    private var discontinuity = 0
    /// The end of the last block.
    private var endOfLast: Int64?

    /// The rate of the pushed samples, in hertz.
    private var rate = AudioFormat.rate
    /// The frames of priming that are still to come.
    private var primingLeft = 0
    /// The frames pushed since the start of the item. `nil` if they began elsewhere in the item.
    private var framesFromStart: Int? = 0

    /// The encoder's delay before the audio, in seconds. The engine counts it in its times, and the input drops it.
    var priming = 0.0
    /// The duration of the item, in seconds. Frames after it are padding.
    var duration: Double?
    /// `true` if the engine has pushed everything.
    private(set) var isDrained = false
    private(set) var hasBegun = false
    /// The difference between the time at which the input is heard and its due time, in microseconds.
    private(set) var delay: Int64 = 0
    /// The discontinuity in which `delay` was measured.
    private var delayDiscontinuity: Int?

    var isPaused: Bool {
        didSet {
            guard isPaused != oldValue else { return }
            // libVLC shifts the times of later blocks by the length of a pause, and not those of blocks that were
            // pushed before.
            discontinuity += 1
            (delayDiscontinuity, endOfLast) = (nil, nil)
        }
    }
    private let keepsTime: Bool
    /// How much later than due the next frame is heard, in microseconds. 0 if its time is not exact.
    private var deviation: Int64 = 0
    /// In `0...1`, on libVLC's cubic scale.
    var volume = 1.0
    var isMuted = false
    var fade: AudioFade?
    /// The gain of the last mixed frame.
    private var level: Float = 0

    init(isPaused: Bool = false, keepsTime: Bool = false) {
        self.isPaused = isPaused
        self.keepsTime = keepsTime
    }

    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// `true` if the input is or will soon be heard.
    var isActive: Bool {
        switch state {
        case .ended: false
        case .waiting: !isPaused && (nextTime != nil || isDrained)
        case .running: !isPaused || level > 0
        }
    }

    /// The state of this input for the one that follows it.
    var asPredecessor: Predecessor {
        if case .ended(let frame) = state { return .ended(at: frame) }
        return hasBegun || nextTime != nil ? .playing : .none
    }

    /// The frames that are still to be mixed.
    var frameCount: Int { blocks.reduce(current.framesLeft) { $0 + $1.frameCount } }

    /// The time at which the next frame is due.
    var nextTime: Int64? { current.framesLeft > 0 ? current.nextTime : blocks.first?.time }

    private var gain: Float {
        let volume = Float(volume)
        return isMuted ? 0 : volume * volume * volume
    }

    // MARK: Input

    /// Sets the rate of the samples that follow.
    mutating func begin(rate: Int) {
        if rate != self.rate, framesFromStart != 0 { framesFromStart = nil }
        self.rate = rate
        primingLeft = Int((priming * Double(rate)).rounded())
    }

    mutating func push(_ samples: [Int16], at time: Int64) {
        guard rate >= Self.lowestRate else { return }
        let skipped = min(primingLeft, samples.count / AudioFormat.channels)
        primingLeft -= skipped
        let time = time + Int64((Double(skipped) / Double(rate) - priming) * 1e6)
        let samples = skipped > 0 ? Array(samples.dropFirst(skipped * AudioFormat.channels)) : samples
        guard !samples.isEmpty, frameCount < Self.capacity else { return }
        if let endOfLast, abs(time - endOfLast) > Self.longestStep { discontinuity += 1 }
        let followsSilence = keepsTime && endOfLast.map { time - $0 > Self.longestStep } ?? false
        let block = Block(
            time: time, samples: samples, rate: rate, discontinuity: discontinuity, followsSilence: followsSilence)
        endOfLast = time + AudioFormat.microseconds(block.frameCount)
        framesFromStart = framesFromStart.map { $0 + samples.count / AudioFormat.channels }
        blocks.append(block)
        isDrained = false
        if hasEnded { state = .waiting }
    }

    /// Marks the end of the audio, and drops the padding that fills the encoder's last packet.
    mutating func drain() {
        isDrained = true
        guard let duration, let framesFromStart else { return }
        let padding = framesFromStart - Int((duration * Double(rate)).rounded())
        if padding > 0, padding <= Self.longestPadding { dropLast(padding) }
    }

    /// Drops frames of the last blocks, at the rate of the pushed samples.
    private mutating func dropLast(_ frames: Int) {
        var rest = frames * AudioFormat.channels
        while rest > 0, let last = blocks.indices.last {
            let dropped = min(rest, blocks[last].samples.count)
            rest -= dropped
            blocks[last].samples.removeLast(dropped)
            if blocks[last].samples.isEmpty { blocks.removeLast() }
        }
    }

    /// Drops everything. A flush after `drain` is libVLC's cleanup and has no effect.
    mutating func flush() {
        primingLeft = 0
        if !isDrained { discard() }
    }

    /// Drops everything, because the next block comes from elsewhere in the item.
    mutating func discard() {
        primingLeft = 0
        state = .waiting
        current = CurrentBlock()
        blocks = []
        resampler = nil
        isDrained = false
        endOfLast = nil
        framesFromStart = nil
        fade = nil
        level = 0
    }

    // MARK: Output

    /// Adds the next frames to a chunk.
    ///
    /// - Parameters:
    ///   - chunk: left and right samples.
    ///   - time: the time at which the first frame of the chunk is heard.
    ///   - overlaps: `true` if the input starts at its time although the predecessor is playing.
    /// - Returns: the frame at which the input ended, if it ended in this chunk.
    @discardableResult
    mutating func mix(
        into chunk: inout [Float], heardAt time: Int64, after predecessor: Predecessor, overlaps: Bool = false
    ) -> Int? {
        let frames = chunk.count / AudioFormat.channels
        let targetLevel = isPaused ? 0 : gain
        var frame = 0
        switch state {
        case .ended:
            state = .ended(at: 0)
            return nil
        case .waiting:
            guard !isPaused else { return nil }
            guard let nextTime else { return isDrained ? end(at: 0) : nil }
            switch predecessor {
            case .playing where !overlaps: return nil
            case .ended(let end) where !overlaps: frame = end
            default: frame = max(0, AudioFormat.frames(nextTime - time))
            }
            guard frame < frames else { return nil }
            state = .running
            hasBegun = true
            if !blocks.isEmpty { blocks[0].followsSilence = false }
            delayDiscontinuity = nil
            level = targetLevel
        case .running: if isPaused, level == 0 { return nil }
        }
        catchUp(to: time + AudioFormat.microseconds(frame))
        let step = (targetLevel - level) / Float(frames - frame)
        while frame < frames, loadBlock() {
            let block = current
            let count = min(frames - frame, block.framesLeft)
            for index in 0..<count {
                level += step
                let factor = level * (fade?.next() ?? 1)
                let source = (block.offset + index) * AudioFormat.channels
                let target = (frame + index) * AudioFormat.channels
                chunk[target] += block.samples[source] * factor
                chunk[target + 1] += block.samples[source + 1] * factor
            }
            frame += count
            current.offset += count
        }
        level = targetLevel
        guard frame < frames else { return nil }
        state = .waiting
        return isDrained ? end(at: frame) : nil
    }

    private mutating func end(at frame: Int) -> Int {
        state = .ended(at: frame)
        level = 0
        return frame
    }

    /// Skips frames if the output has become late since the start.
    private mutating func catchUp(to time: Int64) {
        guard let nextTime else { return }
        let late = time - nextTime
        let discontinuity = current.framesLeft > 0 ? current.discontinuity : blocks.first?.discontinuity
        // The times of blocks before the last pause are too early.
        let isExact = keepsTime && discontinuity == self.discontinuity
        deviation = isExact ? late : 0
        guard discontinuity == delayDiscontinuity || isExact else {
            delay = late
            delayDiscontinuity = discontinuity
            return
        }
        let missed = isExact ? late : late - delay
        if missed > Self.longestDelay { skip(AudioFormat.frames(missed)) }
    }

    private mutating func skip(_ frames: Int) {
        var rest = frames
        while rest > 0, loadBlock() {
            let count = min(rest, current.framesLeft)
            current.offset += count
            rest -= count
            while let first = blocks.first, first.frameCount <= rest {
                rest -= first.frameCount
                blocks.removeFirst()
            }
        }
    }

    /// Converts the next block if the current one is used up.
    ///
    /// - Returns: `false` if there are no more frames.
    private mutating func loadBlock() -> Bool {
        while current.framesLeft == 0 {
            if let next = blocks.first {
                if next.followsSilence { return false }
                convert(blocks.removeFirst())
            } else if isDrained, let rest = resampler?.finish() {
                resampler = nil
                current.time = current.nextTime
                current.samples = rest
                current.offset = 0
            } else {
                return false
            }
        }
        return true
    }

    private mutating func convert(_ block: Block) {
        var samples = block.samples.map { Float($0) / 32768 }
        if block.rate == AudioFormat.rate {
            resampler = nil
        } else {
            if resampler?.rate != block.rate { resampler = AudioResampler(from: block.rate) }
            samples = resampler?.process(samples) ?? []
        }
        correct(&samples)
        current = CurrentBlock(time: block.time, samples: samples, discontinuity: block.discontinuity)
    }
}

extension MixerInput {
    /// Shortens late audio a little, and lengthens early audio.
    private func correct(_ samples: inout [Float]) {
        let frames = samples.count / AudioFormat.channels
        guard abs(deviation) > Self.longestDeviation, frames >= Self.correctedFrames / 2 else { return }
        let change = max(1, frames / Self.correctedFrames)
        let count = deviation > 0 ? frames - change : frames + change
        let step = Double(frames - 1) / Double(count - 1)
        let source = samples
        samples = (0..<count).flatMap { frame in
            let position = Double(frame) * step
            let first = min(Int(position), frames - 2)
            let weight = Float(position - Double(first))
            return (0..<AudioFormat.channels).map { channel in
                let sample = first * AudioFormat.channels + channel
                return source[sample] + (source[sample + AudioFormat.channels] - source[sample]) * weight
            }
        }
    }
}

/// The gain of one of two inputs in a crossfade. Both together keep the same power.
struct AudioFade: Equatable {
    let isIn: Bool
    /// In frames.
    let length: Int
    private var position = 0

    init(isIn: Bool, seconds: Double) {
        self.isIn = isIn
        length = max(1, Int(seconds * Double(AudioFormat.rate)))
    }

    /// Returns the gain of the next frame, in `0...1`.
    mutating func next() -> Float {
        let progress = min(1, Double(position) / Double(length))
        position += 1
        return Float(isIn ? sin(.pi / 2 * progress) : cos(.pi / 2 * progress))
    }
}
