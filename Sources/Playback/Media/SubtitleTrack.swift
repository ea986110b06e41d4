/// A subtitle track that a viewer can choose.
public struct SubtitleTrack: Codable, Hashable, Sendable, Identifiable {
    /// The track that delegates receive when subtitles are off. Selecting its `id` turns subtitles off.
    public static let off = SubtitleTrack(id: -1, name: "Off")

    /// Unique among the tracks of its item, and not negative; chosen by the backend.
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
