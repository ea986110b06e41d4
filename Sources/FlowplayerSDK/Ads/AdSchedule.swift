import Foundation

/// The schedule of the advertisements of an item: an `AdScheduleWaterfall` or an `AdScheduleRemote`.
public protocol AdSchedule: Sendable {}

/// A schedule on a server.
public struct AdScheduleRemote: AdSchedule, Hashable {
    /// The address of the schedule.
    public let url: URL

    /// Creates a schedule.
    ///
    /// - Parameter url: the address of the schedule, usually a VMAP document.
    public init(url: URL) { self.url = url }
}

/// A schedule that the host defines.
public struct AdScheduleWaterfall: AdSchedule, Hashable {
    /// The break before the item, if any.
    public let preAdBreak: AdBreak?
    /// The breaks during the item, if any.
    public let midAdBreak: [AdBreak]?
    /// The break after the item, if any.
    public let postAdBreak: AdBreak?

    /// Creates a schedule. Without a break it shows no advertisements.
    public init(preAdBreak: AdBreak? = nil, midAdBreak: [AdBreak]? = nil, postAdBreak: AdBreak? = nil) {
        self.preAdBreak = preAdBreak
        self.midAdBreak = midAdBreak
        self.postAdBreak = postAdBreak
    }
}
