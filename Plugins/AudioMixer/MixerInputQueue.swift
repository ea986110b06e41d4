import Synchronization

/// Where a player puts its sound, and the mixer takes it from.
package final class MixerInputQueue: Sendable {
    private struct State {
        package var voice: MixerInput
        /// `nil` if what comes has the mixer's rate already.
        package var resampler: AudioResampler?
        /// In hertz.
        package var rate = AudioFormat.rate
        package var lead: MixerInputQueue?
        /// In seconds.
        package var crossfade = 0.0
        package var isRemoved = false
        /// In seconds: what comes first and is not to be heard, though libVLC counts it.
        package var priming = 0.0
        /// In frames as they come: how much of that is still to come.
        package var primingLeft = 0

        package mutating func restartResampler() {
            resampler = rate == AudioFormat.rate ? nil : AudioResampler(from: rate)
        }

        /// How many of the frames that have come are priming, and when the next one is to be heard.
        package mutating func skipPriming(_ frames: Int, at time: Int64) -> (skipped: Int, time: Int64) {
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
    package init(isHeld: Bool, wake: @escaping @Sendable () -> Void, isOver: @escaping @Sendable (Double) -> Void) {
        state = Mutex(State(voice: MixerInput(isHeld: isHeld)))
        self.wake = wake
        self.isOver = isOver
    }

    // MARK: The player's side

    /// - Parameter rate: of what comes from now on, in hertz.
    package func begin(rate: Int) {
        state.withLock {
            $0.rate = rate
            $0.primingLeft = Int(($0.priming * Double(rate)).rounded())
            $0.restartResampler()
        }
    }

    package func push(_ samples: UnsafeBufferPointer<Int16>, at time: Int64) {
        let (skipped, time) = state.withLock { $0.skipPriming(samples.count / AudioFormat.channels, at: time) }
        let heard = UnsafeBufferPointer(rebasing: samples.dropFirst(skipped * AudioFormat.channels))
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

    package func drain() {
        state.withLock {
            if let rest = $0.resampler?.finish() { $0.voice.push(rest, at: $0.voice.endOfLast ?? 0) }
            $0.restartResampler()
            $0.voice.drain()
        }
        wake()
    }

    package func flush() {
        state.withLock {
            $0.restartResampler()
            $0.primingLeft = 0
            $0.voice.flush()
        }
    }

    // MARK: The worker's side

    /// What comes is from the start of a medium of so many seconds, so that what comes after these is padding.
    package func setLength(_ seconds: Double) {
        let frames = Int((seconds + Self.precision) * Double(AudioFormat.rate))
        state.withLock { if $0.voice.length == nil { $0.voice.length = frames } }
    }

    /// Drops the encoder's padding around the audio. Call it before the first samples.
    ///
    /// - Parameters:
    ///   - lead: in seconds, how much to drop at the start.
    ///   - length: in seconds, how much audio follows; the rest is padding.
    package func trim(lead: Double, length: Double) {
        state.withLock {
            $0.priming = lead
            $0.voice.length = Int((length * Double(AudioFormat.rate)).rounded())
        }
    }

    /// The player is sent elsewhere, after it has handed out everything.
    package func leaveEnd() { state.withLock { if $0.voice.isDrained { $0.voice.discard() } } }

    package func setHeld(_ isHeld: Bool) {
        let changes = state.withLock {
            let changes = $0.voice.isHeld != isHeld
            $0.voice.isHeld = isHeld
            return changes
        }
        if changes, !isHeld { wake() }
    }

    package func setVolume(_ volume: Double) { state.withLock { $0.voice.volume = min(max(volume, 0), 1) } }

    package func setMuted(_ isMuted: Bool) { state.withLock { $0.voice.isMuted = isMuted } }

    /// It is heard as soon as the other one is over, or, so many seconds before that, together with it.
    package func follow(_ lead: MixerInputQueue?, crossfade: Double) {
        state.withLock {
            guard !$0.voice.hasBegun else { return }
            ($0.lead, $0.crossfade) = (lead, crossfade)
        }
    }

    /// It is not heard any more.
    package func remove() {
        state.withLock {
            $0.isRemoved = true
            $0.lead = nil
        }
    }

    package var hasBegun: Bool { state.withLock { $0.voice.hasBegun } }

    package var isFinished: Bool { state.withLock { $0.voice.isOver } }

    /// By how much it is heard after its time, in seconds; `nil` before it has begun.
    package var delay: Double? { state.withLock { $0.voice.hasBegun ? Double($0.voice.delay) / 1e6 : nil } }

    /// When what comes next ought to be heard, by libVLC's clock; `nil` if nothing has come.
    package var nextTime: Int64? { state.withLock { $0.voice.nextTime } }

    /// In seconds: how much is still to go to the output; `nil` as long as there may come more.
    package var secondsLeft: Double? {
        state.withLock { $0.voice.isDrained ? AudioFormat.seconds($0.voice.frameCount) : nil }
    }

    // MARK: The mixer's side

    package var isActive: Bool { state.withLock { !$0.isRemoved && $0.voice.isActive } }

    package var hasLead: Bool { state.withLock { $0.lead != nil } }

    /// - Parameter latency: in microseconds, from now until the chunk is heard.
    package func mix(into chunk: inout [Float], at now: Int64, latency: Int64) {
        let (lead, crossfade) = state.withLock { ($0.lead, $0.crossfade) }
        let position = lead?.position ?? .none
        var (begins, endFrame): (Bool, Int?) = (false, nil)
        // An inout parameter cannot go into the closure.
        var mixed = chunk
        state.withLock {
            guard !$0.isRemoved else { return }
            let had = $0.voice.hasBegun
            if !had, crossfade > 0, lead != nil, $0.voice.fade == nil {
                $0.voice.fade = AudioFade(isIn: true, seconds: crossfade)
            }
            $0.voice.mix(into: &mixed, heardAt: now + latency, after: position, overlaps: crossfade > 0)
            endFrame = $0.voice.endFrame
            guard !had, $0.voice.hasBegun else { return }
            begins = true
            $0.lead = nil
        }
        chunk = mixed
        if begins, crossfade > 0 { lead?.fadeOut(crossfade) }
        if let endFrame { isOver(Double(latency) / 1e6 + AudioFormat.seconds(endFrame)) }
    }

    private var position: MixerInput.Lead {
        state.withLock {
            if $0.voice.isOver { return .over($0.voice.endFrame ?? 0) }
            return $0.isRemoved || !$0.voice.hasBegun && $0.voice.frameCount == 0 ? .none : .sounding
        }
    }

    private func fadeOut(_ seconds: Double) {
        state.withLock { $0.voice.fade = AudioFade(isIn: false, seconds: seconds) }
    }
}
