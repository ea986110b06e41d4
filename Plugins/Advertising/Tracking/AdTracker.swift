import Foundation

/// The trackers of one advertisement: each event becomes its requests, once.
///
/// Pure. The sender adds the macros. Nothing is reported that nobody could perceive: an advertisement of the type `audio` or `hybrid`
/// counts while it is heard, and any other while it is seen. Its impression, its start and its milestones come only then. It was
/// viewable if it was seen for 2 s continuously.
struct AdTracker: Codable, Hashable, Sendable {
    /// A change of an advertisement.
    enum Event: Codable, Hashable, Sendable {
        /// The media file is open.
        case loaded
        /// It plays.
        case playing
        /// The video is shown, or is hidden.
        case visible(Bool)
        /// A position of the advertisement, in seconds, that was played.
        case position(Double)
        case paused
        case muted(Bool)
        case fullscreen(Bool)
        case skipped
        case clicked
        case completed
        /// It ends without an event, for example because the item is replaced.
        case closed
        case failed(VASTError)
        /// Something beside the advertisement failed, which continues.
        case warned(VASTError)
    }

    private enum State: Codable, Hashable, Sendable {
        case waiting
        case playing
        case paused
        case over
    }

    let ad: VASTAd
    /// The duration in seconds; `nil` while it is unknown.
    var duration: Double?
    private var state = State.waiting
    private var isVisible: Bool
    private var hasImpression = false
    private var position: Double
    /// The position from which the video is seen continuously.
    private var seenFrom: Double?
    /// `true` if the trackers of a viewable impression, or of another one, were called.
    private var hasReportedView = false
    /// `true` if the viewer joins the advertisement after its first quarter.
    private var hasMissedStart = false
    /// The milestones that have passed, by name.
    private var passed: Set<String> = []

    /// - Parameters:
    ///   - isVisible: `true` if the video is shown.
    ///   - start: the position in seconds at which the viewer joins the advertisement. The part before it was not seen.
    ///   - wasLoaded: `true` if the trackers of `loaded` were called.
    init(_ ad: VASTAd, isVisible: Bool = true, from start: Double = 0, wasLoaded: Bool = false) {
        self.ad = ad
        self.isVisible = isVisible
        position = start
        duration = ad.linear?.duration
        passed = Set(timedMilestones.filter { $0.time < start }.map(\.name) + (wasLoaded ? ["loaded"] : []))
        hasMissedStart = passed.contains(Self.quarters[0].0)
    }

    /// The quarters, with the position of each as a fraction of the duration.
    private static let quarters = [("firstQuartile", 0.25), ("midpoint", 0.5), ("thirdQuartile", 0.75)]

    /// The time for which a viewable video is seen, in seconds. Source: Media Rating Council, Viewable Ad Impression Measurement
    /// Guidelines.
    private static let viewableTime = 2.0

    private var counts: Bool { isVisible || ad.countsWhenHeard }

    /// `true` if it has started and has not ended.
    var isRunning: Bool { state == .playing || state == .paused }

    /// Returns the trackers to call, in their order.
    mutating func handle(_ event: Event) -> [String] {
        let trackers = trackers(of: event)
        return trackers + views()
    }

    /// The trackers of a viewable impression as soon as it is one, and those of another one at the end.
    private mutating func views() -> [String] {
        guard hasImpression, !hasReportedView else { return [] }
        seenFrom = state == .playing && isVisible ? seenFrom ?? position : nil
        if let seenFrom, position - seenFrom >= Self.viewableTime {
            hasReportedView = true
            return ad.viewable
        }
        guard state == .over else { return [] }
        hasReportedView = true
        return !isVisible && ad.countsWhenHeard ? ad.viewUndetermined : ad.notViewable
    }

    private mutating func trackers(of event: Event) -> [String] {
        switch (event, state) {
        case (.loaded, .waiting): return passed.insert("loaded").inserted ? trackers(named: "loaded") : []
        case (.playing, .waiting):
            state = .playing
            return impression()
        case (.playing, .paused):
            state = .playing
            return counted(trackers(named: "resume")) + impression()
        case (.paused, .playing):
            state = .paused
            return counted(trackers(named: "pause"))
        case (.visible(let isVisible), _):
            self.isVisible = isVisible
            return state == .playing ? impression() : []
        case (.position(let position), .playing):
            self.position = position
            return milestones(through: position)
        case (.muted(let isMuted), .playing), (.muted(let isMuted), .paused):
            return counted(trackers(named: isMuted ? "mute" : "unmute"))
        case (.fullscreen(let isOpen), .playing), (.fullscreen(let isOpen), .paused):
            // The second name is that of version 4.
            let names = isOpen ? ["fullscreen", "playerExpand"] : ["exitFullscreen", "playerCollapse"]
            return counted(names.flatMap { trackers(named: $0) })
        case (.clicked, .playing), (.clicked, .paused):
            return passed.insert("click").inserted ? ad.linear?.clickTracking ?? [] : []
        case (.skipped, .playing), (.skipped, .paused):
            state = .over
            return counted(["skip", "closeLinear", "close"].flatMap { trackers(named: $0) })
        case (.completed, .playing), (.completed, .paused):
            let rest = milestones(through: .infinity)
            state = .over
            return rest + counted(trackers(named: "complete"))
        case (.closed, _):
            state = .over
            return []
        case (.failed, .waiting), (.failed, .playing), (.failed, .paused):
            state = .over
            return ad.errors
        case (.warned, _): return ad.errors
        default: return []
        }
    }

    /// The first moment at which the advertisement counts.
    private mutating func impression() -> [String] {
        guard counts, !hasImpression else { return [] }
        hasImpression = true
        let starts = hasMissedStart ? ["creativeView"] : ["creativeView", "start"]
        return ad.impressions + starts.flatMap { trackers(named: $0) } + milestones(through: 0)
    }

    private func counted(_ trackers: [String]) -> [String] { hasImpression && counts ? trackers : [] }

    /// The quarters and the positions of the event `progress`.
    private var timedMilestones: [(time: Double, name: String, trackers: [String])] {
        var found: [(time: Double, name: String, trackers: [String])] = []
        if let duration {
            found = Self.quarters.map { ($0.1 * duration, $0.0, trackers(named: $0.0)) }
        }
        for (index, tracking) in (ad.linear?.tracking ?? []).enumerated() where tracking.event == "progress" {
            // A progress beyond the end is never reached.
            guard let time = tracking.offset?.seconds(of: duration), time <= duration ?? .infinity else { continue }
            found.append((time, "progress \(index)", [tracking.address]))
        }
        return found
    }

    /// The milestones up to a position that have not passed, in their order.
    private mutating func milestones(through position: Double) -> [String] {
        let new = timedMilestones.filter { $0.time <= position && !passed.contains($0.name) }
        passed.formUnion(new.map(\.name))
        let ordered = new.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return counted(ordered.flatMap(\.element.trackers))
    }

    private func trackers(named name: String) -> [String] {
        (ad.linear?.tracking ?? []).filter { $0.event == name }.map(\.address)
    }
}
