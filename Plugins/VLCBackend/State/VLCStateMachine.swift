import Foundation
import MediaTransport
import Playback

/// Turns libVLC's events for one item into backend events.
///
/// libVLC reports *playing* before anything is audible or visible. It reports *end reached* for garbage, for a
/// truncated file, for a dead server, and often before the last audio is audible. This type decides which of these
/// happened.
///
/// ## States
///
///     opening ──► open ──► draining ──► finished
///        ▲        │           │
///        └────────┴───────────┘ restart
///
/// *Open* means `ready`, `playing`, `stalled`, `seeking` or `rejoining`. An error leads from every state to
/// `opening` (a restart) or `finished`.
///
/// `State` holds the values that are valid in one state only. Four values outlive it: `player` describes the current
/// libVLC player and starts again with each one. `retry` holds the errors and attempts. `playhead` moves in `playing`
/// and in `draining` only. `wantsToPlay` is the user's intent.
///
/// ## Threads
///
/// The type is pure: events and commands carry their times, and each function returns the actions to perform.
/// `VLCPlayback` owns it and calls it on the engine's queue.
struct VLCStateMachine {
    enum Action: Equatable {
        case report(BackendEvent.Body)
        case pause
        case resume
        case seek(SeekTarget)
        /// Selects the stream with libVLC's number.
        case selectAudio(Int)
        /// Selects the stream with libVLC's number, or none.
        case selectVideo(Int?)
        /// Selects the stream with libVLC's number, or none.
        case selectSubtitle(Int?)
        /// Gets the subtitle file. Answer with `subtitlesPrepared` or `subtitlesUnusable`.
        case prepareSubtitles(id: Int, ExternalSubtitle)
        /// Answer with `metadataRead`.
        case readMetadata
        /// Send the event `presentation` with the timeline of the playlist, and again after each change.
        case readPlaylist
        /// Call `checkProgress` after this time, in seconds.
        case watch(Double)
        /// Call `frameMissing` after this time, in seconds, if the sink lacks a frame.
        case awaitFrame(Double)
        /// Plays muted. The event `frameDrawn` follows.
        case drawFrame
        /// Restores the muting that the host has set.
        case restoreMuting
        /// The last audio ends after this time, in seconds. Call `drained` then.
        case awaitEnd(Double)
        case cancelAwaitingEnd
        /// Opens the item again with another libVLC player, after a delay in seconds.
        case restart(at: Double, after: Double = 0)
        /// Closes the libVLC player and requests another address. Answer with `readdressed`.
        case requestAddress(PlaybackError)
        /// Replaces the libVLC player by one that plays this rendition. Answer with `renditionSwitched` or
        /// `renditionSwitchFailed`.
        case switchRendition(RenditionSwitch.Rendition)
        case cancelRenditionSwitch
    }

    /// The target of a seek in libVLC's terms, in seconds.
    enum SeekTarget: Equatable {
        case time(Double)
        /// A position in the window of a live stream.
        case window(Double)
        /// A position in the window of a live stream that has just resumed. libVLC still uses the window from before
        /// the pause.
        case windowBeforePause(Double)
    }

    enum State {
        /// A libVLC player opens the item.
        case opening(Opening)
        /// The item is open and the playhead does not move: it is paused, or libVLC has not started yet.
        case ready
        case playing
        /// Playback is wanted and data are missing.
        case stalled
        case seeking(Seek)
        /// A live stream resumes: libVLC goes to the live edge first, and then back to the position of the pause.
        case rejoining(Rejoin)
        /// libVLC has handed out everything. The last audio is still audible.
        case draining
        case finished
    }

    enum StreamSearch {
        case paused(since: Duration)
        /// libVLC plays until it has found a stream or the end.
        case playing
    }

    struct Opening {
        /// `true` if the item was open before. `opened` is not reported again.
        var isRestart = false
        /// The type of the stream is unknown until its playlist is read.
        var awaitsTimeline = false
        /// The buffers were full before the type of the stream was known.
        var isBuffered = false
        /// The search for the streams of a local file that is opened without playing; `nil` if they are known.
        var search: StreamSearch?
        /// The seek to finish or to make when the item is open.
        var seek: Seek?
    }

    struct Seek {
        let target: Double
        /// `true` if the user did not request it, so that its end is not reported.
        var isSilent = false
        /// `true` if it was sent before the type of the stream was known.
        var isEarly = false
        /// The number of times that it was sent to libVLC.
        var attempts = 1
        /// `true` if libVLC fills its buffers for it.
        var hasBegun = false
        /// The time of the last event that belongs to it.
        var lastSign: Duration
    }

    struct Rejoin {
        let position: Double
        /// The seek that set the position; `nil` if it is the position of the pause.
        var seek: Seek?
    }

    /// How far a paused item is with drawing a frame.
    enum Drawing {
        case none
        case awaitsFrame
        case awaitsPause
    }

    /// The state of the current libVLC player.
    struct PlayerStatus {
        var isRunning = false
        var isBuffering = true
        var drawing = Drawing.none
        /// The kinds of streams that have a decoder.
        var decodedKinds: Set<VLCEvent.StreamKind> = []
        /// Added to libVLC's times; `nil` until the first time after another player has joined the stream.
        var timeOffset: Double? = 0
        /// libVLC's last time, and when it was reported first.
        var lastTime: (time: Double, since: Duration)?
        /// The time of the last time event.
        var lastSign = Duration.zero
        /// `true` if libVLC has read the last byte.
        var hasReadAll = false
        /// A seek that libVLC may have lost, because it was sent early. Checked with the first time after it.
        var uncheckedSeek: (position: Double, attempts: Int)?
    }

    /// libVLC's demuxers that estimate the duration from the file size and the first bit rate.
    private static let estimatingDemuxers: Set = ["es", "ps", "rawaud", "rawvid"]
    /// libVLC's demuxer for HLS and other segmented streams.
    private static let adaptiveDemuxer = "adaptive"

    var url: URL
    var state = State.opening(Opening())
    var wantsToPlay: Bool
    var playhead: Playhead
    var player = PlayerStatus()
    var retry: RetryState
    var log = VLCLogErrorParser()
    var info = VLCMediaInfo()
    var tracks: VLCTrackSelection
    var video = VideoOutputStatus()
    /// `true` if the video has an output without a frame, and the pause has not reached libVLC.
    var lacksFrame = false
    /// How often a frame of a paused item was drawn because there was none.
    var drawingAttempts = 0
    var rendition = RenditionSwitch()
    var metadata = MediaMetadata()
    /// The last reported buffer level, in percent.
    var reportedLevel = -1.0
    var timeline: HLSTimeline?
    /// `true` if the stream is live, or was until its last segment.
    var isLive = false
    /// `true` for a radio station.
    private(set) var isStation = false
    /// libVLC's demuxer. A segmented stream has another one for its segments.
    private(set) var demuxer = ""
    /// `true` if libVLC starts with the segment that contains the start position. A seek is exact.
    var isSegmented = false
    /// The format of a segmented stream.
    var streamFormat = "HLS"
    /// `true` while `checkProgress` is due.
    var isWatched = false

    /// - Parameters:
    ///   - url: the current address of the item, if it is not that of the request.
    ///   - showsVideo: `true` if the backend has an output for video.
    ///   - isVideoVisible: `true` if a view shows the output.
    init(
        _ request: OpenRequest, url: URL? = nil, wantsToPlay: Bool, showsVideo: Bool, isVideoVisible: Bool = true,
        rate: Double = 1, at time: Duration
    ) {
        let item = request.item
        self.url = url ?? item.url
        self.wantsToPlay = wantsToPlay
        retry = RetryState(policy: item.retryPolicy, canReaddress: request.canReaddress)
        tracks = VLCTrackSelection(
            subtitles: item.subtitles, showsVideo: showsVideo, isVideoVisible: isVideoVisible)
        playhead = Playhead(position: request.startPosition, hostTime: time, rate: rate)
    }

    /// Starts the limit for opening.
    mutating func begin(at time: Duration) -> [Action] {
        guard !url.isFileURL else { return [] }
        retry.waitingSince = time
        return watch()
    }

    // MARK: Events

    /// Returns `true` if the machine needs libVLC's current media information with the event.
    func wantsInfo(with event: VLCEvent) -> Bool {
        switch event {
        case .buffering(let percent): state.isOpening && percent >= 100
        case .playing, .endReached, .presentation: state.isOpening
        case .timeChanged, .paused: state.isOpen && tracks.isDirty
        default: false
        }
    }

    /// - Parameter info: libVLC's current media information, if `wantsInfo(with:)`.
    mutating func handle(_ event: VLCEvent, info: VLCMediaInfo?, at time: Duration) -> [Action] {
        guard !isFinished, !isDraining else { return [] }
        if let info {
            self.info = info
            tracks.update(info.streams)
        }
        switch event {
        case .playing: return started(at: time)
        case .paused: return paused(at: time)
        case .buffering(let percent): return buffering(percent, at: time)
        case .lengthChanged(let milliseconds): return lengthChanged(milliseconds)
        case .seekableChanged(let isSeekable):
            self.info.isSeekable = isSeekable
            return state.isOpen ? [.report(.seekabilityChanged(isSeekable))] : []
        case .streamAdded(let stream, let kind): return tracks.added(stream, kind)
        case .streamRemoved(let stream): return tracks.removed(stream)
        case .streamSelected(let stream, let kind):
            player.decodedKinds.insert(kind)
            tracks.selected(stream, kind)
            return tracks.deselectHiddenVideo()
        case .metadataChanged: return state.isOpen ? [.readMetadata] : []
        case .presentation(let timeline): return timelineRead(timeline, at: time)
        case .timeChanged(let milliseconds): return timeChanged(Double(milliseconds) / 1000, at: time)
        case .audio, .audioDevice: return []
        case .endReached: return endReached(at: time)
        case .encounteredError: return broken(reason(at: time) ?? openError, at: time)
        case .frameDrawn: return frameDrawn()
        case .videoOutputs(let count):
            video.outputsChanged(to: count)
            return []
        case .demuxer(let name): return demuxerChosen(name)
        case .logged(let line):
            log.add(line, at: time)
            video.logged(line)
            return []
        }
    }

    private mutating func demuxerChosen(_ name: String) -> [Action] {
        demuxer = name
        guard name == Self.adaptiveDemuxer else { return [] }
        isSegmented = true
        guard !url.isFileURL, state.isOpening, timeline == nil else { return [] }
        state.opening?.awaitsTimeline = true
        return [.readPlaylist]
    }

    private mutating func started(at time: Duration) -> [Action] {
        player.isRunning = true
        if state.isOpening, let action = withoutPlayableStream(at: time) { return [action] }
        guard wantsToPlay else { return player.drawing == .awaitsFrame || isSearching ? [] : [.pause] }
        return state.isOpen && !player.isBuffering && !state.isRejoining ? run(at: time) : []
    }

    private mutating func paused(at time: Duration) -> [Action] {
        // The pause is that before the drawing.
        guard player.drawing != .awaitsFrame else { return [] }
        player.isRunning = false
        guard state.isOpen else { return awaitsStreams ? beginSearch(at: time) : [] }
        // The user has resumed before the pause took effect.
        guard !wantsToPlay else { return [.resume] }
        playhead.pause(at: time)
        if state.isPlaying || state.isStalled { state = .ready }
        if player.drawing == .awaitsPause { return endDrawing(at: time) }
        if let seek = state.seek {
            // libVLC begins the seek now.
            if !seek.hasBegun { state.seek?.lastSign = time }
            return tracks.settle()
        }
        return [.report(.paused(position: playhead.position(at: time)))] + tracks.settle() + showFrame()
    }

    /// The playhead moves from now on.
    mutating func run(at time: Duration) -> [Action] {
        guard state.seek == nil, !state.isRejoining else { return [] }
        state = .playing
        player.lastTime = nil
        playhead.advance(at: time)
        return [.report(.playing(position: playhead.position(at: time)))] + watch()
    }

    mutating func watch() -> [Action] {
        guard !isWatched else { return [] }
        isWatched = true
        return [.watch(Self.watchInterval)]
    }

    static let watchInterval = 0.25

    /// Each of libVLC's players joins a station at its edge, and counts from 0. The playhead continues.
    mutating func setStation(_ isStation: Bool) {
        self.isStation = isStation
        if isStation { player.timeOffset = nil }
    }

    // MARK: Derived values

    /// The duration in seconds; `nil` if it is unknown.
    ///
    /// For a live stream libVLC reports the length of the window. For other segmented streams it reports the duration
    /// late or never.
    var duration: Double? {
        guard !isLive, !isStation else { return nil }
        return info.duration ?? timeline.map(\.window.end).flatMap { $0 > 0 ? $0 : nil }
    }

    /// `true` if a video that is selected during playback appears at once. libVLC reads the key frame before the position in
    /// mp4 files only. Elsewhere the video starts with the next one.
    var showsVideoAtOnce: Bool { !isSegmented && ["", "mp4"].contains(demuxer) }

    var estimatesDuration: Bool { Self.estimatingDemuxers.contains(demuxer) }

    /// The name of the container; `nil` if the item has none, as a file of MP3 frames, or if FFmpeg reads it.
    var container: String? { isSegmented ? streamFormat : Self.containers[demuxer] }

    private static let containers = [
        "aiff": "AIFF", "asf": "ASF", "avi": "AVI", "flacsys": "FLAC", "mkv": "Matroska", "mp4": "MP4", "ogg": "Ogg",
        "ps": "MPEG-PS", "ts": "MPEG-TS", "wav": "WAV",
    ]

    var playbackType: PlaybackType {
        if url.isFileURL { return .file }
        if timeline != nil { return isLive ? .live : .vod }
        return duration == nil ? .live : .vod
    }

    var isFinished: Bool { if case .finished = state { true } else { false } }

    var isDraining: Bool { if case .draining = state { true } else { false } }

    /// `true` once `opened` was reported.
    var hasOpened: Bool { state.opening?.isRestart ?? true }

    /// `true` if the item has a video that a view shows.
    var showsVideo: Bool { player.decodedKinds.contains(.video) && !tracks.isVideoHidden }

    /// The position in seconds, and `true` if it moves.
    func playhead(at time: Duration) -> (position: Double, isRunning: Bool) {
        (playhead.position(at: time), playhead.isAdvancing)
    }

    /// The part of the item after a position, in seconds.
    func remaining(after position: Double) -> Double { (duration ?? .infinity) - position }
}

extension VLCStateMachine.State {
    /// The pending seek. Setting it in an open state starts a seek; `nil` ends it.
    var seek: VLCStateMachine.Seek? {
        get {
            switch self {
            case .opening(let opening): opening.seek
            case .seeking(let seek): seek
            case .rejoining(let rejoin): rejoin.seek
            case .ready, .playing, .stalled, .draining, .finished: nil
            }
        }
        set {
            switch self {
            case .opening: opening?.seek = newValue
            case .rejoining(var rejoin):
                rejoin.seek = newValue
                self = .rejoining(rejoin)
            case .ready, .playing, .stalled, .seeking:
                if let newValue { self = .seeking(newValue) } else if case .seeking = self { self = .ready }
            case .draining, .finished: break
            }
        }
    }

    /// Setting it has an effect while the item is opened only.
    var opening: VLCStateMachine.Opening? {
        get { if case .opening(let opening) = self { opening } else { nil } }
        set { if let newValue, isOpening { self = .opening(newValue) } }
    }

    /// `true` until libVLC's current player has opened the item.
    var isOpening: Bool { opening != nil }

    var isRestarting: Bool { opening?.isRestart ?? false }

    /// `true` if libVLC's current player has opened the item and has not reached its end.
    var isOpen: Bool {
        switch self {
        case .ready, .playing, .stalled, .seeking, .rejoining: true
        case .opening, .draining, .finished: false
        }
    }

    var isPlaying: Bool { if case .playing = self { true } else { false } }

    var isStalled: Bool { if case .stalled = self { true } else { false } }

    var isRejoining: Bool { if case .rejoining = self { true } else { false } }
}
