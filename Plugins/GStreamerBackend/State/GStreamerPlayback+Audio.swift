#if GStreamer
import AudioMixer
import Foundation
import Playback

// The mixer, which plays the audio over PulseAudio: interruptions, the output device, and the end of the audio.
extension GStreamerPlayback {
    /// Queries to the audio server, which can take a while.
    private static let queries = DispatchQueue(label: "swift-flowplayer.gstreamer.route", qos: .utility)

    private var mixer: PulseMixer { engine.assumeIsolated { $0.sharedMixer } }

    private var input: MixerInputQueue? { pipeline?.mixerInput }

    /// `true` until the first audio of the pipeline is mixed.
    var awaitsAudio: Bool { input?.hasBegun == false }

    /// Chooses the output of the next pipeline.
    func makeAudio() -> GStreamerPipeline.Audio {
        let probe = AudioOutputProbe(hasLostAudio ? .none : engine.audioOutput)
        switch probe.device {
        case .pulse:
            let (engine, generation) = (engine, request.generation)
            let input = mixer.makeInput(isPaused: !isPlayWanted, keepsTime: true) { [weak engine] latency in
                engine?.perform(on: generation, after: latency) { $0.audioHeard() }
            }
            roleChanged()
            return .mixer(mixer, input)
        case .alsa: return isPreloaded ? .deferred : .alsa
        case .none: return .clock(hasLostAudio ? .audioDeviceFailed : probe.notice)
        }
    }

    func roleChanged() { mixer.setRole(settings.role ?? request.defaultRole) }

    // MARK: The item before

    /// Starts the audio at the end of another item's.
    func follow(_ other: GStreamerPlayback, crossfade: Double) {
        // The audio of the other item may be shorter than its video.
        let joins = crossfade > 0 || other.endsWithAudio
        input?.follow(joins ? other.input : nil, crossfade: crossfade)
    }

    /// The difference between the ends of audio and video that nobody notices, in seconds.
    private static let endDifference = 0.1

    private var endsWithAudio: Bool {
        guard let audio = secondsOfAudio else { return true }
        return !tracks.hasVideo || (secondsOfDuration ?? 0) < audio + Self.endDifference
    }

    /// The real time until the end in seconds; `nil` while it is unknown, and while the item does not play.
    ///
    /// - Parameter estimated: `true` to derive it from the duration, until the pipeline has decoded all audio.
    func secondsToEnd(estimated: Bool) -> Double? {
        guard isPlaying, input != nil else { return nil }
        guard let audio = secondsOfAudio else { return estimated ? secondsOfDuration : nil }
        return endsWithAudio ? audio : secondsOfDuration
    }

    /// The real time until the audio has ended; `nil` until all of it is decoded.
    private var secondsOfAudio: Double? { input?.secondsLeft.map { $0 + mixer.latency } }

    private var secondsOfDuration: Double? { duration.map { ($0 - playhead.position(at: now)) / playhead.rate } }

    // MARK: The end

    /// An audio server that plays no audio delays the end by at most this number of ticks.
    private static let longestDrain = 8

    /// The audio that the mixer still has, after the pipeline has decoded all of it. In seconds.
    var secondsOfMixedAudio: Double { input?.secondsLeft ?? 0 }

    /// The pipeline has ended. Ends the item when its last audio was heard.
    func endWithAudio(at position: Double) {
        ending.position = position
        // The time in which the audio ends counts from here.
        ticks = Ticks()
        guard let input, input.hasBegun || secondsOfMixedAudio > 0 else { return finish(.ended(position: position)) }
        endIfOver()
    }

    private func audioHeard() {
        // A seek may have followed.
        guard input?.isFinished == true else { return }
        ending.isAudioOver = true
        endIfOver()
    }

    func endIfOver() {
        if ending.isAudioOver, isPlaying, let end = ending.position { finish(.ended(position: end)) }
    }

    /// A tick after the end of the pipeline.
    func checkDraining(to position: Double) {
        ticks.withoutProgress += 1
        if ticks.withoutProgress > Self.longestDrain { return finish(.ended(position: position)) }
        report(.time(position: playhead.position(at: now)))
    }

    // MARK: Interruptions

    /// Plays, also during an interruption.
    func play() {
        if let body = interruption.override() {
            mixer.override()
            report(body)
        }
        setPlaying(true)
    }

    func mixerCorked(_ isCorked: Bool) {
        if let body = interruption.handle(isCorked ? .corked : .uncorked) { report(body) }
    }

    // MARK: The output device

    func mixerMoved(from old: String, to new: String) {
        let (engine, generation) = (engine, request.generation)
        Self.queries.async { [weak engine] in
            let change = PulseConnection.routeChange(from: old, to: new, client: GStreamerEngine.clientName)
            engine?.perform(on: generation) { playback in
                if playback.hasOpened { playback.report(.routeChanged(change)) }
            }
        }
    }
}
#endif
