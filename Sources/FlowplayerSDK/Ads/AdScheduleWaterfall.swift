/// A schedule of advertisements that the host makes.
public struct AdScheduleWaterfall: AdSchedule, Hashable {
    /// Before the medium begins; `nil` for none.
    public let preAdBreak: AdBreak?
    /// While the medium plays; `nil` for none.
    public let midAdBreak: [AdBreak]?
    /// After the medium has ended; `nil` for none.
    public let postAdBreak: AdBreak?

    /// A schedule without a break shows nothing.
    public init(preAdBreak: AdBreak? = nil, midAdBreak: [AdBreak]? = nil, postAdBreak: AdBreak? = nil) {
        self.preAdBreak = preAdBreak
        self.midAdBreak = midAdBreak
        self.postAdBreak = postAdBreak
    }
}
