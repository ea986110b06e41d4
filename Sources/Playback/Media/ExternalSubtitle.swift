import Foundation

/// Subtitles in their own file, SRT or WebVTT, which belong to an item.
public struct ExternalSubtitle: Codable, Hashable, Sendable {
    /// The address of the file.
    public let url: URL
    /// The name to show to the user.
    public let name: String
    /// The language (ISO 639), or `nil` if it is not known.
    public let lang: String?

    /// - Parameters:
    ///   - url: a local file, or an address from which the backend can read.
    ///   - name: the name to show to the user; by default the language, else the file's name.
    ///   - lang: the language (ISO 639).
    public init(url: URL, name: String? = nil, lang: String? = nil) {
        self.url = url
        let file = url.deletingPathExtension().lastPathComponent
        self.name = [name, lang].compactMap(\.self).first { !$0.isEmpty } ?? file
        self.lang = lang
    }
}
