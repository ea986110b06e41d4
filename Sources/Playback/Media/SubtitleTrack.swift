/// One text of a medium that a viewer can choose.
public struct SubtitleTrack: Codable, Hashable, Sendable, Identifiable {
    /// What delegates are told when no text is shown any more. Selecting its `id` turns subtitles off.
    public static let off = SubtitleTrack(id: -1, name: "Off")

    /// Unique among the tracks of its item, and not negative; chosen by the backend.
    public let id: Int
    /// What to show to a person.
    public let name: String
    /// The language as the medium names it (ISO 639), or `nil` if it does not say.
    public let lang: String?

    /// A track as a backend tells it.
    public init(id: Int, name: String, lang: String? = nil) {
        self.id = id
        self.name = name
        self.lang = lang
    }
}
