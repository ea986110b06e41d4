/// An audio track that a listener can choose.
public struct AudioTrack: Codable, Hashable, Sendable, Identifiable {
    /// Unique among the tracks of its item; chosen by the backend.
    public let id: Int
    /// The name to show to the user.
    public let name: String
    /// The language of the track (ISO 639), or `nil` if the item does not name it.
    public let lang: String?

    /// A track that a backend reports.
    public init(id: Int, name: String, lang: String? = nil) {
        self.id = id
        self.name = name
        self.lang = lang
    }
}
