import Foundation

/// Everything that an observer may read about a player at one instant.
///
/// Three axes make up what a player does, and are never mixed: `phase`, what the engine can do; `wantsToPlay`, what
/// the user asked for; `suppression`, why the environment holds playback all the same. `state`, `playbackState` and
/// `isPlaying` are derived from them. Only a `PlaybackMachine` changes a snapshot.
public struct PlayerSnapshot: Codable, Hashable, Sendable {
    /// What the engine can do with the item.
    public enum Phase: String, Codable, Hashable, Sendable, CaseIterable {
        /// There is no item.
        case idle
        /// The engine finds out what the item is, or the player what to open.
        case opening
        /// The engine can run and seek at once.
        case ready
        /// The engine lacks data, and goes on by itself when they come.
        case stalled
        /// The item has run to its end, and the engine has let go of it.
        case ended
        /// The item cannot be opened, or broke off; `error` says why.
        case failed
    }

    /// What is loaded.
    public struct Item: Codable, Hashable, Sendable {
        /// Counts the loads of a player; the same medium loaded twice has two numbers.
        public let number: Int
        /// Whether it had to be found out what to play.
        public let isDeferred: Bool
        /// What to play; `nil` until that is found out.
        public internal(set) var source: PlayerItem?
        /// How it became the current item of a queue; `nil` outside a queue.
        public let transition: ItemTransition?

        /// Where the item is; `nil` until that is found out.
        public var url: URL? { source?.url }
    }

    /// What is to be loaded next, and made ready meanwhile.
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
        /// What it is.
        public let item: PlayerItem
        /// How far it has come.
        public internal(set) var status = Status.unknown

        /// Why it cannot be played; `nil` as long as it may be.
        public var error: PlaybackError? { if case .failed(let error) = status { error } else { nil } }
    }

    /// The newest seek.
    public struct Seek: Codable, Hashable, Sendable {
        /// Counts the seeks of a player.
        public internal(set) var number = 0
        /// How far the seek has come; `idle` once another load has overtaken it.
        public internal(set) var state = PlaybackSeekState.idle
        /// Seconds: the target while seeking, else where the playhead came to be.
        public internal(set) var position = 0.0
    }

    /// The newest change of where sound goes.
    public struct Route: Codable, Hashable, Sendable {
        /// Counts the changes of a player.
        public let number: Int
        /// What was told.
        public let change: AudioRouteChange
    }

    /// A warning.
    public struct Notice: Codable, Hashable, Sendable {
        /// Counts the notices of a player.
        public let number: Int
        /// What was said.
        public let notice: PlaybackNotice
    }

    /// The opening that everything here is about.
    public internal(set) var generation = Generation.none
    /// `nil` exactly in the phase `idle`.
    public internal(set) var item: Item?
    /// What is made ready to be loaded next; `nil` if nothing is.
    public internal(set) var next: Next?
    /// The queue.
    public internal(set) var queue = PlaybackQueue()
    /// The length of the crossfade between two items, in seconds.
    public internal(set) var crossfade = 0.0
    /// Items whose preload failed. Each is reported as failed in its turn.
    var failedPreloads: [PlayerItem.ID: Next] = [:]
    /// `true` if the item failed and the queue has no other one to play.
    var isQueueExhausted = false
    /// What the engine can do now.
    public internal(set) var phase = Phase.idle
    /// What the user asked last. The environment never changes it; an end or a failure clears it.
    public internal(set) var wantsToPlay = false
    /// Whether playback was wanted until an end or a failure cleared that.
    public internal(set) var wasWantedToPlay = false
    /// Why playback is held although it is wanted; empty if nothing holds it.
    public internal(set) var suppression: Set<SuppressionReason> = []
    /// Who interrupts it; empty if nobody does. Somebody does exactly as long as `suppression` has `interruption`.
    public internal(set) var interruptions: Set<InterruptionCause> = []
    /// What the background does to playback; `nil` in the foreground.
    public internal(set) var background: BackgroundAction?
    /// Whether the item ended while the host was in the background.
    var hasEndedInBackground = false
    /// Whether the background has taken the picture away.
    var isPictureHidden = false
    /// Whether somebody wants the picture: a host takes it away for the time that it does not show it.
    public internal(set) var isPictureAttached = true
    /// Whether this opening has begun to play.
    public internal(set) var hasStarted = false
    /// Where playback is, at every instant.
    public internal(set) var playhead = Playhead()
    /// The position in seconds that was told last; `playhead` knows it between two points.
    public internal(set) var position = 0.0
    /// In seconds; `nil` while unknown, and for a stream without an end.
    public internal(set) var duration: Double?
    /// Whether a seek can succeed.
    public internal(set) var isSeekable = false
    /// `unknown` while the item is opened.
    public internal(set) var playbackType = PlaybackType.unknown
    /// `nil` while unknown.
    public internal(set) var tracks: MediaTracks?
    /// The `id` of the sound that is heard.
    public internal(set) var audio: Int?
    /// The `id` of the text that is shown.
    public internal(set) var subtitle: Int?
    /// The size of the picture that is shown; `nil` if none is.
    public internal(set) var videoSize: VideoSize?
    /// The part of a live stream that can be played; `nil` for everything else.
    public internal(set) var dvrWindow: DVRWindow?
    /// How well the engine is supplied.
    public internal(set) var bufferLevel = BufferLevel.empty
    /// What is known about the medium; empty with nothing loaded.
    public internal(set) var metadata = MediaMetadata()
    /// Of several seeks, what has become of the last.
    public internal(set) var seek = Seek()
    /// Media seconds a second.
    public internal(set) var rate = 1.0
    /// In `0...1`.
    public internal(set) var volume = 1.0
    /// Whether the sound is off, whatever the volume.
    public internal(set) var isMuted = false
    /// What the sound is for; `nil`: what the backend takes it for.
    public internal(set) var role: AudioRole?
    /// Whether it is heard below others, so that the volume is not the whole truth.
    public internal(set) var isDucked = false
    /// Where sound went last that it had not gone before; `nil` if that never changed.
    public internal(set) var route: Route?
    /// Why playback failed; set in the phase `failed` only.
    public internal(set) var error: PlaybackError?
    /// The newest warnings: those that came together.
    public internal(set) var notices: [Notice] = []

    /// A player that has just been made.
    public init() {}

    /// Whether the user wants playback and nothing holds it.
    public var shouldPlay: Bool { wantsToPlay && suppression.isEmpty }

    /// Whether something more important sounds.
    public var isInterrupted: Bool { !interruptions.isEmpty }

    /// Whether there is somebody to see the picture, so that it is worth decoding.
    public var showsPicture: Bool { isPictureAttached && !isPictureHidden }

    /// Whether sound and picture run.
    public var isPlaying: Bool { state == .play }

    /// Whether the item can be played without opening it first.
    public var isReady: Bool { phase == .ready || phase == .stalled || phase == .ended }

    /// Whether the item is open or about to be, so that an engine works for it.
    public var isOpen: Bool { phase == .opening || phase == .ready || phase == .stalled }

    /// Whether it is being found out what to play.
    public var isResolving: Bool { phase == .opening && item?.source == nil }

    /// The sound that is heard; `nil` if there is none, or none is known.
    public var currentAudio: AudioTrack? { tracks?.audio.first { $0.id == audio } }

    /// The text that is shown; `nil` if none is.
    public var currentSubtitle: SubtitleTrack? { tracks?.subtitles.first { $0.id == subtitle } }

    /// How fine the picture is; `nil` if none is shown.
    public var quality: PlayerQuality? { videoSize.map { PlayerQuality(height: $0.height) } }

    /// How well playback is supplied with data. Agrees with `state`: nothing plays from an empty buffer.
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
        (snapshot.rate, snapshot.volume, snapshot.isMuted) = (rate, volume, isMuted)
        (snapshot.role, snapshot.isDucked, snapshot.route) = (role, isDucked, route)
        (snapshot.background, snapshot.isPictureHidden) = (background, isPictureHidden)
        snapshot.isPictureAttached = isPictureAttached
        snapshot.notices = notices
        return snapshot
    }

    /// The positions that a seek can go to, in seconds.
    var seekRange: ClosedRange<Double> {
        guard let dvrWindow else { return 0...(duration ?? .infinity) }
        return dvrWindow.start...dvrWindow.end
    }

    /// The nearest position that a seek can go to.
    func held(_ position: Double) -> Double { min(max(position, seekRange.lowerBound), seekRange.upperBound) }

    /// The three axes as one familiar value.
    public var state: PlayerState {
        switch phase {
        case .idle: .idle
        case .opening: .load
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

    /// What is shown: the content, or an advertisement, from its first moment of playback to its end. In the background
    /// nothing is, and what ends there has ended.
    public var playbackState: PlaybackState {
        if background != nil, !hasEndedInBackground { return .background }
        switch phase {
        case .idle, .failed: return .idle
        case .ended: return .ended
        case .opening, .ready, .stalled:
            guard hasStarted else { return .idle }
            return item?.source?.isAdvertisement == true ? .ads : .playing
        }
    }

    /// The rules that this snapshot breaks; empty in every snapshot that a machine gives.
    public var brokenRules: [String] {
        var broken: [String] = []
        func rule(_ holds: Bool, _ text: String) { if !holds { broken.append(text) } }
        rule((item == nil) == (phase == .idle), "idle exactly without an item")
        rule(item?.source != nil || !isReady, "only what is known is ready")
        rule(audio == nil || currentAudio != nil, "the sound that is heard is one of the tracks")
        rule(subtitle == nil || currentSubtitle != nil, "the text that is shown is one of the tracks")
        rule(item != nil || metadata.isEmpty, "metadata are about an item")
        rule((error == nil) == (phase != .failed), "an error exactly after a failure")
        rule(!wantsToPlay || isOpen, "only an open item is wanted to play")
        rule(!playhead.isAdvancing || (isPlaying && seek.state != .seeking), "the playhead runs only while playing")
        rule(!hasStarted || phase != .opening, "nothing has started while opening")
        rule(
            suppression.contains(.interruption) == isInterrupted,
            "it is held by an interruption as long as there is one")
        rule(!isPictureHidden || background != nil, "only the background hides the picture")
        rule(!hasEndedInBackground || (phase == .ended && background != nil), "what ended in the background has ended")
        rule(next.map { $0.generation > generation } ?? true, "what comes next comes after")
        rule(seek.state != .seeking || isOpen, "only an open item is sought")
        rule(position >= 0 && position <= duration ?? .infinity, "the position is in the medium")
        rule(duration.map { $0.isFinite && $0 > 0 } ?? true, "a duration is positive and finite")
        rule(rate.isFinite && rate > 0, "the rate is positive and finite")
        rule((0...1).contains(volume), "the volume is in 0...1")
        rule(playhead.rate == rate && playhead.limit == duration, "the playhead knows rate and duration")
        return broken
    }
}
