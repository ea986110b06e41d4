/// The engine's end of a mixer input.
///
/// The engine calls `begin`, `push`, `drain`, `flush` and `discard` from one thread at a time, its audio thread. They copy into a
/// ring of fixed capacity, take no lock and allocate nothing. The other members take the mixer's lock. The engine calls
/// them from any other thread.
package final class MixerInputQueue: Sendable {
    /// Engines report durations in whole milliseconds, rounded down.
    private static let durationPrecision = 0.001

    let id: Int
    private let ring: AudioRing
    private let mixer: Mixer

    init(id: Int, ring: AudioRing, mixer: Mixer) {
        self.id = id
        self.ring = ring
        self.mixer = mixer
    }

    // MARK: The engine's audio thread

    /// Sets the rate of the samples that follow, in hertz.
    package func begin(rate: Int) { ring.send(.begin(rate: rate)) }

    /// Copies interleaved samples.
    ///
    /// A block that does not fit is dropped and counted. That happens only if the mixer gets no CPU for more than a
    /// second.
    ///
    /// - Parameter time: the time at which the first frame is due, in microseconds of the monotonic clock.
    package func push(_ samples: UnsafeBufferPointer<Int16>, at time: Int64) {
        ring.push(samples, at: time)
        mixer.wake()
    }

    /// Marks the end of the audio.
    package func drain() {
        ring.send(.drain)
        mixer.wake()
    }

    /// Drops the audio that is not heard yet, except after `drain`.
    package func flush() { ring.send(.flush) }

    /// Drops the audio that is not heard yet, because the next block comes from elsewhere in the item.
    package func discard() { ring.send(.discard) }

    // MARK: The engine's other threads

    /// Sets the item's duration if none is set, in seconds. Frames after it are padding.
    package func setDuration(_ seconds: Double) {
        update { if $0.duration == nil { $0.duration = seconds + Self.durationPrecision } }
    }

    /// Drops the encoder's padding around the audio. Call it before the first samples.
    ///
    /// - Parameters:
    ///   - priming: the padding before the audio, in seconds.
    ///   - duration: the duration of the audio, in seconds.
    package func trim(priming: Double, duration: Double) {
        update {
            $0.priming = priming
            $0.duration = duration
        }
    }

    /// Drops the rest of an item whose audio was pushed completely. Call it before a seek.
    package func prepareForSeek() { update { if $0.isDrained { $0.discard() } } }

    /// Pauses within 10 ms, or resumes.
    package func setPaused(_ isPaused: Bool) {
        let changes = update { input in
            defer { input.isPaused = isPaused }
            return input.isPaused != isPaused
        }
        if changes == true, !isPaused { mixer.prepare() }
    }

    package func setVolume(_ volume: Double) { update { $0.volume = min(max(volume, 0), 1) } }

    package func setMuted(_ isMuted: Bool) { update { $0.isMuted = isMuted } }

    /// Starts this input when another one ends.
    ///
    /// - Parameter crossfade: the time before that end at which this input fades in, in seconds.
    package func follow(_ predecessor: MixerInputQueue?, crossfade: Double) {
        mixer.follow(predecessor?.id, with: id, crossfade: crossfade)
    }

    package var hasBegun: Bool { update { $0.hasBegun } ?? false }

    /// `true` if the last frame was mixed.
    package var isFinished: Bool { update { $0.hasEnded } ?? false }

    /// The time at which the next frame is due, in microseconds. `nil` if there is none.
    package var nextTime: Int64? { update { $0.nextTime } ?? nil }

    /// The time until the last frame is mixed, in seconds. `nil` if the engine may push more.
    package var secondsLeft: Double? {
        update { $0.isDrained ? AudioFormat.seconds($0.frameCount) : nil } ?? nil
    }

    @discardableResult
    private func update<Result: Sendable>(_ body: (inout MixerInput) -> Result) -> Result? {
        mixer.withInput(id, body)
    }
}
