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
        /// The group of the subtitles; `nil` without one.
        var subtitleGroup: String?
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

    /// One of several audio or subtitle streams with the same content (RFC 8216, section 4.3.4.1).
    package struct Rendition: Equatable, Sendable {
        enum Kind: String {
            case audio = "AUDIO"
            case subtitles = "SUBTITLES"
        }

        let kind: Kind
        let group: String?
        package let name: String?
        package let lang: String?
        /// The address of its playlist; `nil` if it is part of the variant.
        let url: URL?
        package let isDefault: Bool

        /// `true` if it has its own playlist.
        package var isSeparate: Bool { url != nil }
    }

    /// A master playlist.
    package struct Master: Equatable, Sendable {
        var variants: [Variant] = []
        var renditions: [Rendition] = []
    }

    /// A media playlist.
    package struct Media: Equatable, Sendable {
        /// The longest duration of a segment, in seconds.
        var targetDuration = 0.0
        /// The number of the first segment.
        var firstNumber = 0
        var segments: [HLSSegment] = []
        /// `true` if no more segments will follow.
        var isComplete = false
        /// The marks, whose positions begin at the first segment.
        var markers: [StreamMarker] = []
        /// `true` if segments have DRM, also after clear ones, and no key that any player may read.
        var isProtected = false
    }

    case master(Master)
    case media(Media)

    /// Returns `nil` if the text is not a playlist.
    ///
    /// A live playlist is parsed again at each reload. Regular expressions would need seconds for a long one.
    init?(_ text: String, url: URL) {
        var lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }[...]
        guard lines.popFirst()?.hasPrefix("#EXTM3U") == true else { return nil }
        var parser = HLSPlaylistParser(url: url)
        for line in lines where !line.isEmpty {
            if line.hasPrefix("#") {
                parser.read(tag: line)
            } else {
                parser.read(address: line)
            }
        }
        self = parser.playlist
    }
}

/// Parses a playlist line by line.
private struct HLSPlaylistParser {
    let url: URL
    private var master = HLSPlaylist.Master()
    private var media = HLSPlaylist.Media()
    private var markers = HLSMarkers()
    /// The attributes of the next variant.
    private var variant: [String: String]?

    // The tags of the next segment.
    private var duration = 0.0
    private var range: (count: UInt64, start: UInt64?)?
    private var map: HLSSegment.Part?
    private var period = 0
    private var isEncrypted = false
    /// `true` for each key that belongs to DRM, and `false` for each that does not.
    private var keys: Set<Bool> = []
    /// The end of the last range.
    private var offset: UInt64 = 0

    init(url: URL) { self.url = url }

    var playlist: HLSPlaylist {
        if !master.variants.isEmpty { return .master(master) }
        var media = media
        media.markers = markers.markers
        media.isProtected = keys == [true]
        return .media(media)
    }

    mutating func read(tag line: String) {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1)
        switch name {
        case "#EXT-X-STREAM-INF": variant = HLSAttributes.values(value)
        case "#EXT-X-MEDIA":
            HLSPlaylist.Rendition(HLSAttributes.values(value), at: url).map { master.renditions.append($0) }
        case "#EXT-X-TARGETDURATION": media.targetDuration = Self.seconds(value) ?? 0
        case "#EXT-X-MEDIA-SEQUENCE": media.firstNumber = Self.number(value).map { Int($0) } ?? media.firstNumber
        case "#EXT-X-ENDLIST": media.isComplete = true
        case "#EXTINF": duration = Self.seconds(value.prefix { $0 != "," }) ?? 0
        case "#EXT-X-BYTERANGE": range = Self.byteRange(value) ?? range
        case "#EXT-X-DISCONTINUITY": period += 1
        case "#EXT-X-DISCONTINUITY-SEQUENCE": period = Self.number(value).map { Int($0) } ?? period
        case "#EXT-X-MAP": map = initialization(HLSAttributes.values(value))
        case "#EXT-X-KEY": readKey(HLSAttributes.values(value))
        default:
            markers.number = number
            markers.read(name, value)
        }
    }

    private mutating func readKey(_ attributes: [String: String]) {
        let method = attributes["METHOD"]
        isEncrypted = method != "NONE"
        if isEncrypted { keys.insert(method != "AES-128" || attributes["KEYFORMAT"] ?? "identity" != "identity") }
    }

    mutating func read(address line: String) {
        let attributes = variant.take()
        // The rewriter drops what is no address, so engines do not count it either.
        guard let address = URL(string: line, relativeTo: url)?.absoluteURL else { return }
        if let attributes {
            return master.variants.append(HLSPlaylist.Variant(attributes, at: address))
        }
        let start = range.map { $0.start ?? offset } ?? 0
        let part = HLSSegment.Part(url: address, start: start, count: range?.count)
        media.segments.append(
            HLSSegment(
                number: number, part: part, map: map, duration: duration, period: period, isEncrypted: isEncrypted))
        markers.position += duration
        offset = start + (range?.count ?? 0)
        range = nil
        duration = 0
    }

    /// The number of the next segment.
    private var number: Int { media.firstNumber + media.segments.count }

    /// The initialization of the next segments.
    private func initialization(_ attributes: [String: String]) -> HLSSegment.Part? {
        let address = attributes["URI"].flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
        let range = attributes["BYTERANGE"].flatMap { Self.byteRange($0) }
        return address.map { HLSSegment.Part(url: $0, start: range?.start ?? 0, count: range?.count) }
    }

    /// Parses a time of at most a million seconds.
    private static func seconds(_ text: Substring) -> Double? {
        Double(text).flatMap { (0...1e6).contains($0) ? $0 : nil }
    }

    /// Parses `count` or `count@start`.
    private static func byteRange(_ text: some StringProtocol) -> (count: UInt64, start: UInt64?)? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map { number($0) }
        guard let count = parts[0], parts.count == 1 || parts.count == 2 && parts[1] != nil else { return nil }
        return (count, parts.count == 2 ? parts[1] : nil)
    }

    /// Parses 1 to 15 digits. More could overflow when they are added.
    private static func number(_ text: some StringProtocol) -> UInt64? {
        let isValid = (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isValid ? UInt64(text) : nil
    }
}

extension HLSPlaylist.Variant {
    /// - Parameter attributes: those of `EXT-X-STREAM-INF`.
    fileprivate init(_ attributes: [String: String], at url: URL) {
        let sides = attributes["RESOLUTION"]?.split(separator: "x").map { side in
            Int(side).flatMap { (1..<1 << 20).contains($0) ? $0 : nil }
        }
        let size = sides?.count == 2 ? sides : nil
        func number(_ name: String) -> Double? {
            attributes[name].flatMap { Double($0) }.flatMap { (0...1e12).contains($0) ? $0 : nil }
        }
        let codecs = attributes["CODECS"]?.split(separator: ",") ?? []
        self.init(
            url: url, bandwidth: number("BANDWIDTH") ?? 0, height: size?[1],
            codecs: codecs.map { $0.trimmingCharacters(in: .whitespaces) }, audioGroup: attributes["AUDIO"],
            subtitleGroup: attributes["SUBTITLES"], width: size?[0], frameRate: number("FRAME-RATE"))
    }
}

extension HLSPlaylist.Rendition {
    /// - Parameters:
    ///   - attributes: those of `EXT-X-MEDIA`.
    ///   - playlist: the address of the playlist.
    fileprivate init?(_ attributes: [String: String], at playlist: URL) {
        guard let kind = attributes["TYPE"].flatMap(Kind.init) else { return nil }
        let url = attributes["URI"].flatMap { URL(string: $0, relativeTo: playlist)?.absoluteURL }
        self.init(
            kind: kind, group: attributes["GROUP-ID"], name: attributes["NAME"], lang: attributes["LANGUAGE"],
            url: url, isDefault: attributes["DEFAULT"] == "YES")
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
