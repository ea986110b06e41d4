import Foundation

/// What this backend needs to know of an HLS playlist (RFC 8216); everything else in it is libVLC's.
package enum HLSPlaylist: Equatable, Sendable {
    /// One of several versions of a stream.
    package struct Variant: Equatable, Sendable {
        package let url: URL
        /// In bits a second.
        package let bandwidth: Double
        /// In pixels; `nil` if the playlist does not say.
        package let height: Int?
        /// What is in it, as the playlist lists its formats; empty if it does not.
        package var codecs: [String] = []
        /// Whether its sound is in a playlist of its own.
        package var hasSeparateSound = false

        /// Whether it is sound and nothing else, so far as the playlist says.
        package var isSoundOnly: Bool {
            height == nil && !codecs.isEmpty
                && codecs.allSatisfy { codec in Self.soundCodecs.contains { codec.hasPrefix($0) } }
        }

        /// Whether one can be played where the other was to be.
        package func isLike(_ other: Variant) -> Bool {
            isSoundOnly == other.isSoundOnly && hasSeparateSound == other.hasSeparateSound
        }

        /// The beginnings of what RFC 6381 calls the formats of sound.
        private static let soundCodecs = [
            "mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "fLaC", "flac", "alac", "mp3",
        ]
    }

    /// The pieces of one version.
    package struct Segments: Equatable, Sendable {
        /// In seconds.
        package var targetDuration = 0.0
        /// The number of the first segment.
        package var firstNumber = 0
        /// In seconds, in order.
        package var durations: [Double] = []
        /// Whether no more segments will come.
        package var isComplete = false
    }

    case master([Variant])
    case media(Segments)

    /// `nil` if the text is no playlist.
    package init?(_ text: String, url: URL) {
        var lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }[...]
        guard lines.popFirst()?.hasPrefix("#EXTM3U") == true else { return nil }
        var variants: [Variant] = []
        var segments = Segments()
        var pending: [String: String]?
        for line in lines where !line.isEmpty {
            if line.hasPrefix("#EXT-X-STREAM-INF:") {
                pending = Self.attributes(line)
            } else if line.hasPrefix("#EXTINF:") {
                segments.durations.append(Self.number(line, until: ",") ?? 0)
            } else if line.hasPrefix("#EXT-X-TARGETDURATION:") {
                segments.targetDuration = Self.number(line) ?? 0
            } else if line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
                segments.firstNumber = Self.number(line).flatMap { Int(exactly: $0) } ?? 0
            } else if line.hasPrefix("#EXT-X-ENDLIST") {
                segments.isComplete = true
            } else if !line.hasPrefix("#"), let attributes = pending {
                pending = nil
                guard let url = URL(string: line, relativeTo: url)?.absoluteURL else { continue }
                let height = attributes["RESOLUTION"]?.split(separator: "x").last.flatMap { Int($0) }
                let bandwidth = attributes["BANDWIDTH"].flatMap { Double($0) } ?? 0
                let codecs = attributes["CODECS"]?.split(separator: ",") ?? []
                variants.append(
                    Variant(
                        url: url, bandwidth: bandwidth, height: height,
                        codecs: codecs.map { $0.trimmingCharacters(in: .whitespaces) },
                        hasSeparateSound: attributes["AUDIO"] != nil))
            }
        }
        self = variants.isEmpty ? .media(segments) : .master(variants)
    }

    private static func number(_ line: String, until end: Character = "\n") -> Double? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].prefix { $0 != end }
        return Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// `NAME=value` and `NAME="value, with commas"`, as section 4.2 has them.
    private static func attributes(_ line: String) -> [String: String] {
        line.matches(of: /([A-Z0-9-]+)=("[^"]*"|[^,]*)/).reduce(into: [:]) { attributes, match in
            attributes[String(match.1)] = match.2.trimmingCharacters(in: ["\""])
        }
    }
}

extension [HLSPlaylist.Variant] {
    /// The lowest bit rate first.
    package var ascending: Self { sorted { $0.bandwidth < $1.bandwidth } }

    /// The variant to play while nobody sees the picture; `nil` where there is none, or where leaving out the picture does.
    package var soundOnly: HLSPlaylist.Variant? {
        contains { $0.hasSeparateSound } ? nil : filter(\.isSoundOnly).max { $0.bandwidth < $1.bandwidth }
    }
}
