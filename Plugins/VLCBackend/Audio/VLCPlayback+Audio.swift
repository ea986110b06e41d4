#if VLC
import AudioMixer
import Foundation
import Playback

// What the sound server does with the sound of an item.
extension VLCPlayback {
    /// Plays, also while something more important sounds.
    func playAnyway() {
        if let body = interruption.override() {
            sentinel = nil
            if request.joinsOthers { mixer()?.override() }
            muteDeck()
            tell(body)
        }
        play()
    }

    /// What the server has muted stays so: were that taken back, the interruption would seem to be over.
    func muteDeck() {
        if source != nil || !interruption.isActive { deck?.setMuted(controls.isMuted) }
    }

    /// It plays. The server may have brought back what it remembers of an earlier stream; why a new one is muted is found out first.
    func muteDeckThatPlays() {
        if source != nil || !isFresh || controls.isMuted { muteDeck() }
    }

    /// - Returns: whether the signal was of no other concern.
    func isOfSound(_ signal: VLCEvent) -> Bool {
        switch signal {
        case .audio(.muted): if isFresh, source == nil { findOutWhyMuted() }
        case .audio(let signal): tell(signal)
        case .audioDevice(let name): soundGoes(to: name)
        case .timeChanged:
            isFresh = false
            return false
        default: return false
        }
        return true
    }

    /// A stream begins muted if another one was so when it ended, which the server remembers, or if something more important sounds.
    private func findOutWhyMuted(again: Bool = false) {
        guard !controls.isMuted, again || !interruption.isActive else { return }
        let role = controls.role ?? .video
        let number = deckNumber
        AudioRoute.queue.async { [weak self, queue] in
            let isSilenced = PulseConnection(name: VLCInstance.clientName)?.silences(role) == true
            queue.async { [weak self] in
                guard let self, deckNumber == number else { return }
                if !isSilenced {
                    tell(.uncorked)
                    return muteDeck()
                }
                if again { return }
                tell(.corked)
                // It may have been over before anybody here knew of it.
                queue.asyncAfter(deadline: .now() + Self.longestRequest) { [weak self] in
                    if let self, deckNumber == number, interruption.isActive { findOutWhyMuted(again: true) }
                }
            }
        }
    }

    private func tell(_ signal: VLCInterruption.Event) {
        guard !isOver, let body = interruption.handle(signal) else { return }
        tell(body)
    }

    // MARK: The mixer

    /// The stream into which the sound of several items goes has to be silent, or no longer.
    func mixerIsCorked(_ isCorked: Bool) {
        if request.joinsOthers { tell(isCorked ? .corked : .uncorked) }
    }

    func mixerMoved(from old: String, to new: String) {
        if request.joinsOthers { explainRoute(from: old, to: new) }
    }

    // MARK: Without a deck

    /// A stream that cannot be held has been left. Another one in its place, which is never heard, is asked for silence as any
    /// new one is, and told when that is over.
    func awaitEndOfInterruption() {
        sentinel = PulseStream(client: VLCInstance.clientName, role: controls.role ?? .video) {
            [weak self, queue] event in
            queue.async { [weak self] in self?.sentinelHeard(event) }
        }
        queue.asyncAfter(deadline: .now() + Self.longestRequest) { [weak self] in
            guard let self, sentinel?.isCorked != true, deck == nil else { return }
            sentinelHeard(.uncorked)
        }
    }

    /// In seconds: a server that wants silence says so at once.
    private static let longestRequest = 0.5

    private func sentinelHeard(_ event: PulseStream.Event) {
        guard event == .uncorked else { return }
        sentinel = nil
        tell(.uncorked)
    }

    // MARK: Where it goes

    private func soundGoes(to name: String) {
        let before = device
        device = name
        if let before, before != name { explainRoute(from: before, to: name) }
    }

    private func explainRoute(from old: String, to new: String) {
        AudioRoute.explain(from: old, to: new) { [weak self, queue] change in
            queue.async { [weak self] in
                guard let self, !isOver, interruption.isOpen else { return }
                tell(.routeChanged(change))
            }
        }
    }
}
#endif
