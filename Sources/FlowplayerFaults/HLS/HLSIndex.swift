import Foundation

/// The segments and media playlists that the playlists of a library list.
struct HLSIndex {
    /// The positions of each segment in media playlists, from 1.
    private var segments: [String: Set<Int>] = [:]
    /// The positions of each media playlist in multivariant playlists, from 1.
    private var variants: [String: Set<Int>] = [:]

    init(_ library: Library) {
        for path in library.paths where path.hasSuffix(".m3u8") {
            guard let data = library.data(at: path) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            let isMedia = text.contains("#EXTINF:")
            var number = 0
            for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
                number += 1
                let named = Self.path(of: String(line), in: path)
                if isMedia { segments[named, default: []].insert(number) }
                if !isMedia { variants[named, default: []].insert(number) }
            }
        }
    }

    /// Resolves an address of a playlist to a path.
    static func path(of address: String, in playlist: String) -> String {
        let url = URL(string: address, relativeTo: URL(filePath: playlist))?.absoluteURL.standardized
        return url?.path(percentEncoded: false) ?? address
    }

    func contains(_ path: String, in part: FaultOccasion.Part) -> Bool {
        switch part {
        case .any: true
        case .playlists: path.hasSuffix(".m3u8")
        case .segments: segments[path] != nil
        case .segment(let number): segments[path]?.contains(number) == true
        case .variant(let number): variants[path]?.contains(number) == true
        }
    }
}
