/// The text of any HLS playlist.
struct PlaylistText {
    var text: String

    /// Returns `nil` for other files.
    init?(_ content: Content) {
        guard content.path.hasSuffix(".m3u8") else { return nil }
        text = String(decoding: content.data, as: UTF8.self)
    }

    /// Adds a query to every address without one. The query includes its `?`.
    mutating func addQuery(_ query: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("#") else { return line.isEmpty || line.contains("?") ? String(line) : line + query }
            return String(line).replacing(#/URI="([^"?]+)"/#) { "URI=\"\($0.1)\(query)\"" }
        }
        text = lines.joined(separator: "\n")
    }
}
