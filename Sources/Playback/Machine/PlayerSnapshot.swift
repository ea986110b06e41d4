import Foundation

/// Everything that an observer may read about a player at one instant.
///
/// Three independent axes describe a player. `phase` is what the engine can do. `wantsToPlay` is what the user asked
/// for. `suppression` is why the environment holds playback. `state`, `playbackState` and `isPlaying` are derived from
/// them. Only a `PlaybackMachine` changes a snapshot.
public struct PlayerSnapshot: Codable, Hashable, Sendable {
    /// The state of the engine.
    public enum Phase: String, Codable, Hashable, Sendable, CaseIterable {
        /// There is no item.
        case idle
        /// The engine opens the item, or the player resolves it.
        case opening
        /// The engine can run and seek at once.
        case ready
        /// The engine lacks data, and resumes automatically when they arrive.
        case stalled
        /// The item has played to its end, and the engine has released it.
        case ended
        /// The item cannot be opened, or broke off; `error` says why.
        case failed
    }

    /// The loaded item.
    public struct Item: Codable, Hashable, Sendable {
        /// The number of the load. The same item loaded twice has two numbers.
        public let number: Int
        /// The item as it was loaded, if it was deferred.
        let deferred: PlayerItem?
        /// The item. A deferred one until it is resolved.
        public internal(set) var source: PlayerItem?
        /// How it became the current item of a queue; `nil` outside a queue.
        public let transition: ItemTransition?

        /// `true` if the load is deferred.
        public var isDeferred: Bool { deferred != nil }

        /// The address of the item; `nil` until it is resolved.
        public var url: URL? { isResolved ? source?.url : nil }

        var isResolved: Bool { source?.isDeferred == false }
    }

    /// The preloaded item.
    public struct Next: Codable, Hashable, Sendable {
        /// How far it has come.
        public enum Status: Codable, Hashable, Sendable {
            /// It is being opened.
            case unknown
            /// It is held at its start, and begins at once.
            case readyToPlay
            /// It cannot be played.
            case failed(PlaybackError)
        }

        /// The opening that it is going to be.
        public let generation: Generation
        /// The item.
        public internal(set) var item: PlayerItem
        /// How far it has come.
        public internal(set) var status = Status.unknown

        /// The reason why it cannot be played; `nil` unless it failed.
        public var error: PlaybackError? { if case .failed(let error) = status { error } else { nil } }

        /// `true` if a load of the item from a position can use this one. A deferred item may have been resolved.
        func isPreload(of item: PlayerItem, from start: Double) -> Bool {
            start == item.startPosition && (self.item == item || item.isDeferred && self.item.id == item.id)
        }
    }

    /// The newest seek.
    public struct Seek: Codable, Hashable, Sendable {
        /// Counts the seeks of a player.
        public internal(set) var number = 0
        /// The requested precision.
        public internal(set) var tolerance = SeekTolerance.exact
        /// The state of the seek; `idle` after another load.
        public internal(set) var state = PlaybackSeekState.idle
        /// The target while seeking, then the position that the seek has reached, in seconds.
        public internal(set) var position = 0.0
    }

    /// The newest change of the audio device.
    public struct Route: Codable, Hashable, Sendable {
        /// Counts the changes of a player.
        public let number: Int
        /// The change.
        public let change: AudioRouteChange
    }

    /// A warning.
    public struct Notice: Codable, Hashable, Sendable {
        /// Counts the notices of a player.
        public let number: Int
        /// The notice.
        public let notice: PlaybackNotice
    }

    /// An event of advertisements.
    struct NumberedAdEvent: Codable, Hashable, Sendable {
        /// Counts the events of a player.
        let number: Int
        let event: AdEvent
    }

    /// The opening to which the values belong.
    public internal(set) var generation = Generation.none
    /// `nil` exactly in the phase `idle`.
    public internal(set) var item: Item?
    /// The preloaded item; `nil` if there is none.
    public internal(set) var next: Next?
    /// The queue.
    public internal(set) var queue = PlaybackQueue()
    /// The length of the crossfade between two items, in seconds.
    public internal(set) var crossfade = 0.0
    /// The items whose preload failed. Each is reported as failed when it is the current one.
    var failedPreloads: [PlayerItem.ID: Next] = [:]
    /// The state of the engine.
    public internal(set) var phase = Phase.idle
    /// The user's last request. The environment never changes it; an end or a failure clears it.
    public internal(set) var wantsToPlay = false
    /// `true` if playback was wanted until an end or a failure cleared that.
    public internal(set) var wasWantedToPlay = false
    /// The reasons for which playback is held, except interruptions.
    var holds: Set<SuppressionReason> = []
    /// The interruptions.
    public internal(set) var interruptions: Set<InterruptionCause> = []
    /// The effect of the background; `nil` in the foreground.
    public internal(set) var background: BackgroundAction?
    /// `true` if the item ended while the host was in the background.
    var hasEndedInBackground = false
    /// `true` if the background hides the video.
    var isVideoHidden = false
    /// `false` while the host has detached the video.
    public internal(set) var isVideoAttached = true
    /// `true` if this opening has started to play.
    public internal(set) var hasStarted = false
    /// The position of playback at every instant.
    public internal(set) var playhead = Playhead()
    /// The last reported position, in seconds. `playhead` gives the positions between two reports.
    public internal(set) var position = 0.0
    /// In seconds; `nil` while unknown, and for a stream without an end.
    public internal(set) var duration: Double?
    /// `true` if a seek can succeed.
    public internal(set) var isSeekable = false
    /// `unknown` while the item is opened.
    public internal(set) var playbackType = PlaybackType.unknown
    /// The name of the container, to show to the user, as in `MP4`; `nil` while it is not known.
    public internal(set) var container: String?
    /// `nil` while unknown.
    public internal(set) var tracks: MediaTracks?
    /// The `id` of the selected audio track.
    public internal(set) var audio: Int?
    /// The `id` of the selected subtitle track; `nil` for none.
    public internal(set) var subtitle: Int?
    /// The languages of the audio, the most preferred one first.
    public internal(set) var preferredAudioLanguages: [String] = []
    /// The languages of the subtitles, the most preferred one first.
    public internal(set) var preferredSubtitleLanguages: [String] = []
    /// The size of the video; `nil` if there is none.
    public internal(set) var videoSize: VideoSize?
    /// The qualities that can be selected, the best first. Empty if there is no choice, and until the item is ready.
    public internal(set) var qualities: [VideoQuality] = []
    /// The quality that the host has selected; `nil` if the backend chooses automatically.
    public internal(set) var selectedQuality: VideoQuality?
    /// The part of a live stream that can be played; `nil` for everything else.
    public internal(set) var dvrWindow: DVRWindow?
    /// The distance from the live edge at which the stream was joined, in seconds.
    var liveDelay = 0.0
    /// How well the engine is supplied.
    public internal(set) var bufferLevel = BufferLevel.empty
    /// The ranges as the engine reported them last.
    var reportedRanges: [ClosedRange<Double>] = []
    /// The marks of the stream, such as the starts of breaks, by their positions. At most 500, the last ones.
    public internal(set) var markers: [StreamMarker] = []
    /// The metadata of the item; empty if no item is loaded.
    public internal(set) var metadata = MediaMetadata()
    /// Figures about the playback of the item.
    public internal(set) var statistics = PlaybackStatistics()
    /// The newest seek.
    public internal(set) var seek = Seek()
    /// The part of the item that is repeated, in seconds; `nil` for none.
    public internal(set) var loop: ClosedRange<Double>?
    /// The rate with which `play` starts, in media seconds a second.
    public internal(set) var defaultRate = 1.0
    /// The rate of the engine, in media seconds a second. It stays the same while playback is paused.
    var speed = 1.0
    /// In `0...1`.
    public internal(set) var volume = 1.0
    /// `true` if the audio is off, whatever the volume.
    public internal(set) var isMuted = false
    /// How much later subtitles are shown, in seconds; negative if they are shown earlier.
    public internal(set) var subtitleDelay = 0.0
    /// The role of the audio; `nil` for the backend's choice.
    public internal(set) var role: AudioRole?
    /// `true` if the audio is lowered below that of others, so that `volume` is not the audible one.
    public internal(set) var isDucked = false
    /// The newest change of the audio device; `nil` if it never changed.
    public internal(set) var route: Route?
    /// Why playback failed; set in the phase `failed` only.
    public internal(set) var error: PlaybackError?
    /// The newest warnings, which came together.
    public internal(set) var notices: [Notice] = []
    /// The advertisement that plays in place of the item; `nil` if there is none.
    public internal(set) var advertisement: Advertisement?
    /// The breaks for advertisements in the item, in seconds, by their starts. A break of another player has no length.
    public internal(set) var adBreaks: [ClosedRange<Double>] = []
    /// `true` if an advertisement has played in place of the item.
    var hasShownAdvertisement = false
    /// The newest event of advertisements.
    var adEvent: NumberedAdEvent?
    /// The reason that holds playback when the item has played to its end; `nil` for none.
    public internal(set) var endSuppression: SuppressionReason?

    /// The snapshot of a new player.
    public init() {}

    /// Why playback is held although it is wanted; empty if nothing holds it.
    public var suppression: Set<SuppressionReason> { isInterrupted ? holds.union([.interruption]) : holds }

    /// `true` if the user wants playback and nothing holds it.
    public var shouldPlay: Bool { wantsToPlay && suppression.isEmpty }

    /// `true` if the user wants playback and nothing holds it, except advertisements: the item or an advertisement in its place
    /// plays.
    public var isPlaybackWanted: Bool { wantsToPlay && suppression.isSubset(of: [.adLoading, .adBreak]) }

    /// `true` if the item has played to its end, and does not end until `endSuppression` is removed.
    public var isHeldAtEnd: Bool { phase == .ended && endSuppression.map { holds.contains($0) } == true }

    /// `true` if the item is an advertisement, if one plays in its place, or if the item itself shows one.
    var showsAdvertisement: Bool {
        item?.source?.isAdvertisement == true || item != nil && (holds.contains(.adBreak) || advertisement != nil)
    }

    /// Media seconds a second while playback is wanted and nothing holds it, also while it waits for data; otherwise 0.
    public var rate: Double { shouldPlay ? speed : 0 }

    /// `true` during an interruption.
    public var isInterrupted: Bool { !interruptions.isEmpty }

    /// `true` if the video is visible, and has to be decoded.
    public var showsVideo: Bool { isVideoAttached && !isVideoHidden }

    /// `true` while audio and video run.
    public var isPlaying: Bool { state == .play }

    /// `true` if the item can be played without opening it first.
    public var isReady: Bool { phase == .ready || phase == .stalled || phase == .ended }

    /// `true` if the item is open or being opened, so that the engine works for it.
    public var isOpen: Bool { phase == .opening || phase == .ready || phase == .stalled }

    /// `true` while a deferred load is resolved.
    public var isResolving: Bool { phase == .opening && item?.isResolved == false }

    /// `true` if the engine has the item. It has no item that is being resolved.
    var isOpenInEngine: Bool { isOpen && !isResolving }

    /// `true` if a seek can succeed now, or once the item is open.
    var canSeek: Bool { phase == .opening || isReady && isSeekable }

    /// The selected audio track; `nil` if there is none, or none is known.
    public var currentAudio: AudioTrack? { tracks?.audio.first { $0.id == audio } }

    /// The selected subtitle track; `nil` for none.
    public var currentSubtitle: SubtitleTrack? { tracks?.subtitles.first { $0.id == subtitle } }

    /// The chapter of the position; `nil` before the first chapter, and while the item is not ready.
    public var currentChapter: Chapter? { isReady ? metadata.chapters.last { $0.start <= position } : nil }

    /// How far the position is behind the live edge, in seconds; `nil` for everything else than a live stream.
    public var liveOffset: Double? { dvrWindow.map { max(0, $0.end - position) } }

    /// `true` if a live stream plays as close to its edge as it did after loading, within ten seconds.
    public var isAtLiveEdge: Bool { liveOffset.map { $0 <= liveDelay + Self.liveTolerance } ?? false }

    private static let liveTolerance = 10.0

    /// The quality of the video; `nil` if there is none.
    public var quality: PlayerQuality? { videoSize.map { PlayerQuality(height: $0.height) } }

    /// The state of the buffer. Agrees with `state`: nothing plays from an empty buffer.
    public var bufferState: PlaybackBufferState {
        switch phase {
        case .idle, .opening, .stalled, .failed: .empty
        case .ended: .full
        case .ready: bufferLevel.isWhole ? .full : .keepUp
        }
    }

    /// A copy without the item. The settings remain.
    package var unloaded: PlayerSnapshot {
        var snapshot = PlayerSnapshot()
        snapshot.generation = generation
        (snapshot.speed, snapshot.defaultRate) = (speed, defaultRate)
        (snapshot.volume, snapshot.isMuted) = (volume, isMuted)
        (snapshot.role, snapshot.isDucked, snapshot.route) = (role, isDucked, route)
        snapshot.subtitleDelay = subtitleDelay
        snapshot.preferredAudioLanguages = preferredAudioLanguages
        snapshot.preferredSubtitleLanguages = preferredSubtitleLanguages
        (snapshot.background, snapshot.isVideoHidden) = (background, isVideoHidden)
        snapshot.isVideoAttached = isVideoAttached
        snapshot.notices = notices
        snapshot.adEvent = adEvent
        return snapshot
    }

    /// A copy with the notices, the audio route and the event of advertisements of another snapshot, which are not reported again.
    func withReports(of other: PlayerSnapshot) -> PlayerSnapshot {
        var snapshot = self
        (snapshot.notices, snapshot.route, snapshot.adEvent) = (other.notices, other.route, other.adEvent)
        return snapshot
    }

    /// The positions that a seek can go to, in seconds.
    var seekRange: ClosedRange<Double> {
        guard let dvrWindow else { return 0...(duration ?? .infinity) }
        return dvrWindow.start...dvrWindow.end
    }

    /// The nearest position that a seek can go to.
    func held(_ position: Double) -> Double { min(max(position, seekRange.lowerBound), seekRange.upperBound) }

    /// The state that follows from the three axes.
    public var state: PlayerState {
        switch phase {
        case .idle: .idle
        case .opening: .load
        case .ended where isHeldAtEnd: hasStarted ? .pause : .ready
        case .ended: .complete
        case .failed: .failure
        case .ready, .stalled:
            if !hasStarted {
                .ready
            } else if !shouldPlay {
                .pause
            } else {
                phase == .stalled ? .buffer : .play
            }
        }
    }

    /// The content, or an advertisement, from its first moment of playback to its end. In the background it is
    /// `background`, except that an item which ends there has ended.
    public var playbackState: PlaybackState {
        if background != nil, !hasEndedInBackground { return .background }
        switch phase {
        case .idle, .failed: return .idle
        case .ended: return isHeldAtEnd ? .ads : .ended
        case .opening, .ready, .stalled:
            if holds.contains(.adBreak) { return .ads }
            guard hasStarted || hasShownAdvertisement else { return .idle }
            return showsAdvertisement ? .ads : .playing
        }
    }

    /// The rules that this snapshot breaks; empty in every snapshot that a machine gives.
    public var brokenRules: [String] {
        var broken = brokenValueRules.map(\.text)
        func rule(_ holds: Bool, _ text: String) { if !holds { broken.append(text) } }
        rule((item == nil) == (phase == .idle), "idle exactly without an item")
        rule(item?.isResolved == true || !isReady, "only what is known is ready")
        rule(item != nil || metadata.isEmpty, "metadata are about an item")
        rule((error == nil) == (phase != .failed), "an error exactly after a failure")
        rule(!wantsToPlay || isOpen || isHeldAtEnd, "only an open item is wanted to play")
        rule(!playhead.isAdvancing || (isPlaying && seek.state != .seeking), "the playhead runs only while playing")
        rule(!hasStarted || phase != .opening, "nothing has started while opening")
        rule(!isVideoHidden || background != nil, "only the background hides the video")
        rule(!hasEndedInBackground || (phase == .ended && background != nil), "what ended in the background has ended")
        rule(next.map { $0.generation > generation } ?? true, "what comes next comes after")
        rule(seek.state != .seeking || isOpen, "only an open item is sought")
        rule(playhead.rate == speed && playhead.limit == duration, "the playhead knows speed and duration")
        rule(speed > 0 && defaultRate > 0 && defaultRate.isFinite, "a speed is positive and finite")
        rule(loop == nil || item != nil, "a loop is a part of an item")
        return broken
    }

    /// The rules of the event contract for single values that this snapshot breaks. They hold after each event, also
    /// between events that come together.
    package var brokenValueRules: [(name: String, text: String)] {
        let rules = [
            ("position", "the position is in the item", position >= 0 && position <= duration ?? .infinity),
            ("tracks", "the selected audio track is one of the tracks", audio == nil || currentAudio != nil),
            ("tracks", "the selected subtitle track is one of the tracks", subtitle == nil || currentSubtitle != nil),
            ("values", "a duration is positive and finite", duration.map { $0.isFinite && $0 > 0 } ?? true),
            ("values", "the rate is finite and not negative", speed.isFinite && speed >= 0),
            ("values", "the volume is in 0...1", (0...1).contains(volume)),
        ]
        return rules.filter { !$0.2 }.map { (name: $0.0, text: $0.1) }
    }

    /// Takes over the values of an event in a log.
    ///
    /// The tracks come before the selected ones, and a better duration before the position that it limits.
    package mutating func replay(_ event: LoggedEvent) {
        position = event.position ?? position
        speed = event.rate ?? speed
        volume = event.volume ?? volume
        if let duration = event.duration {
            self.duration = duration
            position = min(position, duration)
        }
        if let audioTracks = event.audio, let subtitleTracks = event.subtitles {
            tracks = MediaTracks(audio: audioTracks, subtitles: subtitleTracks)
            audio = currentAudio?.id
            subtitle = currentSubtitle?.id
        }
        guard tracks != nil else { return }
        if event.name == "selectedAudio" { audio = event.id }
        if event.name == "selectedSubtitle" { subtitle = event.id }
    }
}
