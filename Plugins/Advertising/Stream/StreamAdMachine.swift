import Playback

/// The rules of breaks that a server has inserted into a stream. Times are in seconds.
///
/// Pure: it has no clock and no player. A break starts when playback is in it, and ends when playback has passed it.
///
/// - A break that was played to its end is seen. It is content from then on.
/// - A seek over breaks that were not seen goes to the last of them. After it, playback continues at the requested position.
/// - A seek in a break changes only the position at which playback continues. A seek to before the break leaves it.
/// - In a live stream, seeks are free: the viewer may always go to the live edge.
/// - Before an item has started, the advertisement at its position is shown already, so that the item never seems to play first.
struct StreamAdMachine: Codable, Hashable, Sendable {
    enum Input: Codable, Hashable, Sendable {
        /// The stream of a session is open.
        case loaded
        /// All breaks that are known.
        case breaks([StreamBreak], duration: Double?, isLive: Bool)
        /// The position of the item; `isPlaying` is `false` while it is paused.
        case position(Double, isPlaying: Bool)
        /// The item is wanted to play, or not any more.
        case wanted(Bool)
        /// The viewer skips the advertisement that plays.
        case skipped
        /// A seek was not possible.
        case seekFailed
        /// The item has played to its end.
        case ended
        /// The item has failed.
        case failed
        /// The item is replaced.
        case closed
    }

    enum Effect: Codable, Hashable, Sendable {
        case report(DAIStateStream)
        case show(Advertisement?)
        case seek(Double)
    }

    /// The break that plays, or with which the item will start.
    private struct Current: Codable, Hashable, Sendable {
        var adBreak: StreamBreak
        var hasBegun = true
        /// The index of the advertisement.
        var ad = 0
        var isPaused = false
        /// The end of the advertisement to which the viewer has skipped.
        var skipTarget: Double?
        /// The position at which playback continues after the break; `nil` for its end.
        var resumption: Double?
    }

    /// A seek that goes to a break, which has not started.
    private struct Detour: Codable, Hashable, Sendable {
        /// The position before the seek.
        let origin: Double
        let adBreak: StreamBreak
        let resumption: Double?
    }

    private(set) var breaks: [StreamBreak] = []
    /// The starts of the breaks that were seen.
    private var seen: [Double] = []
    private var duration: Double?
    private var isLive = false
    private var isLoaded = false
    /// `true` if the item has played since it was opened.
    private var hasStarted = false
    private var current: Current?
    private var detour: Detour?

    private static let mostSeen = 500

    /// The breaks that were not seen.
    var unseen: [StreamBreak] { breaks.filter { !isSeen($0) } }

    /// The next position at which an advertisement ends; `nil` if none plays, or if its end is not known.
    var nextEdge: Double? { playing.flatMap { end(of: $0) } }

    private var playing: Current? { current.flatMap { $0.hasBegun ? $0 : nil } }

    /// The position at which the advertisement that plays starts; `nil` if there is none.
    var currentStart: Double? { current.map { $0.adBreak.start(ofAd: $0.ad) } }

    /// The break that plays; `nil` if there is none.
    var currentBreak: StreamBreak? { current?.adBreak }

    /// `true` if the viewer may skip advertisements that allow it.
    var canSkip: Bool { !isLive }

    mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .loaded: return load()
        case .breaks(let breaks, let duration, let isLive):
            // The end of a live break becomes known later.
            self.breaks = breaks.filter { isLive || $0.end != nil }
            (self.duration, self.isLive) = (duration, isLive)
            if let current, let later = self.breaks.first(where: { $0.isSame(as: current.adBreak) }) {
                self.current?.adBreak = later
            }
            return self.breaks.isEmpty ? [] : load()
        case .position(let position, let isPlaying): return move(to: position, isPlaying)
        case .wanted(let isWanted):
            guard let playing, playing.isPaused == isWanted else { return [] }
            current?.isPaused = !isWanted
            return current?.skipTarget == nil ? [.report(isWanted ? .adResumed : .adPaused)] : []
        case .skipped:
            guard canSkip, let playing, playing.skipTarget == nil, let end = end(of: playing) else { return [] }
            current?.skipTarget = end
            return [.report(.adSkipped), .seek(end)]
        case .seekFailed:
            current?.skipTarget = nil
            return []
        case .ended:
            // The requested position is not before the end.
            current?.resumption = nil
            hasStarted = false
            return leave(isComplete: true)
        case .failed:
            hasStarted = false
            return leave(isComplete: false)
        case .closed:
            let effects = leave(isComplete: false) + (isLoaded ? [.report(.idle)] : [])
            (isLoaded, breaks, detour) = (false, [], nil)
            return effects
        }
    }

    private mutating func load() -> [Effect] {
        if isLoaded { return [] }
        isLoaded = true
        return [.report(.loaded)]
    }

    // MARK: Playback

    /// The starts of advertisements and the ends of breaks that lie between two positions, in order.
    func edges(from start: Double, to end: Double) -> [Double] {
        if isLive { return [] }
        let edges = unseen.flatMap { $0.ads + [$0.end].compactMap(\.self) }
        return edges.filter { $0 >= start && $0 < end }.sorted()
    }

    private mutating func move(to position: Double, _ isPlaying: Bool) -> [Effect] {
        var effects: [Effect] = []
        if let playing {
            if playing.adBreak.contains(position) { return advance(to: position) }
            effects = leave(isComplete: position >= playing.adBreak.start)
            if case .seek? = effects.last { return effects }
        }
        guard isPlaying || !hasStarted else { return effects }
        let next = unseen.first { $0.contains(position) }
        guard isPlaying else { return effects + announce(next, at: position) }
        hasStarted = true
        if let next {
            effects += begin(next, at: position)
        } else if current != nil {
            effects += leave(isComplete: false)
        }
        detour = nil
        return effects
    }

    /// Shows the advertisement with which the item will start.
    private mutating func announce(_ adBreak: StreamBreak?, at position: Double) -> [Effect] {
        guard let adBreak else { return leave(isComplete: false) }
        current = Current(adBreak: adBreak, hasBegun: false, ad: adBreak.ad(at: position))
        return [.show(advertisement(at: position))]
    }

    private mutating func begin(_ adBreak: StreamBreak, at position: Double) -> [Effect] {
        let resumption = detour.flatMap { $0.adBreak.isSame(as: adBreak) ? $0.resumption : nil }
        current = Current(adBreak: adBreak, ad: adBreak.ad(at: position), resumption: resumption)
        return [.report(.adBreakStarted), .show(advertisement(at: position)), .report(.adStarted)]
    }

    private mutating func advance(to position: Double) -> [Effect] {
        guard let before = playing, !before.isPaused else { return [] }
        let ad = max(before.ad, before.adBreak.ad(at: position))
        current?.ad = ad
        let show = Effect.show(advertisement(at: position))
        if ad == before.ad { return [show] }
        current?.skipTarget = nil
        return completion(of: before) + [show, .report(.adStarted)]
    }

    private mutating func leave(isComplete: Bool) -> [Effect] {
        guard let left = current else { return [] }
        current = nil
        guard left.hasBegun else { return [.show(nil)] }
        guard isComplete else { return [.show(nil), .report(.adBreakEnded)] }
        seen = (seen + [left.adBreak.start]).suffix(Self.mostSeen)
        let resume: [Effect] = left.resumption.map { [.seek($0)] } ?? []
        return completion(of: left) + [.show(nil), .report(.adBreakEnded)] + resume
    }

    /// The end of an advertisement. One that was skipped is not complete.
    private func completion(of left: Current) -> [Effect] {
        if left.skipTarget != nil { return [] }
        let resumed: [Effect] = left.isPaused ? [.report(.adResumed)] : []
        return resumed + [.report(.adCompleted)]
    }

    private func isSeen(_ adBreak: StreamBreak) -> Bool {
        seen.contains { abs($0 - adBreak.start) < StreamBreak.tolerance }
    }

    private func end(of current: Current) -> Double? {
        let next = current.adBreak.ads.dropFirst(current.ad + 1).first
        return [next, current.adBreak.end].compactMap(\.self).min()
    }

    private func advertisement(at position: Double) -> Advertisement? {
        guard let current else { return nil }
        let adBreak = current.adBreak
        let start = adBreak.start(ofAd: current.ad)
        let isFirst = !isLive && adBreak.start < StreamBreak.tolerance
        let isLast = duration.map { adBreak.end ?? 0 > $0 - StreamBreak.tolerance } ?? false
        var ad = Advertisement(
            type: isFirst ? .preRoll : isLast ? .postRoll : .midRoll, number: current.ad + 1,
            count: max(current.ad + 1, adBreak.ads.count))
        ad.position = max(0, position - start)
        ad.duration = end(of: current).flatMap { $0 > start ? $0 - start : nil }
        return ad
    }

    // MARK: Seeking

    /// Returns the position to which a seek goes.
    mutating func target(of requested: Double, from position: Double) -> Double {
        guard !isLive else { return requested }
        if let playing {
            guard requested >= playing.adBreak.start else { return requested }
            if let end = playing.adBreak.end, requested > end { current?.resumption = requested }
            return playing.skipTarget ?? position
        }
        // The viewer drags the seek bar: the seek before went to a break already.
        let origin = detour?.origin ?? position
        let missed = unseen.last {
            $0.start <= requested && ($0.start >= origin || $0.contains(requested))
        }
        detour = missed.map {
            Detour(origin: origin, adBreak: $0, resumption: $0.contains(requested) ? nil : requested)
        }
        return missed?.start ?? requested
    }
}

extension StreamBreak {
    /// Returns `true` for a later version of the break.
    func isSame(as other: StreamBreak) -> Bool { abs(start - other.start) < Self.tolerance }

    /// The index of the advertisement at a position.
    func ad(at position: Double) -> Int { ads.lastIndex { $0 <= position } ?? 0 }

    /// The position at which an advertisement starts. A later version of the break may have fewer of them.
    func start(ofAd index: Int) -> Double { ads[min(index, ads.count - 1)] }
}
