#if VLC
import MediaTransport
import Foundation
import Playback

// How one player takes over from another.
extension VLCPlayback {
    /// Lets another player begin, unheard, a little ahead of the one that plays.
    func prepare(_ part: RenditionSwitch.Rendition, lead: Double = StandbyPlayer.firstLead) {
        successor = nil
        let playhead = machine.playhead(at: now)
        let target = max(0, playhead.position + (playhead.isRunning ? lead * controls.rate : -StandbyPlayer.runUp))
        guard machine.remaining(after: target) > StandbyPlayer.shortestRest else { return handoverFails() }
        let number = nextDeckNumber()
        let url = if case .audioOnly(let url) = part { url } else { address }
        let video = part == .whole ? videoForNextDeck() : .none
        let deck = makeDeck(url, at: target, paused: false, video: video) { [weak self] signal, time in
            self?.receiveFromSuccessor(signal, at: time, number: number)
        }
        guard let deck else { return handoverFails() }
        successor = StandbyPlayer(part: part, deck: deck, number: number, lead: lead)
        deck.setMuted(true)
        deck.play()
    }

    func handoverFails() {
        successor = nil
        perform { machine, _ in machine.renditionSwitchFailed() }
    }

    func receiveFromSuccessor(_ signal: VLCEvent, at time: Duration, number: Int) {
        guard let successor, successor.number == number else {
            // It has taken over, and another one may be about to.
            return receive(signal, at: time, deckNumber: number)
        }
        switch successor.take(signal) {
        case .none: break
        case .isReady: after(StandbyPlayer.untilTimesCompare, successor) { $0.meet($1) }
        case .hasFailed: handoverFails()
        }
    }

    /// Does what is to be done after so many seconds, unless the successor is not wanted any more.
    func after(
        _ seconds: Double, _ successor: StandbyPlayer, _ body: @escaping @Sendable (VLCPlayback, StandbyPlayer) -> Void
    ) {
        let number = successor.number
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, let successor = self.successor, successor.number == number else { return }
            body(self, successor)
        }
    }

    /// Holds the successor, which is ahead, until the one that is heard has caught up.
    func meet(_ successor: StandbyPlayer) {
        guard let deck else { return }
        let playhead = machine.playhead(at: now)
        guard playhead.isRunning else {
            // Nobody plays: the successor goes to where it is to stand.
            let behind = (playhead.position - successor.deck.facts.time) / controls.rate - StandbyPlayer.age
            return after(max(0, behind), successor) { $0.takeOver($1) }
        }
        let ahead = (successor.deck.facts.time - deck.facts.time) / controls.rate
        guard ahead > -StandbyPlayer.nearEnough else {
            let lead = successor.lead * 2
            return lead > StandbyPlayer.longestLead ? handoverFails() : prepare(successor.part, lead: lead)
        }
        if ahead > StandbyPlayer.holdingCost { successor.deck.setPaused(true) }
        after(max(0, ahead - StandbyPlayer.holdingCost), successor) { $0.release($1) }
    }

    func release(_ successor: StandbyPlayer) {
        guard machine.playhead(at: now).isRunning else { return prepare(successor.part) }
        successor.deck.setPaused(false)
        after(StandbyPlayer.settling, successor) { $0.takeOver($1) }
    }

    func takeOver(_ successor: StandbyPlayer) {
        // One falls silent as the other is heard; stopping it takes longer.
        successor.deck.setMuted(controls.isMuted)
        deck?.setMuted(true)
        self.successor = nil
        deckNumber = successor.number
        deck = successor.deck
        let (signals, facts) = (successor.signals, successor.deck.facts)
        perform { $0.renditionSwitched(signals, facts, at: $1) }
        if !machine.wantsToPlay { pauseDeck() }
    }
}
#endif
