import Foundation
import Playback

/// An advertisement that plays, and whose trackers are called meanwhile.
@MainActor
struct TrackedAd {
    /// Each time that an advertisement plays is another one.
    let id = UUID()
    var tracker: AdTracker
    let context: AdContext
    /// Values for macros.
    let values: [String: String]
    /// The random number of the page's address, which stays the same.
    private let random = AdMacros.random
    /// The position in the advertisement, in seconds.
    private(set) var position = 0.0

    init(_ tracker: AdTracker, context: AdContext, values: [String: String]) {
        (self.tracker, self.context, self.values) = (tracker, context, values)
    }

    var ad: VASTAd { tracker.ad }

    /// The page that a click opens.
    var clickThrough: URL? {
        context.clickThrough(of: ad, context.macros(ad, position, values).fresh(random: random))
    }

    /// `true` if a click has a meaning now.
    var canClick: Bool { tracker.isRunning && (clickThrough != nil || ad.linear?.clickTracking.isEmpty == false) }

    /// Calls the trackers of an event.
    mutating func handle(_ event: AdTracker.Event) {
        if case .position(let position) = event { self.position = position }
        let trackers = tracker.handle(event)
        switch event {
        case .failed(let error), .warned(let error): send(trackers, error)
        default: send(trackers)
        }
    }

    /// Calls trackers of the advertisement.
    func send(_ trackers: [String], _ error: VASTError? = nil) {
        send(trackers, error.map { ["ERRORCODE": String($0.rawValue)] } ?? [:])
    }

    func send(_ trackers: [String], _ macros: [String: String]) {
        context.track(trackers, ad, position, values.merging(macros) { $1 })
    }
}
