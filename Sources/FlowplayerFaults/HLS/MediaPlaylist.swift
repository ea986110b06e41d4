import Foundation

/// A media playlist (RFC 8216, 4.3.3), parsed as far as the faults need it.
struct MediaPlaylist {
    struct Segment {
        /// The tags that apply to this segment only.
        var tags: [String]
        var address: String
        /// The duration, in seconds.
        var duration: Double
        /// The tags that apply until the next of their kind: `EXT-X-KEY`, `EXT-X-MAP`.
        var lasting: [String]
    }

    private var head: [String] = []
    private(set) var segments: [Segment] = []
    private var sequence = 0
    private var discontinuitySequence = 0
    /// `true` if the playlist has an `EXT-X-ENDLIST`.
    var isEnded = false

    /// Returns `nil` for other files and for multivariant playlists.
    init?(text: String) {
        guard text.hasPrefix("#EXTM3U"), text.contains("#EXTINF:") else { return nil }
        var (tags, lasting): ([String], [String]) = ([], [])
        var duration = 0.0
        for line in text.split(whereSeparator: \.isNewline).map(String.init) {
            let tag = line.prefix { $0 != ":" }
            let value = line.dropFirst(tag.count + 1)
            switch tag {
            case "#EXT-X-MEDIA-SEQUENCE": sequence = Self.number(value)
            case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = Self.number(value)
            case "#EXT-X-ENDLIST": isEnded = true
            case "#EXT-X-PLAYLIST-TYPE": break
            case "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START",
                "#EXT-X-ALLOW-CACHE":
                head.append(line)
            case "#EXT-X-KEY", "#EXT-X-MAP":
                lasting.removeAll { $0.hasPrefix(tag + ":") }
                lasting.append(line)
            case _ where line.hasPrefix("#"):
                if tag == "#EXTINF" { duration = Double(value.prefix { $0 != "," }) ?? 0 }
                tags.append(line)
            default:
                let isValid = Self.durations.contains(duration)
                segments.append(
                    Segment(tags: tags, address: line, duration: isValid ? duration : 0, lasting: lasting))
                (tags, duration) = ([], 0)
            }
        }
    }

    /// The durations of segments that are accepted, in seconds.
    private static let durations = 1e-3...1e6

    /// Returns the number, or 0 if it is invalid or too large to count from.
    private static func number(_ text: Substring) -> Int {
        Int(text).flatMap { (0...Int(UInt32.max)).contains($0) ? $0 : nil } ?? 0
    }

    /// The playlist as text.
    var text: String {
        var lines = head + ["#EXT-X-MEDIA-SEQUENCE:\(sequence)"]
        if discontinuitySequence > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        var lasting: [String] = []
        for segment in segments {
            lines += segment.lasting.filter { !lasting.contains($0) } + segment.tags + [segment.address]
            lasting = segment.lasting
        }
        if isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reduces the segments to the window of a live stream at a time.
    mutating func showWindow(_ count: Int, after time: Duration, isEndless: Bool) {
        let all = segments
        let total = all.reduce(0) { $0 + $1.duration }
        guard count < all.count || isEndless, total > 0 else { return }
        var first = 0
        var rest = time.inSeconds
        if isEndless {
            let rounds = Int(rest / total)
            first = rounds * all.count
            rest -= Double(rounds) * total
        }
        while isEndless || first + count < all.count, rest >= all[first % all.count].duration {
            rest -= all[first % all.count].duration
            first += 1
        }
        segments = (first..<first + count).map { index in
            var segment = all[index % all.count]
            if index > 0, index % all.count == 0 { segment.tags.insert("#EXT-X-DISCONTINUITY", at: 0) }
            return segment
        }
        sequence += first
        // Counts the discontinuities that have left the window. The one before the first segment is still in it.
        discontinuitySequence += max(0, first - 1) / all.count
        isEnded = !isEndless && first + count >= all.count
    }

    /// Duplicates a segment, if there is one with this number.
    ///
    /// - Parameter number: the position, from 1.
    mutating func duplicateSegment(_ number: Int) {
        guard segments.indices.contains(number - 1) else { return }
        segments.insert(segments[number - 1], at: number)
    }

    mutating func mapAddresses(_ transform: (String) -> String) {
        for index in segments.indices { segments[index].address = transform(segments[index].address) }
    }
}

extension Content {
    /// Changes a media playlist. Other files stay as they are.
    mutating func changePlaylist(_ body: (inout MediaPlaylist) -> Void) {
        guard let text = playlistText, var playlist = MediaPlaylist(text: text) else { return }
        body(&playlist)
        data = Data(playlist.text.utf8)
    }

    /// Adds a query to every address of a playlist that has none. The query includes its `?`.
    mutating func addQuery(_ query: String) {
        let lines = playlistText?.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix("#") else { return line.isEmpty || line.contains("?") ? String(line) : line + query }
            return String(line).replacing(#/URI="([^"?]+)"/#) { "URI=\"\($0.1)\(query)\"" }
        }
        if let lines { data = Data(lines.joined(separator: "\n").utf8) }
    }

    /// The text of an HLS playlist; `nil` for other files.
    private var playlistText: String? { path.hasSuffix(".m3u8") ? String(decoding: data, as: UTF8.self) : nil }
}
