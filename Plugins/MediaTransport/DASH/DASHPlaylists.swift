import Foundation
import Playback
import Synchronization

/// The HLS playlists of a DASH stream.
///
/// Engines receive HLS, whatever the stream is. All that holds for HLS therefore holds for DASH too: addresses that are checked
/// one by one, retries, qualities, the window of a live stream. No engine reads a manifest.
///
/// A playlist of the stream has the address of the manifest, with the name of a track as its fragment. The fragment of a
/// segment's address names the clock of the segment.
final class DASHPlaylists: Sendable {
    /// A media playlist.
    struct MediaPlaylist: Sendable {
        let text: String
        /// The start of the first segment, on the timeline of the presentation. In seconds.
        let start: Double
    }

    /// The times in a segment, and the language of its track.
    struct Clock: Equatable, Sendable {
        /// The initialization with the units of time.
        let name: String
        /// The time in the segment at time 0 of the presentation, in seconds.
        let offset: Double
        /// The code of the track's language (ISO 639-2); empty if the manifest does not name it.
        let language: String

        /// Parses the fragment of a segment's address.
        init?(_ url: URL) {
            let parts = url.fragment()?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            guard parts.count == 3, let offset = Double(parts[1]) else { return nil }
            (name, self.offset, language) = (String(parts[0]), offset, String(parts[2]))
        }

        fileprivate init(_ track: Track, _ period: DASHManifest.Period, _ segmentation: DASHSegmentation) {
            name = "\(track.name)@\(period.start)"
            offset = segmentation.mediaStart - period.start
            let code = track.language.flatMap { Locale.Language(identifier: $0).languageCode?.identifier(.alpha3) }
            language = code ?? ""
        }

        fileprivate var fragment: String { "\(name),\(offset),\(language)" }
    }

    /// Requests an address, or a part of it. Returns the bytes, and the address after redirects.
    typealias Read = (URL, ByteRange?) async throws(PlaybackError) -> (bytes: [UInt8], url: URL)

    /// A representation that is played, in all periods.
    fileprivate struct Track {
        /// The fragment of its playlist's address.
        let name: String
        /// The index of its set among those of its kind.
        let set: Int
        let kind: DASHManifest.AdaptationSet.Kind
        let language: String?
        /// The name of its set, to show to the user.
        let label: String?
        let representation: DASHManifest.Representation
    }

    /// The numbers of the segments of a set. Other versions of the manifest begin at other segments.
    private struct Numbering {
        var first: Int
        var starts: [Double]
    }

    private struct State {
        var manifest: DASHManifest
        var readTime: ContinuousClock.Instant
        var indexes: [DASHSegmentation.Index: SegmentIndex] = [:]
        var numberings: [String: Numbering] = [:]
        /// The longest segment, in seconds.
        var targetDuration = 2.0
    }

    /// The bit rate of audio that is chosen if a set has several, in bits per second. Or the next lower one.
    private static let audioBandwidth = 200_000
    /// The shortest time between two requests of the manifest, in seconds.
    private static let shortestInterval = 0.5

    private let url: URL
    private let tracks: [Track]
    private let variants: [Track]
    private let state: Mutex<State>

    /// - Parameter url: the address of the manifest, after redirects.
    init(_ document: [UInt8], url: URL) throws(PlaybackError) {
        do throws(DASHManifest.Problem) {
            let manifest = try DASHManifest(document, url: url)
            self.url = manifest.location ?? url
            let periods = manifest.periods.filter { !$0.sets.isEmpty }
            // A live stream is joined at its edge.
            let period = manifest.isLive ? periods.last : periods.first
            (variants, tracks) = Self.tracks(of: period?.sets ?? [])
            guard !variants.isEmpty else {
                let detail = "The DASH manifest has no audio or video in the format MP4."
                throw DASHManifest.Problem(code: .noPlayableStream, detail: detail)
            }
            if manifest.isLive, manifest.availabilityStart == nil {
                throw .damaged("a live stream has no availabilityStartTime")
            }
            state = Mutex(State(manifest: manifest, readTime: .now))
        } catch {
            throw error.error(at: url)
        }
    }

    /// Returns `true` if the first bytes contain the beginning of a DASH manifest.
    static func isManifest(_ beginning: [UInt8]) -> Bool {
        let start = beginning.prefix(4096)
        // Engines skip other bytes than blanks too, and so could a file of another kind be read as a manifest.
        let blanks: Set<UInt8> = [9, 10, 13, 32]
        let mark = start.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard start.dropFirst(mark).first(where: { !blanks.contains($0) }) == UInt8(ascii: "<") else { return false }
        return start.firstRange(of: "<MPD".utf8) != nil || start.firstRange(of: ":MPD".utf8) != nil
    }

    private static func tracks(of sets: [DASHManifest.AdaptationSet]) -> (variants: [Track], all: [Track]) {
        func tracks(_ kind: DASHManifest.AdaptationSet.Kind) -> [[Track]] {
            let sets = Array(sets.filter { $0.kind == kind }.enumerated())
            // The first one is the default.
            let sorted = sets.filter(\.element.isMain) + sets.filter { !$0.element.isMain }
            return sorted.map { index, set in
                set.representations.enumerated().map { number, representation in
                    Track(
                        name: "\(kind.rawValue)-\(index)-\(number)", set: index, kind: kind, language: set.language,
                        label: set.label, representation: representation)
                }
            }
        }
        let (video, audio) = (tracks(.video), tracks(.audio))
        // H.264 has a decoder on each machine.
        let videoTracks =
            video.first { $0.contains { $0.representation.codecs?.hasPrefix("avc") == true } } ?? video.first
        let audioTracks = audio.compactMap { tracks in
            let allowed = tracks.filter { $0.representation.bandwidth <= audioBandwidth }
            return allowed.max { $0.representation.bandwidth < $1.representation.bandwidth }
                ?? tracks.min { $0.representation.bandwidth < $1.representation.bandwidth }
        }
        guard let videoTracks else { return (audio.first ?? [], (audio.first ?? []) + audioTracks.dropFirst()) }
        return (videoTracks, videoTracks + audioTracks)
    }

    /// The master playlist.
    var masterPlaylist: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
        let audio = tracks.filter { track in track.kind == .audio && !variants.contains { $0.name == track.name } }
        let isAudio = variants.first?.kind == .audio
        let audioBandwidth = audio.map(\.representation.bandwidth).max() ?? 0
        for (index, track) in ((isAudio && !audio.isEmpty ? [variants[0]] : []) + audio).enumerated() {
            let isFirst = index == 0
            let language = track.language.map { Self.quotable($0) } ?? ""
            let label = track.label.map { Self.quotable($0) } ?? ""
            let name = !label.isEmpty ? label : language.isEmpty ? "\(index + 1)" : "\(language)-\(index + 1)"
            var line = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"\(name)\","
            if !language.isEmpty { line += "LANGUAGE=\"\(language)\"," }
            line += "DEFAULT=\(isFirst ? "YES" : "NO"),AUTOSELECT=YES"
            if !(isAudio && isFirst) { line += ",URI=\"\(address(of: track))\"" }
            lines.append(line)
        }
        for track in variants {
            let representation = track.representation
            var line = "#EXT-X-STREAM-INF:BANDWIDTH=\(max(1, representation.bandwidth + audioBandwidth))"
            let codecs = [representation.codecs, audio.first?.representation.codecs].compactMap { $0 }
            if !codecs.isEmpty { line += ",CODECS=\"\(Self.quotable(codecs.joined(separator: ",")))\"" }
            if let width = representation.width, let height = representation.height {
                line += ",RESOLUTION=\(width)x\(height)"
            }
            if let rate = representation.frameRate { line += ",FRAME-RATE=\(rate)" }
            if !audio.isEmpty { line += ",AUDIO=\"audio\"" }
            lines += [line, address(of: track)]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Removes the characters that an attribute of a playlist cannot have.
    private static func quotable(_ text: String) -> String {
        let excluded: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        let allowed = text.unicodeScalars.filter { $0 != "\"" && !excluded.contains($0.properties.generalCategory) }
        return String(String.UnicodeScalarView(allowed.prefix(200)))
    }

    private func address(of track: Track) -> String { Self.address(url, track.name) }

    private static func address(_ url: URL, _ fragment: String) -> String {
        "\(url.absoluteString.prefix { $0 != "#" })#\(fragment)"
    }

    // MARK: Media playlists

    /// Returns the media playlist at an address. A manifest that may have changed is requested again.
    func playlist(at address: URL, read: Read) async throws(PlaybackError) -> MediaPlaylist {
        guard let track = tracks.first(where: { $0.name == address.fragment() }) else {
            throw PlaybackError(.invalidResponse, url: url)
        }
        if isStale {
            let time = ContinuousClock.now
            let (bytes, address) = try await read(url, nil)
            do throws(DASHManifest.Problem) {
                let manifest = try DASHManifest(bytes, url: address)
                state.withLock { state in
                    guard state.readTime < time else { return }
                    (state.manifest, state.readTime) = (manifest, time)
                    let needed = Set(manifest.indexes)
                    state.indexes = state.indexes.filter { needed.contains($0.key) }
                }
            } catch {
                throw error.error(at: url)
            }
        }
        for index in missingIndexes(of: track) {
            let (bytes, _) = try await read(index.url, index.range)
            guard let content = SegmentIndex(Data(bytes), at: index.first) else {
                let detail = "The DASH stream has no index of its segments."
                throw PlaybackError(.unrecognisedFormat, url: url, detail: detail)
            }
            state.withLock { $0.indexes[index] = content }
        }
        do throws(DASHManifest.Problem) {
            return try playlist(of: track)
        } catch {
            throw error.error(at: url)
        }
    }

    private var isStale: Bool {
        state.withLock { state in
            let manifest = state.manifest
            guard manifest.isLive, manifest.end == nil else { return false }
            // A server may list each segment at once, although its minimumUpdatePeriod is longer.
            guard let interval = manifest.isListed ? state.targetDuration / 2 : manifest.updateInterval else {
                return false
            }
            return ContinuousClock.now - state.readTime >= .seconds(max(interval, Self.shortestInterval))
        }
    }

    private func missingIndexes(of track: Track) -> [DASHSegmentation.Index] {
        state.withLock { state in
            state.manifest.periods.compactMap { Self.representation(of: track, in: $0)?.segmentation.index }
                .filter { state.indexes[$0] == nil }
        }
    }

    /// The representation that continues a track in a period.
    private static func representation(
        of track: Track, in period: DASHManifest.Period
    ) -> DASHManifest.Representation? {
        let sets = period.sets.filter { $0.kind == track.kind }
        let own = sets.indices.contains(track.set) ? sets[track.set] : sets.first
        let set = own?.language == track.language ? own : sets.first { $0.language == track.language } ?? own
        func distance(_ other: DASHManifest.Representation) -> Int {
            abs(other.bandwidth - track.representation.bandwidth)
        }
        return set?.representations.first { $0.id == track.representation.id }
            ?? set?.representations.min { distance($0) < distance($1) }
    }

    private func playlist(of track: Track) throws(DASHManifest.Problem) -> MediaPlaylist {
        let (manifest, indexes) = state.withLock { ($0.manifest, $0.indexes) }
        var edge = manifest.isLive ? manifest.availabilityStart.map { Date.now.timeIntervalSince($0) } : nil
        var isComplete = !manifest.isLive
        if let now = edge, let end = manifest.end {
            edge = min(now, end)
            isComplete = now >= end || manifest.isListed
        }
        var segments: [DASHSegment] = []
        /// The index of the first segment of each period, its initialization and its clock.
        var parts: [(first: Int, map: String?, clock: Clock)] = []
        var room = DASHSegmentation.mostAddressBytes
        for period in manifest.periods {
            guard let segmentation = Self.representation(of: track, in: period)?.segmentation else { continue }
            let index = segmentation.index.flatMap { indexes[$0] }
            let found = try segmentation.segments(
                in: period, edge: edge, window: manifest.windowLength, index: index, room: &room)
            guard !found.isEmpty else { continue }
            guard segments.count + found.count <= DASHSegmentation.mostSegments else {
                throw .damaged("a stream has more than \(DASHSegmentation.mostSegments) segments")
            }
            let clock = Clock(track, period, segmentation)
            // Without an entry for it, everything before the index of a file is the initialization.
            let beginning = index.map { (found[0].url, ByteRange(first: 0, last: max($0.position, 1) - 1)) }
            let map = (segmentation.initialization ?? beginning).map { file in
                let range = file.range.map { ",BYTERANGE=\"\(Self.text($0))\"" } ?? ""
                return "#EXT-X-MAP:URI=\"\(Self.address(file.url, clock.fragment))\"\(range)"
            }
            parts.append((segments.count, map, clock))
            segments += found
        }
        var first = 0
        if manifest.isLive, let window = manifest.windowLength, let last = segments.last {
            // The playlist has the latest segments up to the length of the window.
            first = segments.firstIndex { $0.start + $0.duration > last.start + last.duration - window + 0.01 } ?? 0
        }
        guard first < segments.count else {
            throw DASHManifest.Problem(code: .noPlayableStream, detail: "The DASH stream has no segments.")
        }
        let (number, known) = number(of: segments[first...], of: track)
        first = known
        let longest = segments.lazy.map(\.duration).max() ?? 0
        state.withLock { $0.targetDuration = longest }
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(Int(min(longest, 1e6).rounded(.up)))",
            "#EXT-X-MEDIA-SEQUENCE:\(number)",
        ]
        let events = manifest.periods.flatMap(\.events).prefix(StreamMarker.mostMarkers)
        lines += events.map { Self.line(of: $0, after: segments[first].start) }
        for (index, part) in parts.enumerated() {
            let end = index + 1 < parts.count ? parts[index + 1].first : segments.count
            guard end > first else { continue }
            if part.first > first { lines.append("#EXT-X-DISCONTINUITY") }
            if let map = part.map { lines.append(map) }
            for segment in segments[max(first, part.first)..<end] {
                lines.append("#EXTINF:\((segment.duration * 1e6).rounded() / 1e6),")
                if let range = segment.range { lines.append("#EXT-X-BYTERANGE:\(Self.text(range))") }
                lines.append(Self.address(segment.url, part.clock.fragment))
            }
        }
        if isComplete { lines.append("#EXT-X-ENDLIST") }
        return MediaPlaylist(text: lines.joined(separator: "\n") + "\n", start: segments[first].start)
    }

    /// The tag for an event.
    ///
    /// - Parameter start: the time of the first segment, in seconds.
    private static func line(of event: DASHManifest.Event, after start: Double) -> String {
        var line = "\(HLSMarkers.eventTag):ID=\"\(quotable(event.id))\",OFFSET=\(event.start - start)"
        if let duration = event.duration { line += ",DURATION=\(duration)" }
        line += ",SCHEME=\"\(quotable(event.scheme))\",VALUE=\"\(quotable(event.value))\""
        return line + (event.message.map { ",MESSAGE=\"\($0.base64EncodedString())\"" } ?? "")
    }

    private static func text(_ range: ByteRange) -> String {
        "\((range.last ?? range.first) - range.first + 1)@\(range.first)"
    }

    /// Returns the number of the first segment, and its index. A segment keeps its number, also in other representations of its
    /// set. Segments before those of an earlier playlist are left out, because they would move its timeline.
    private func number(of segments: ArraySlice<DASHSegment>, of track: Track) -> (number: Int, first: Int) {
        state.withLock { state in
            let key = "\(track.kind.rawValue)-\(track.set)"
            var (number, first) = (0, segments.startIndex)
            if let before = state.numberings[key] {
                let tolerance = segments[first].duration / 2
                first = segments.firstIndex { $0.start > before.starts[0] - tolerance } ?? first
                let start = segments[first].start - tolerance
                number = before.first + (before.starts.firstIndex { $0 > start } ?? before.starts.count)
            }
            state.numberings[key] = Numbering(first: number, starts: segments[first...].map(\.start))
            return (number, first)
        }
    }
}
