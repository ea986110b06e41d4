/// A video track of an item.
public struct VideoTrack: Codable, Hashable, Sendable, Identifiable {
    /// Unique among the tracks of its item; chosen by the backend.
    public let id: Int
    /// Visible width in pixels; 0 while it is not known.
    public let width: Int
    /// Visible height in pixels; 0 while it is not known.
    public let height: Int

    /// A track that a backend reports. Sizes are in pixels.
    public init(id: Int, width: Int, height: Int) {
        self.id = id
        self.width = width
        self.height = height
    }
}
