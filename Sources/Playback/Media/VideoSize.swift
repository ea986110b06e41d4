/// The visible size of a video, in pixels.
public struct VideoSize: Codable, Hashable, Sendable {
    /// 0 while it is not known.
    public let width: Int
    /// 0 while it is not known.
    public let height: Int

    /// Both in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
