import Foundation

/// A schedule of advertisements that a server has.
public struct AdScheduleRemote: AdSchedule, Hashable {
    /// Where the schedule is: a VMAP document.
    public let url: URL

    /// - Parameter url: the address of a VMAP document.
    public init(url: URL) { self.url = url }
}
