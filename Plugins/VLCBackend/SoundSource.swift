import Synchronization

/// Where a player puts its sound, and the mixer takes it from.
final class SoundSource: Sendable {
    private struct State {
        var voice: SoundVoice
        /// `nil` if what comes has the mixer's rate already.
        var resampler: SoundResampler?
        /// In hertz.
        var rate = SoundFormat.rate
        var lead: SoundSource?
        /// In seconds.
        var crossfade = 0.0
        var isRemoved = false
        /// In seconds: what comes first and is not to be heard, though libVLC counts it.
        var priming = 0.0
        /// In frames as they come: how much of that is still to come.
        var primingLeft = 0

        mutating func restartResampler() {
            resampler = rate == SoundFormat.rate ? nil : SoundResampler(from: rate)
        }

        /// How many of the frames that have come are priming, and when the next one is to be heard.
        mutating func skipPriming(_ frames: Int, at time: Int64) -> (skipped: Int, time: Int64) {
            let skipped = min(primingLeft, frames)
            primingLeft -= skipped
            return (skipped, time + Int64((Double(skipped) / Double(rate) - priming) * 1e6))
        }
    }

    /// In seconds, of a length: libVLC tells whole milliseconds, cut off.
    private static let precision = 0.001

    private let state: Mutex<State>
    private let wake: @Sendable () -> Void
    private let isOver: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - wake: called when there is something to be heard.
    ///   - isOver: called when everything has gone to the output, with the seconds after which it is heard.
    init(isHeld: Bool, wake: @escaping @Sendable () -> Void, isOver: @escaping @Sendable (Double) -> Void) {
        state = Mutex(State(voice: SoundVoice(isHeld: isHeld)))
        self.wake = wake
        self.isOver = isOver
    }

    // MARK: The player's side

    /// - Parameter rate: of what comes from now on, in hertz.
    func begin(rate: Int) {
        state.withLock {
            $0.rate = rate
            $0.primingLeft = Int(($0.priming * Double(rate)).rounded())
            $0.restartResampler()
        }
    }

    func push(_ samples: UnsafeBufferPointer<Int16>, at time: Int64) {
        let (skipped, time) = state.withLock { $0.skipPriming(samples.count / SoundFormat.channels, at: time) }
        let heard = UnsafeBufferPointer(rebasing: samples.dropFirst(skipped * SoundFormat.channels))
        let samples = heard.map { Float($0) / 32768 }
        let wakes = state.withLock {
            let wasActive = $0.voice.isActive
            if $0.resampler == nil {
                $0.voice.push(samples, at: time)
            } else if let resampled = $0.resampler?.process(samples) {
                $0.voice.push(resampled, at: time)
            }
            return !wasActive && $0.voice.isActive
        }
        if wakes { wake() }
    }

    func drain() {
        state.withLock {
            if let rest = $0.resampler?.finish() { $0.voice.push(rest, at: $0.voice.endOfLast ?? 0) }
            $0.restartResampler()
            $0.voice.drain()
        }
        wake()
    }

    func flush() {
        state.withLock {
            $0.restartResampler()
            $0.primingLeft = 0
            $0.voice.flush()
        }
    }

    // MARK: The worker's side

    /// What comes is from the start of a medium of so many seconds, so that what comes after these is padding.
    func setLength(_ seconds: Double) {
        let frames = Int((seconds + Self.precision) * Double(SoundFormat.rate))
        state.withLock { if $0.voice.length == nil { $0.voice.length = frames } }
    }

    /// What comes is from the start of a medium, with what its encoder has put around the sound. To be said before it comes.
    func trim(_ priming: MP4Priming) {
        state.withLock {
            $0.priming = priming.lead
            $0.voice.length = Int((priming.length * Double(SoundFormat.rate)).rounded())
        }
    }

    /// The player is sent elsewhere, after it has handed out everything.
    func leaveEnd() { state.withLock { if $0.voice.isDrained { $0.voice.discard() } } }

    func setHeld(_ isHeld: Bool) {
        let changes = state.withLock {
            let changes = $0.voice.isHeld != isHeld
            $0.voice.isHeld = isHeld
            return changes
        }
        if changes, !isHeld { wake() }
    }

    func setVolume(_ volume: Double) { state.withLock { $0.voice.volume = min(max(volume, 0), 1) } }

    func setMuted(_ isMuted: Bool) { state.withLock { $0.voice.isMuted = isMuted } }

    /// It is heard as soon as the other one is over, or, so many seconds before that, together with it.
    func follow(_ lead: SoundSource?, crossfade: Double) {
        state.withLock {
            guard !$0.voice.hasBegun else { return }
            ($0.lead, $0.crossfade) = (lead, crossfade)
        }
    }

    /// It is not heard any more.
    func remove() {
        state.withLock {
            $0.isRemoved = true
            $0.lead = nil
        }
    }

    var hasBegun: Bool { state.withLock { $0.voice.hasBegun } }

    var isFinished: Bool { state.withLock { $0.voice.isOver } }

    /// By how much it is heard after its time, in seconds; `nil` before it has begun.
    var delay: Double? { state.withLock { $0.voice.hasBegun ? Double($0.voice.delay) / 1e6 : nil } }

    /// When what comes next ought to be heard, by libVLC's clock; `nil` if nothing has come.
    var nextTime: Int64? { state.withLock { $0.voice.nextTime } }

    /// In seconds: how much is still to go to the output; `nil` as long as there may come more.
    var secondsLeft: Double? {
        state.withLock { $0.voice.isDrained ? SoundFormat.seconds($0.voice.frameCount) : nil }
    }

    // MARK: The mixer's side

    var isActive: Bool { state.withLock { !$0.isRemoved && $0.voice.isActive } }

    var hasLead: Bool { state.withLock { $0.lead != nil } }

    /// - Parameter latency: in microseconds, from now until the chunk is heard.
    func mix(into chunk: inout [Float], at now: Int64, latency: Int64) {
        let (lead, crossfade) = state.withLock { ($0.lead, $0.crossfade) }
        let position = lead?.position ?? .none
        var (begins, endFrame): (Bool, Int?) = (false, nil)
        // An inout parameter cannot go into the closure.
        var mixed = chunk
        state.withLock {
            guard !$0.isRemoved else { return }
            let had = $0.voice.hasBegun
            if !had, crossfade > 0, lead != nil, $0.voice.fade == nil {
                $0.voice.fade = SoundFade(isIn: true, seconds: crossfade)
            }
            $0.voice.mix(into: &mixed, heardAt: now + latency, after: position, overlaps: crossfade > 0)
            endFrame = $0.voice.endFrame
            guard !had, $0.voice.hasBegun else { return }
            begins = true
            $0.lead = nil
        }
        chunk = mixed
        if begins, crossfade > 0 { lead?.fadeOut(crossfade) }
        if let endFrame { isOver(Double(latency) / 1e6 + SoundFormat.seconds(endFrame)) }
    }

    private var position: SoundVoice.Lead {
        state.withLock {
            if $0.voice.isOver { return .over($0.voice.endFrame ?? 0) }
            return $0.isRemoved || !$0.voice.hasBegun && $0.voice.frameCount == 0 ? .none : .sounding
        }
    }

    private func fadeOut(_ seconds: Double) {
        state.withLock { $0.voice.fade = SoundFade(isIn: false, seconds: seconds) }
    }
}
