/// The sound of one player on its way to the mixer: what has come, when it is to begin, how loud it is and when it is over.
///
/// Times are in microseconds of libVLC's clock. Pure: the clock and what comes before it are given.
package struct MixerInput {
    /// What it waits for before its first sound.
    package enum Lead: Equatable {
        /// Nothing but its own time.
        case none
        /// Another voice, which is heard.
        case sounding
        /// Another voice that was over at this frame of the chunk.
        case over(Int)
    }

    private struct Block {
        package let time: Int64
        package let samples: [Float]
        /// Times of blocks of one stretch can be compared.
        package let stretch: Int
    }

    /// In microseconds: blocks that are so far apart do not belong together.
    private static let longestStep: Int64 = 100_000
    /// In microseconds: what comes out so much too late, since the server took nothing, is made up for.
    private static let longestDelay: Int64 = 250_000
    /// In frames: two packets of AAC.
    private static let longestPadding = 2048
    /// In frames: more is not kept for a server that takes nothing.
    private static let capacity = 30 * AudioFormat.rate

    private var blocks: [Block] = []
    /// Frames of the first block that are gone.
    private var offset = 0
    package private(set) var frameCount = 0
    private var stretch = 0
    /// When what comes next is expected to be heard.
    package private(set) var endOfLast: Int64?
    /// Frames that have come from the start of the medium; `nil` if it is not known where it began.
    private var framesFromStart: Int? = 0
    /// In frames: how long the medium is.
    package var length: Int?
    /// Whether the player has handed out everything.
    package private(set) var isDrained = false
    /// Whether it has begun, so that frames follow each other without regard to their times.
    private var isRunning = false
    package private(set) var hasBegun = false
    package private(set) var isOver = false
    /// The frame of the chunk mixed last at which it was over.
    package private(set) var endFrame: Int?
    /// By how much it is heard after its time, in microseconds, and of which stretch that is true.
    package private(set) var delay: Int64 = 0
    private var delayStretch: Int?

    package var isHeld: Bool {
        didSet {
            guard isHeld != oldValue else { return }
            // libVLC puts off what comes after a pause by its length, but not what has come already.
            stretch += 1
            delayStretch = nil
        }
    }
    /// In `0...1`, as libVLC understands it.
    package var volume = 1.0
    package var isMuted = false
    package var fade: AudioFade?
    /// What was applied last.
    private var level: Float = 0

    package init(isHeld: Bool = false) { self.isHeld = isHeld }

    /// Whether there is something to be heard, now or soon.
    package var isActive: Bool { !isOver && (isHeld ? level > 0 : isRunning || frameCount > 0 || isDrained) }

    private var gain: Float {
        let volume = Float(volume)
        return isMuted ? 0 : volume * volume * volume
    }

    /// The time of what comes next.
    package var nextTime: Int64? { blocks.first.map { $0.time + AudioFormat.microseconds(offset) } }

    // MARK: What comes

    package mutating func push(_ samples: [Float], at time: Int64) {
        guard frameCount < Self.capacity, !samples.isEmpty else { return }
        if let endOfLast, abs(time - endOfLast) > Self.longestStep { stretch += 1 }
        let frames = samples.count / AudioFormat.channels
        endOfLast = time + AudioFormat.microseconds(frames)
        isDrained = false
        isOver = false
        blocks.append(Block(time: time, samples: samples, stretch: stretch))
        frameCount += frames
        framesFromStart = framesFromStart.map { $0 + frames }
    }

    /// Everything has come. What an encoder has put behind the end to fill its last packet is not to be heard.
    package mutating func drain() {
        isDrained = true
        guard let length, let framesFromStart else { return }
        let padding = framesFromStart - length
        if padding > 0, padding <= Self.longestPadding { cut(padding) }
    }

    private mutating func cut(_ frames: Int) {
        var rest = min(frames, frameCount)
        frameCount -= rest
        while rest > 0, let last = blocks.popLast() {
            // What is gone of the first one is not there to be cut.
            let gone = blocks.isEmpty ? offset : 0
            let left = last.samples.count / AudioFormat.channels - gone
            guard rest < left else {
                rest -= left
                continue
            }
            let samples = Array(last.samples.dropLast(rest * AudioFormat.channels))
            blocks.append(Block(time: last.time, samples: samples, stretch: last.stretch))
            return
        }
        if blocks.isEmpty { offset = 0 }
    }

    /// What has come is not to be heard; not after `drain`, when libVLC only clears up.
    package mutating func flush() { if !isDrained { discard() } }

    /// Whatever comes next is from elsewhere in the medium.
    package mutating func discard() {
        blocks = []
        (offset, frameCount) = (0, 0)
        (isDrained, isRunning, isOver) = (false, false, false)
        (endOfLast, framesFromStart) = (nil, nil)
        fade = nil
        level = 0
    }

    // MARK: What goes

    /// Adds its part to a chunk.
    ///
    /// - Parameters:
    ///   - chunk: a multiple of two samples, left and right.
    ///   - time: when its first frame is heard.
    ///   - overlaps: whether it begins at its time, though the other is heard.
    package mutating func mix(into chunk: inout [Float], heardAt time: Int64, after lead: Lead, overlaps: Bool = false)
    {
        endFrame = nil
        let frames = chunk.count / AudioFormat.channels
        guard !isOver, !(isHeld && (level == 0 || !isRunning)) else { return }
        let target = isHeld ? 0 : gain
        var frame = 0
        if !isRunning {
            guard let start = start(frames, heardAt: time, after: lead, overlaps: overlaps) else { return }
            frame = start
            isRunning = true
            hasBegun = true
            level = target
        }
        catchUp(time + AudioFormat.microseconds(frame))
        let step = (target - level) / Float(frames - frame)
        while frame < frames, let block = blocks.first {
            let count = min(frames - frame, block.samples.count / AudioFormat.channels - offset)
            for index in 0..<count {
                level += step
                let factor = level * (fade?.next() ?? 1)
                let (from, to) = ((offset + index) * AudioFormat.channels, (frame + index) * AudioFormat.channels)
                chunk[to] += block.samples[from] * factor
                chunk[to + 1] += block.samples[from + 1] * factor
            }
            frame += count
            drop(count)
        }
        level = target
        guard frame < frames else { return }
        isRunning = false
        if isDrained { finish(at: frame) }
    }

    private mutating func start(_ frames: Int, heardAt time: Int64, after lead: Lead, overlaps: Bool) -> Int? {
        guard let nextTime else {
            if isDrained { finish(at: 0) }
            return nil
        }
        let start: Int
        switch lead {
        case .sounding where !overlaps: return nil
        case .over(let frame) where !overlaps: start = frame
        default: start = max(0, AudioFormat.frames(nextTime - time))
        }
        guard start < frames else { return nil }
        delayStretch = nil
        return start
    }

    private mutating func finish(at frame: Int) {
        isOver = true
        endFrame = frame
        level = 0
    }

    /// Leaves out what should have been heard long ago.
    private mutating func catchUp(_ time: Int64) {
        guard let first = blocks.first, let nextTime else { return }
        let late = time - nextTime
        guard first.stretch == delayStretch else {
            (delay, delayStretch) = (late, first.stretch)
            return
        }
        guard late - delay > Self.longestDelay else { return }
        drop(AudioFormat.frames(late - delay))
    }

    private mutating func drop(_ frames: Int) {
        var rest = min(frames, frameCount)
        frameCount -= rest
        while rest > 0, let first = blocks.first {
            let left = first.samples.count / AudioFormat.channels - offset
            if rest < left {
                offset += rest
                return
            }
            rest -= left
            offset = 0
            blocks.removeFirst()
        }
    }
}
