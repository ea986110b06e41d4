import Foundation
import Playback

// The variant of each segment, its initialization, and the times in its fragments.
extension HLSProxySession {
    /// Returns a playlist whose segments have numbers in place of addresses; `nil` if the engine must know the addresses.
    ///
    /// - Parameters:
    ///   - playlist: the playlist of a variant or a rendition.
    ///   - name: the address by which the engine requests it.
    func numbered(_ playlist: String, _ segments: [HLSSegment], at url: URL, named name: URL) -> String? {
        state.withLock { $0.times.decide(for: segments) }
        guard !segments.isEmpty, !segments.contains(where: \.isEncrypted), areAllowed(segments, from: url) else {
            return nil
        }
        // An advertisement may be in a stream twice.
        let hasRepeats = Set(segments.map(\.part)).count < segments.count
        return state.withLock { state in
            let adapts = state.adaptation?.begin(name) == true
            let movesTimes = state.times.moves(segments)
            guard adapts || hasRepeats || movesTimes else { return nil }
            state.numbered.add(segments, of: name)
            if movesTimes { state.times.add(segments, of: name) }
            let dropsDiscontinuities = state.playlists.countsFromFirst && segments.allSatisfy { $0.map != nil }
            return NumberedSegments.playlist(playlist, segments, dropsDiscontinuities: dropsDiscontinuities) { number in
                let kind = adapts ? Kind.adaptive : .numbered
                return base.appending(components: kind.rawValue, Self.part(of: name), "\(number)", "segment")
            }
        }
    }

    private func areAllowed(_ segments: [HLSSegment], from url: URL) -> Bool {
        let addresses = Set(segments.flatMap { [$0.part.url, $0.map?.url] }.compactMap(\.self))
        return addresses.allSatisfy { stream.options.security.error(for: $0, from: url) == nil }
    }

    /// Answers with a segment after its initialization.
    ///
    /// - Parameters:
    ///   - playlist: the address by which the engine has requested the playlist.
    ///   - adapts: `true` for the segment of the variant that arrives in time.
    func segment(_ number: Int, of playlist: URL, adapts: Bool) async -> HLSProxyResponse {
        let (own, seeks) = state.withLock { ($0.numbered[number, playlist], $0.failures.seeks) }
        guard let own else { return HLSProxyResponse(status: 404) }
        let segment = adapts ? await chosenSegment(for: own) : own
        do throws(PlaybackError) {
            var initialization: [UInt8] = []
            if let map = segment.map { initialization = try await self.initialization(map) }
            return await self.segment(
                at: segment.part.url, segment.part.range, as: (own, playlist), after: initialization)
        } catch {
            let failure = state.withLock { $0.playlists.failure(of: own.part) }
            return await refuseSegment(error, error.code == .addressForbidden ? .forbidden : failure, seeks)
        }
    }

    private func chosenSegment(for own: HLSSegment) async -> HLSSegment {
        let variant = state.withLock { $0.adaptation?.choose(stream.options.meter.totals) }
        guard let variant, let segment = await counterpart(of: own, in: variant) else { return own }
        state.withLock { $0.bandwidth = variant.bandwidth }
        return segment
    }

    /// - Returns: `nil` if the variant has no segment with the same content.
    private func counterpart(of own: HLSSegment, in variant: HLSPlaylist.Variant) async -> HLSSegment? {
        let known = state.withLock { $0.numbered.counterpart(of: own, in: variant.url) }
        if let known { return known }
        guard let (text, url) = try? await stream.readPlaylist(at: variant.url, readWhole),
            case .media(let media)? = HLSPlaylist(text, url: url), areAllowed(media.segments, from: url)
        else { return nil }
        return state.withLock { state in
            state.numbered.add(media.segments, of: variant.url)
            return state.numbered.counterpart(of: own, in: variant.url)
        }
    }

    private func initialization(_ part: HLSSegment.Part) async throws(PlaybackError) -> [UInt8] {
        if let bytes = state.withLock({ $0.numbered.initializations[part] }) { return bytes }
        let (bytes, _) = try await readWhole(part.url, part.range)
        state.withLock { $0.numbered.initializations[part] = bytes }
        return bytes
    }

    /// Moves the times in a segment to those of its playlist; `nil` if they stay.
    ///
    /// - Parameter own: the segment of the engine's playlist, if the engine has requested it by its number.
    func clock(of url: URL, _ own: (segment: HLSSegment, playlist: URL)?) -> (any SegmentClock)? {
        if stream.dash != nil {
            guard let clock = DASHPlaylists.Clock(url) else { return nil }
            let (start, scales) = state.withLock { ($0.times.start ?? 0, $0.times.scales[clock.name] ?? [:]) }
            let shift = clock.offset + start
            return FragmentClock(clock.name, scales: scales, language: clock.language) { _ in shift }
        }
        guard let own else { return nil }
        let shift = { @Sendable [weak self] (time: Double) -> Double in
            self?.state.withLock { state in
                if !state.playlists.isRendition(own.playlist) { state.times.setClock(time, of: own.segment) }
                return state.times.shift(of: time, in: own.segment, of: own.playlist)
            } ?? 0
        }
        guard let map = own.segment.map else {
            return state.withLock(\.times.movesTransportStreams) ? TransportStreamClock(shift: shift) : nil
        }
        let name = "\(map.url.absoluteString) \(map.start)"
        let scales = state.withLock { $0.times.scales[name] ?? [:] }
        return FragmentClock(name, scales: scales, shift: shift)
    }
}
