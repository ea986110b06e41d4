import Foundation

/// Subtitles in a file of their own, as SRT or WebVTT.
public struct ExternalSubtitle: Codable, Hashable, Sendable {
    /// Where the file is, local or on a server.
    public let url: URL
    /// What to show to a person.
    public let name: String
    /// The language (ISO 639), or `nil` if it is not known.
    public let lang: String?

    /// - Parameter name: without one, the language, and without that the file's name without its extension.
    public init(url: URL, name: String? = nil, lang: String? = nil) {
        let file = url.deletingPathExtension().lastPathComponent
        self.url = url
        self.name = [name, lang].compactMap(\.self).first { !$0.isEmpty } ?? file
        self.lang = lang
    }
}
