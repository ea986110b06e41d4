#if VLC
import Foundation

/// A muted player of another rendition, which replaces the player of the same stream.
final class StandbyPlayer {
    enum Change {
        case none
        case isReady
        case hasFailed
    }

    /// The first distance ahead of the playhead, in seconds at normal speed. libVLC begins with the segment that
    /// contains the position.
    static let firstLead = 2.5
    /// The distance doubles after each attempt, up to this limit.
    static let longestLead = 10.0
    /// The distance behind the playhead of a paused item, in seconds.
    static let runUp = 2.0
    /// A pause lasts this much longer than the time between its two calls, in seconds.
    static let pauseOverhead = 0.01
    /// A player runs within this time after a resume, in seconds.
    static let resumeTime = 0.15
    /// With less of the item left, a switch is not worth it, in seconds.
    static let shortestRest = 3.0
    /// The longest part that may be audible twice, in seconds.
    static let tolerance = 0.03

    let rendition: RenditionSwitch.Rendition
    let player: VLCPlayer
    let token: VLCPlayback.Token
    let lead: Double
    /// The events about its streams.
    private(set) var streamEvents: [VLCEvent] = []
    private var isReady = false

    init(_ rendition: RenditionSwitch.Rendition, _ player: VLCPlayer, _ token: VLCPlayback.Token, lead: Double) {
        self.rendition = rendition
        self.player = player
        self.token = token
        self.lead = lead
    }

    /// The time until the times of two players can be compared, in seconds.
    ///
    /// In HLS, libVLC notes its time once a second, at the start of a second of the system clock, and reports it within
    /// half a second. Later in that second, all players report the time of the same moment.
    static var timeToComparison: Double { 1 - secondOfClock + 0.65 }

    /// The age of a time that is read at the comparison, in seconds.
    static var ageOfTime: Double { secondOfClock }

    private static var secondOfClock: Double {
        Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
    }

    func handle(_ event: VLCEvent) -> Change {
        switch event {
        case .streamAdded, .streamRemoved, .streamSelected: streamEvents.append(event)
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
