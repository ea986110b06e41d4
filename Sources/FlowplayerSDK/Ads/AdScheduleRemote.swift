import Foundation

/// A schedule of advertisements that a server has.
public struct AdScheduleRemote: AdSchedule, Hashable {
    /// Where the schedule is.
    public let url: URL

    /// - Parameter url: the address of the schedule, usually a VMAP document.
    public init(url: URL) { self.url = url }
}
