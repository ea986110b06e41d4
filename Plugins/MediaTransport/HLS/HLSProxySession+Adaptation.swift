import Foundation
import Playback

// The variant of each segment, its initialization, and the times in its fragments.
extension HLSProxySession {
    /// Returns a playlist whose segments have numbers in place of addresses; `nil` if the engine must know the addresses.
    func adaptivePlaylist(
        _ playlist: String, _ segments: [HLSSegment], at url: URL, of variant: URL
    ) -> String? {
        guard state.withLock({ $0.adaptation != nil }), areAllowed(segments, from: url) else { return nil }
        return state.withLock { state in
            state.adaptation?.playlist(playlist, segments, of: variant) { number in
                let part = Self.part(of: URL(filePath: "/\(number)"))
                return base.appending(components: Kind.adaptive.rawValue, part, "segment")
            }
        }
    }

    private func areAllowed(_ segments: [HLSSegment], from url: URL) -> Bool {
        let addresses = Set(segments.flatMap { [$0.part.url, $0.map?.url] }.compactMap(\.self))
        return addresses.allSatisfy { stream.options.security.error(for: $0, from: url) == nil }
    }

    /// Answers with a segment of the variant that arrives in time.
    func segment(_ number: Int) async -> HLSProxyResponse {
        let (own, variant, seeks) = state.withLock { state in
            (state.adaptation?.mainSegment(number), state.adaptation?.choose(stream.options.meter.totals), state.seeks)
        }
        guard let own, let variant else { return HLSProxyResponse(status: 404) }
        let chosen = await segment(number, of: variant)
        if chosen != nil { state.withLock { $0.bandwidth = variant.bandwidth } }
        let segment = chosen ?? own
        do throws(PlaybackError) {
            var initialization: [UInt8] = []
            if let map = segment.map { initialization = try await self.initialization(map) }
            return await self.segment(at: segment.part.url, segment.part.range, as: own.part, after: initialization)
        } catch {
            return await refuseSegment(error, error.code == .addressForbidden ? .forbidden : .segment, seeks)
        }
    }

    /// - Returns: `nil` if the variant has no segment with the same content.
    private func segment(_ number: Int, of variant: HLSPlaylist.Variant) async -> HLSSegment? {
        let known = state.withLock { $0.adaptation?.segment(number, of: variant) }
        if let known { return known }
        guard let (text, url) = try? await stream.readPlaylist(at: variant.url, readWhole),
            case .media(let media)? = HLSPlaylist(text, url: url), areAllowed(media.segments, from: url)
        else { return nil }
        return state.withLock { state in
            state.adaptation?.note(media.segments, of: variant.url)
            return state.adaptation?.segment(number, of: variant)
        }
    }

    /// Prepares a playlist whose segments have several initializations.
    ///
    /// - An engine reads as many bytes as `EXT-X-BYTERANGE` names, and an initialization may precede them. So the ranges are in the
    ///   addresses.
    /// - GStreamer's demuxer ignores an initialization at a discontinuity. It needs none, because its times are continuous.
    ///
    /// - Parameter segments: those whose addresses are in it.
    func joined(_ playlist: String, _ segments: [HLSSegment], at url: URL) -> String {
        let (areSeveral, isContinuous) = state.withLock { ($0.initializations.areSeveral, $0.histories != nil) }
        guard areSeveral else { return playlist }
        var rest = segments[...]
        let lines = playlist.split(separator: "\n").compactMap { line -> String? in
            if line == "#EXT-X-DISCONTINUITY", isContinuous { return nil }
            if line.hasPrefix("#EXT-X-BYTERANGE:") { return nil }
            guard !line.hasPrefix("#"), let segment = rest.popFirst(), segment.part.count != nil else {
                return String(line)
            }
            return address(of: segment.part, from: url).absoluteString
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Answers with a segment of the engine's playlist, after the initialization that the engine needs for it.
    ///
    /// - Parameter isWhole: `true` if the engine does not know that it is a part of a file.
    func initializedSegment(at url: URL, _ range: ByteRange?, isWhole: Bool = false) async -> HLSProxyResponse {
        let part = HLSSegment.Part(url: url, start: range?.first ?? 0)
        let (map, seeks) = state.withLock { ($0.initializations.missing(before: part), $0.seeks) }
        do throws(PlaybackError) {
            let beginning = if let map { try await initialization(map) } else { [UInt8]() }
            return await segment(at: url, range, as: isWhole ? part : nil, after: beginning)
        } catch {
            return await refuseSegment(error, error.code == .addressForbidden ? .forbidden : .segment, seeks)
        }
    }

    private func initialization(_ part: HLSSegment.Part) async throws(PlaybackError) -> [UInt8] {
        if let bytes = state.withLock({ $0.adaptation?.initializations[part] }) { return bytes }
        let (bytes, _) = try await readWhole(part.url, part.range)
        state.withLock { $0.adaptation?.initializations[part] = bytes }
        return bytes
    }

    /// Moves the times in fragmented mp4 to those of its playlist; `nil` if they stay.
    func fragmentClock(of url: URL, _ part: HLSSegment.Part) -> FragmentClock? {
        guard stream.dash != nil else { return fragmentClock(of: part) }
        guard let clock = DASHPlaylists.Clock(url) else { return nil }
        let (start, scales) = state.withLock { ($0.start ?? 0, $0.scales[clock.name] ?? [:]) }
        let shift = clock.offset + start
        return FragmentClock(clock.name, scales: scales, language: clock.language) { _ in shift }
    }

    private func fragmentClock(of part: HLSSegment.Part) -> FragmentClock? {
        guard let times = state.withLock(\.times) else { return nil }
        let fragment = times.fragment(part)
        guard fragment != nil || times.isMap(part) else { return nil }
        let map = fragment?.map ?? part.beginning
        let name = "\(map.url.absoluteString) \(map.start)"
        let scales = state.withLock { $0.scales[name] ?? [:] }
        return FragmentClock(name, scales: scales) { [weak self] time in
            guard let self, let fragment else { return 0 }
            return state.withLock { $0.times?.shift(of: time, startingAt: fragment.start) ?? 0 }
        }
    }
}
