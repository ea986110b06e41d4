#if VLC
import Foundation

/// A player that waits to take over from the one that plays the same stream.
final class StandbyPlayer {
    enum News {
        case none
        case isReady
        case hasFailed
    }

    /// In seconds, at normal speed: so far ahead of the playhead it is sent, and further if it comes out behind. libVLC
    /// begins with the segment in which the place is.
    static let firstLead = 2.5
    static let longestLead = 10.0
    /// In seconds: so far behind the playhead it is sent if that stands.
    static let runUp = 2.0
    /// In seconds: a player is held for so much longer than from the call that holds it to the one that lets it go.
    static let holdingCost = 0.01
    /// In seconds: so long after it was held it is sure to run.
    static let settling = 0.15
    /// In seconds: with less left to play it is not worth it.
    static let shortestRest = 3.0
    /// In seconds: so much may be heard twice.
    static let nearEnough = 0.03

    let part: RenditionSwitch.Rendition
    let deck: VLCPlayer
    let number: Int
    let lead: Double
    /// What it has told of its streams.
    private(set) var signals: [VLCEvent] = []
    private var isReady = false

    init(part: RenditionSwitch.Rendition, deck: VLCPlayer, number: Int, lead: Double) {
        self.part = part
        self.deck = deck
        self.number = number
        self.lead = lead
    }

    /// In seconds, from now: when the times of two players tell how far they are apart.
    ///
    /// In HLS libVLC's time stands for up to a second and a half: it is noted once in each second of the clock on the
    /// wall, when that begins, and told within half a second. Later in that second all players tell of the same moment.
    static var untilTimesCompare: Double { 1 - secondOfClock + 0.65 }

    /// In seconds: how old a time is that was read then.
    static var age: Double { secondOfClock }

    private static var secondOfClock: Double {
        Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
    }

    func take(_ signal: VLCEvent) -> News {
        switch signal {
        case .streamAdded, .streamRemoved, .streamSelected: signals.append(signal)
        case .encounteredError, .endReached: return .hasFailed
        case .buffering(let percent) where percent >= 100 && !isReady:
            isReady = true
            return .isReady
        default: break
        }
        return .none
    }
}
#endif
