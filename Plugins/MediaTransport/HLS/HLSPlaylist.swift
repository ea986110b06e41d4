import Foundation
import Playback

/// The parts of an HLS playlist (RFC 8216) that a backend needs. The engine parses the rest.
package enum HLSPlaylist: Equatable, Sendable {
    /// One variant stream of a master playlist.
    package struct Variant: Equatable, Sendable {
        package let url: URL
        /// The bit rate, in bits per second.
        package let bandwidth: Double
        /// The height of the video, in pixels; `nil` if it is unknown.
        package let height: Int?
        /// The attribute `CODECS`; empty if there is none.
        var codecs: [String] = []
        /// The group of the audio that has its own playlists; `nil` without one.
        var audioGroup: String?
        /// The width of the video, in pixels; `nil` if it is unknown.
        var width: Int?
        /// Frames per second; `nil` if it is unknown.
        var frameRate: Double?

        var hasSeparateAudio: Bool { audioGroup != nil }

        /// The size of the video; 0 if it is unknown.
        var size: VideoSize { VideoSize(width: width ?? 0, height: height ?? 0) }

        /// `true` if all codecs are audio codecs.
        var isAudioOnly: Bool {
            height == nil && !codecs.isEmpty
                && codecs.allSatisfy { codec in Self.audioCodecs.contains { codec.hasPrefix($0) } }
        }

        /// Returns `true` if one variant can replace the other.
        func isLike(_ other: Variant) -> Bool {
            isAudioOnly == other.isAudioOnly && hasSeparateAudio == other.hasSeparateAudio
        }

        /// The prefixes of audio codecs (RFC 6381).
        private static let audioCodecs = [
            "mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "fLaC", "flac", "alac", "mp3",
        ]
    }

    /// One of several audio streams with the same content (RFC 8216, section 4.3.4.1).
    package struct AudioRendition: Equatable, Sendable {
        package let name: String?
        package let lang: String?
        /// `true` if it has its own playlist. Otherwise it is part of the variant.
        package let isSeparate: Bool
        package let isDefault: Bool

        /// The renditions of a group, in the order of the playlist.
        static func list(of text: String, group: String) -> [AudioRendition] {
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("#EXT-X-MEDIA:") }.compactMap { line in
                let attributes = HLSPlaylist.attributes(String(line))
                guard attributes["TYPE"] == "AUDIO", attributes["GROUP-ID"] == group else { return nil }
                return AudioRendition(
                    name: attributes["NAME"], lang: attributes["LANGUAGE"], isSeparate: attributes["URI"] != nil,
                    isDefault: attributes["DEFAULT"] == "YES")
            }
        }
    }

    /// The segments of a media playlist.
    package struct Segments: Equatable, Sendable {
        /// The longest duration of a segment, in seconds.
        var targetDuration = 0.0
        /// The number of the first segment.
        var firstNumber = 0
        /// The durations of the segments, in seconds.
        var durations: [Double] = []
        /// `true` if no more segments will follow.
        var isComplete = false
        /// The marks, whose positions begin at the first segment.
        var markers: [StreamMarker] = []
    }

    case master([Variant])
    case media(Segments)

    /// Returns `nil` if the text is not a playlist.
    init?(_ text: String, url: URL) {
        var lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }[...]
        guard lines.popFirst()?.hasPrefix("#EXTM3U") == true else { return nil }
        var variants: [Variant] = []
        var segments = Segments()
        var pending: [String: String]?
        var markers = HLSMarkers()
        for line in lines where !line.isEmpty {
            if line.hasPrefix("#EXT-X-STREAM-INF:") {
                pending = Self.attributes(line)
            } else if line.hasPrefix("#EXTINF:") {
                let duration = Self.number(line, until: ",") ?? 0
                segments.durations.append(duration)
                markers.add(segmentOf: duration)
            } else if line.hasPrefix("#EXT-X-TARGETDURATION:") {
                segments.targetDuration = Self.number(line) ?? 0
            } else if line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
                segments.firstNumber = Self.number(line).flatMap { Int(exactly: $0) } ?? 0
                markers.firstNumber = segments.firstNumber
            } else if line.hasPrefix("#EXT-X-ENDLIST") {
                segments.isComplete = true
            } else if !line.hasPrefix("#"), let attributes = pending {
                pending = nil
                guard let url = URL(string: line, relativeTo: url)?.absoluteURL else { continue }
                let sides = attributes["RESOLUTION"]?.split(separator: "x").map { Int($0) }
                let isSize = sides?.count == 2
                let height = isSize ? sides?[1].flatMap { $0 < 1 << 20 ? $0 : nil } : nil
                let width = isSize ? sides?[0].flatMap { $0 < 1 << 20 ? $0 : nil } : nil
                let bandwidth = attributes["BANDWIDTH"].flatMap { Double($0) } ?? 0
                let codecs = attributes["CODECS"]?.split(separator: ",") ?? []
                variants.append(
                    Variant(
                        url: url, bandwidth: bandwidth, height: height,
                        codecs: codecs.map { $0.trimmingCharacters(in: .whitespaces) },
                        audioGroup: attributes["AUDIO"], width: width,
                        frameRate: attributes["FRAME-RATE"].flatMap { Double($0) }))
            } else {
                markers.read(line)
            }
        }
        segments.markers = markers.markers
        self = variants.isEmpty ? .media(segments) : .master(variants)
    }

    private static func number(_ line: String, until end: Character = "\n") -> Double? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].prefix { $0 != end }
        return Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// Parses `NAME=value` and `NAME="value, with commas"` (RFC 8216, section 4.2).
    private static func attributes(_ line: String) -> [String: String] {
        line.matches(of: /([A-Z0-9-]+)=("[^"]*"|[^,]*)/).reduce(into: [:]) { attributes, match in
            attributes[String(match.1)] = match.2.trimmingCharacters(in: ["\""])
        }
    }
}

extension [HLSPlaylist.Variant] {
    /// The variants, the lowest bit rate first.
    var ascending: Self { sorted { $0.bandwidth < $1.bandwidth } }

    /// The variant to play while the video is not visible; `nil` if there is none, or if the audio is in its own playlist.
    var audioOnly: HLSPlaylist.Variant? {
        contains { $0.hasSeparateAudio } ? nil : filter(\.isAudioOnly).max { $0.bandwidth < $1.bandwidth }
    }
}
