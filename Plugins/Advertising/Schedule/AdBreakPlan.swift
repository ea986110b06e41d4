import FlowplayerSDK
import Foundation

/// One break of a schedule.
struct AdBreakPlan: Codable, Hashable, Sendable {
    /// The place of a break.
    enum Position: Codable, Hashable, Sendable {
        /// Before the item.
        case start
        /// After the item.
        case end
        /// At a position of the item, or a fraction of its duration.
        case time(VASTOffset)
    }

    /// Where the advertisements of a break come from.
    enum Source: Codable, Hashable, Sendable {
        /// A document at an address, with macros.
        case address(String)
        /// A document that is part of the schedule.
        case document(VASTDocument)
        /// There is no usable document.
        case failed(VASTError)
    }

    /// The id.
    var id: String?
    /// The place.
    var position: Position
    /// The sources, the most preferred first. Each is used only if those before have no advertisement.
    var sources: [Source]
    /// The time after which the break comes again, in seconds; `nil` for once.
    var repeatsAfter: Double?
    /// `false` to play one advertisement only.
    var allowsMultipleAds = true
    /// `false` to follow no wrapper.
    var followsRedirects = true
    /// The trackers of `breakStart`, `breakEnd` and `error`.
    var tracking: [VASTTracking] = []
    /// The address of the schedule; `nil` if the host has made it.
    var origin: URL?

    /// - Parameters:
    ///   - position: the place.
    ///   - sources: the most preferred first.
    init(position: Position, sources: [Source]) { (self.position, self.sources) = (position, sources) }

    /// The type that `adDelegate` receives.
    var type: AdType { isAtStart ? .preRoll : isAtEnd ? .postRoll : .midRoll }

    /// The description for the host, with the first position of a break that repeats. -1 if the position is not in seconds.
    var adBreak: AdBreak {
        let tags = sources.compactMap { if case .address(let address) = $0 { address } else { nil } }
        let seconds: Int? =
            switch position {
            case .start: 0
            case .time(.seconds(let seconds)): Int(exactly: seconds.rounded())
            case .time(.fraction), .end: nil
            }
        return AdBreak(adTags: tags, offset: seconds ?? -1)
    }

    /// `true` for a break before the item.
    var isAtStart: Bool {
        switch position {
        case .start, .time(.seconds(0)), .time(.fraction(0)): true
        default: false
        }
    }

    /// `true` for a break after the item.
    var isAtEnd: Bool {
        switch position {
        case .end, .time(.fraction(1)): true
        default: false
        }
    }
}

extension AdBreakPlan {
    /// The trackers of an event, with macros.
    func trackers(of event: String) -> [String] { tracking.filter { $0.event == event }.map(\.address) }
}

extension AdScheduleWaterfall {
    /// The breaks.
    var plans: [AdBreakPlan] {
        func plan(_ adBreak: AdBreak?, _ position: AdBreakPlan.Position) -> [AdBreakPlan] {
            guard let adBreak, !adBreak.adTags.isEmpty else { return [] }
            return [AdBreakPlan(position: position, sources: adBreak.adTags.map { .address($0) })]
        }
        // A break during the item without a position has none in this kind of schedule, so it is not played.
        let middle = (midAdBreak ?? []).filter { $0.offset >= 0 }
        return plan(preAdBreak, .start) + middle.flatMap { plan($0, .time(.seconds(Double($0.offset)))) }
            + plan(postAdBreak, .end)
    }
}
