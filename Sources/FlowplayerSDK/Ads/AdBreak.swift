/// A time at which advertisements are shown.
public struct AdBreak: Hashable, Sendable {
    /// Addresses of advertisements. The first that has one to show is taken; the rest are for when it has none.
    public var adTags: [String]
    /// Where in the medium, in seconds; -1: as the schedule says.
    public var offset: Int

    /// - Parameters:
    ///   - adTags: addresses of advertisements, the one to try first at the front.
    ///   - offset: in seconds; -1: as the schedule says.
    public init(adTags: [String], offset: Int = -1) {
        self.adTags = adTags
        self.offset = offset
    }
}
