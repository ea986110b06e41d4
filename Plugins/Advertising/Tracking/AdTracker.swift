import Foundation

/// The trackers of one advertisement: each event becomes its requests, once.
///
/// Pure. The sender adds the macros.
struct AdTracker: Codable, Hashable, Sendable {
    /// A change of an advertisement.
    enum Event: Codable, Hashable, Sendable {
        /// The media file is open.
        case loaded
        /// Its first frame or audio plays.
        case started(isVisible: Bool)
        /// A position of the advertisement, in seconds, that was played.
        case position(Double)
        case paused
        case resumed
        case muted
        case unmuted
        case skipped
        case clicked
        case completed
        case failed(VASTError)
    }

    private enum State: Codable, Hashable, Sendable {
        case waiting
        case playing
        case over
    }

    let ad: VASTAd
    private let duration: Double?
    private var state = State.waiting
    private var isPaused = false
    /// The milestones that were reported, by name.
    private var reported: Set<String> = []

    /// - Parameter duration: the duration of the media file in seconds; `nil` for that of the document.
    init(_ ad: VASTAd, duration: Double? = nil) {
        self.ad = ad
        self.duration = duration ?? ad.linear?.duration
    }

    /// The quarters, with the position of each as a fraction of the duration.
    private static let quarters = [("firstQuartile", 0.25), ("midpoint", 0.5), ("thirdQuartile", 0.75)]

    /// Returns the trackers to call, in their order.
    mutating func handle(_ event: Event) -> [String] {
        switch (event, state) {
        case (.loaded, .waiting): return once("loaded")
        case (.started(let isVisible), .waiting):
            state = .playing
            let views = isVisible ? ad.viewable : ad.notViewable
            let starts = ["creativeView", "start"].flatMap { trackers(named: $0) }
            return ad.impressions + views + starts + passed(0)
        case (.position(let position), .playing): return passed(position)
        case (.paused, .playing) where !isPaused:
            isPaused = true
            return trackers(named: "pause")
        case (.resumed, .playing) where isPaused:
            isPaused = false
            return trackers(named: "resume")
        case (.muted, .playing): return trackers(named: "mute")
        case (.unmuted, .playing): return trackers(named: "unmute")
        case (.clicked, .playing): return ad.linear?.clickTracking ?? []
        case (.skipped, .playing):
            state = .over
            return trackers(named: "skip") + closing
        case (.completed, .playing):
            let rest = passed(.infinity)
            state = .over
            return rest + trackers(named: "complete")
        case (.failed, .waiting), (.failed, .playing):
            state = .over
            return ad.errors
        default: return []
        }
    }

    private var closing: [String] { trackers(named: "closeLinear") + trackers(named: "close") }

    /// The milestones up to a position that were not reported, in their order.
    private mutating func passed(_ position: Double) -> [String] {
        var due: [(time: Double, name: String, trackers: [String])] = []
        if let duration {
            due = Self.quarters.map { ($0.1 * duration, $0.0, trackers(named: $0.0)) }
        }
        for (index, tracking) in (ad.linear?.tracking ?? []).enumerated() where tracking.event == "progress" {
            // A progress beyond the end is never reached.
            guard let time = tracking.offset?.seconds(of: duration), time <= duration ?? .infinity else { continue }
            due.append((time, "progress \(index)", [tracking.address]))
        }
        let passed = due.filter { $0.time <= position && !reported.contains($0.name) }
        reported.formUnion(passed.map(\.name))
        return passed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .flatMap(\.element.trackers)
    }

    private mutating func once(_ name: String) -> [String] {
        reported.insert(name).inserted ? trackers(named: name) : []
    }

    private func trackers(named name: String) -> [String] {
        (ad.linear?.tracking ?? []).filter { $0.event == name }.map(\.address)
    }
}
