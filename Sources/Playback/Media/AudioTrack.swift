/// One sound of a medium that a listener can choose.
public struct AudioTrack: Codable, Hashable, Sendable, Identifiable {
    /// Unique among the tracks of its item; chosen by the backend.
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
