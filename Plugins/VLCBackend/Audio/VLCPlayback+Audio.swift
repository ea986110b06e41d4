#if VLC
import AudioMixer
import Foundation
import Playback

// Interruptions and the output device, as the audio server reports them, and the end of the audio.
extension VLCPlayback {
    /// An audio server that wants silence reports it within this time, in seconds.
    private static let corkTimeout = 0.5
    /// A queue for queries to the audio server, which can take a while.
    private static let queries = DispatchQueue(label: "swift-flowplayer.route", qos: .utility)

    /// The user plays during an interruption.
    func endInterruption(_ body: BackendEvent.Body) {
        sentinel = nil
        mutingCheck = nil
        mixer?.override()
        mutePlayer()
        report(body)
    }

    /// Mutes or unmutes the player. During an interruption it stays muted, because an unmute would look like the end of
    /// it.
    func mutePlayer() {
        let isMuted = settings.isMuted || machine.player.drawing != .none
        if input != nil || !interruption.isActive { player?.setMuted(isMuted) }
    }

    /// Returns `true` if the event concerns audio only.
    func handleAudio(_ event: VLCEvent) -> Bool {
        switch event {
        case .audio(.muted): if isPlayerNew, input == nil, machine.player.drawing == .none { checkMuting() }
        case .audio(let event): handle(event)
        case .audioDevice(let name): deviceChanged(to: name)
        case .timeChanged:
            isPlayerNew = false
            return false
        default: return false
        }
        return true
    }

    private func handle(_ event: AudioInterruption.Event) {
        guard !isOver, let body = interruption.handle(event) else { return }
        report(body)
    }

    // MARK: Muted streams

    /// A stream starts muted in two cases: the audio server remembers it from an earlier stream, or there is an
    /// interruption.
    private func checkMuting(again: Bool = false) {
        guard !settings.isMuted, again || !interruption.isActive else { return }
        mutingCheck = Token()
        let report = receiver(while: \.mutingCheck) { $0.mutingChecked($1, again: again) }
        Self.queries.async { [role] in
            report(PulseConnection(name: VLCInstance.clientName)?.silences(role) == true)
        }
    }

    private func mutingChecked(_ isSilenced: Bool, again: Bool) {
        mutingCheck = nil
        guard isSilenced else {
            handle(.uncorked)
            return mutePlayer()
        }
        if again { return }
        handle(.corked)
        // The interruption may have ended before this player could receive the event.
        perform(after: Self.corkTimeout, while: \.playerToken) { playback in
            if playback.interruption.isActive { playback.checkMuting(again: true) }
        }
    }

    // MARK: The mixer

    func mixerCorked(_ isCorked: Bool) {
        if request.joinsOthers { handle(isCorked ? .corked : .uncorked) }
    }

    func mixerMoved(from old: String, to new: String) {
        if request.joinsOthers { reportRoute(from: old, to: new) }
    }

    // MARK: Without a player

    /// Opens a silent stream in place of a closed player. The audio server corks and uncorks it like any other.
    func awaitEndOfInterruption() {
        sentinel = PulseStream(client: VLCInstance.clientName, role: role) {
            [weak engine, generation] event in
            engine?.perform(on: generation) { $0.sentinelChanged(event) }
        }
        engine.perform(on: generation, after: Self.corkTimeout) { playback in
            guard playback.sentinel?.isCorked != true, playback.player == nil else { return }
            playback.sentinelChanged(.uncorked)
        }
    }

    private func sentinelChanged(_ event: PulseStream.Event) {
        guard event == .uncorked else { return }
        sentinel = nil
        handle(.uncorked)
    }

    // MARK: The output device

    private func deviceChanged(to name: String) {
        let before = device
        device = name
        if let before, before != name { reportRoute(from: before, to: name) }
    }

    private func reportRoute(from old: String, to new: String) {
        Self.queries.async { [weak engine, generation] in
            let change = PulseConnection.routeChange(from: old, to: new, client: VLCInstance.clientName)
            engine?.perform(on: generation) { playback in
                guard !playback.isOver, playback.interruption.isOpen else { return }
                playback.report(.routeChanged(change))
            }
        }
    }

    // MARK: The end of the last audio

    /// The longest time from the mixer to the listener, in seconds.
    static let outputDelay = 0.5
    /// The end of the audio is not awaited longer than this after the end of the item, in seconds.
    private static let audioTimeout = 1.5

    func awaitEnd(in seconds: Double) {
        endTimer = nil
        guard let input, input.hasBegun else { return drain(in: seconds) }
        endOfVideo = machine.showsVideo ? now + .seconds(seconds) : .zero
        // The mixer reports the end of the audio, unless the audio server has stopped.
        if input.isFinished { audioEnded() } else { drain(in: seconds + Self.audioTimeout) }
    }

    func audioEnded() {
        guard let input, input.isFinished, machine.isDraining else { return }
        drain(in: max(0, (endOfVideo - now) / .seconds(1)))
    }

    private func drain(in seconds: Double) {
        endTimer = Token()
        guard seconds > 0 else { return perform { machine, _ in machine.drained() } }
        perform(after: seconds, while: \.endTimer) { playback in
            playback.perform { machine, _ in machine.drained() }
        }
    }
}
#endif
