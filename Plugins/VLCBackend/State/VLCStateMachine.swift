import Foundation
import MediaTransport
import Playback

/// Makes what libVLC signals about one item into what a backend tells.
///
/// libVLC says *playing* before anything is heard or seen, and *end reached* for garbage, for a medium that is cut
/// short and for a server that died, and often before the last sound is over. Here all of it becomes what it is. Pure:
/// times come with the signals, and what is to be done is returned.
struct VLCStateMachine {
    enum Action: Equatable {
        case tell(BackendEvent.Body)
        case pause
        case resume
        case seek(Place)
        /// By libVLC's number of the stream.
        case selectAudio(Int)
        /// By libVLC's number of the stream; `nil` for none.
        case selectVideo(Int?)
        /// By libVLC's number of the stream; `nil` for none.
        case selectSubtitle(Int?)
        /// Get the file with texts ready: come back with `subtitlesPrepared` or `subtitlesUnusable`.
        case prepareSubtitles(id: Int, ExternalSubtitle)
        /// Come back with `metadataRead`.
        case readMetadata
        /// Signal the stream's `presentation`, and again whenever it changes.
        case readPlaylist
        /// Come back with `checkProgress` after so many seconds.
        case watch(Double)
        /// The last sound is over after so many seconds: come back with `drained` then.
        case awaitEnd(Double)
        case cancelAwaitingEnd
        /// Begin anew at a position, since the player cannot go there itself. Video is decoded even if unseen
        /// where there is nothing else to set the pace. `after`: in seconds, not before.
        case restart(at: Double, decodingVideo: Bool, after: Double = 0)
        /// Find out where the medium is now: come back with `readdressed`. The player goes.
        case askForAddress(PlaybackError)
        /// Let another player take over with this part of the stream: come back with `handedOver` or `handoverFailed`.
        case handOver(RenditionSwitch.Part)
        case cancelHandover
    }

    /// Where to send the engine.
    enum Place: Equatable {
        /// In seconds.
        case time(Double)
        /// In seconds, in a live stream.
        case window(Double)
        /// In seconds, in a live stream that has just been resumed.
        case windowBeforePause(Double)
    }

    enum Phase: Equatable {
        case opening
        case open
        /// libVLC is done; what it has handed out is still being heard.
        case draining
        case finished
    }

    struct Outage {
        let since: Duration
        /// How far playback had come.
        let progress: Double
        var attempts = 0
    }

    struct Asked {
        /// How far playback had come.
        let progress: Double
        /// When it was answered.
        var answer: Duration?
    }

    struct Seek {
        let target: Double
        /// Whether nobody asked for it, and nobody is told.
        var isSilent = false
        /// Whether it was made before it was known what is open.
        var isEarly = false
        /// How often the engine was sent there.
        var attempts = 1
        /// Whether libVLC has begun to fill its buffers for it.
        var hasBegun = false
        /// When something was last heard of it.
        var lastSign: Duration
    }

    /// A seek of which nothing is heard for so long has failed.
    static let longestSeek = Duration.seconds(5)
    /// libVLC loses a seek that comes too soon after it has resumed: one of which nothing is heard for so long is made again.
    static let longestSilentSeek = Duration.seconds(1)
    static let silentSeekAttempts = 3
    /// A complaint in the log is the reason of what happens so long after it.
    static let longestConsequence = Duration.seconds(30)
    static let watchInterval = 0.25
    /// In seconds: what goes on for so long after it broke off has been taken up again.
    static let recovered = 1.0
    /// An address that is refused sooner after it was given was refused from the beginning.
    static let longestUselessAnswer = Duration.seconds(10)
    /// In seconds of playback: a stream that is joined in the middle shows its first picture by then.
    static let longestBlindness = 8.0
    /// An engine that tells one and the same time for so long stands still: in HLS its time moves once a second only.
    static let longestStandstill = Duration.seconds(3)
    /// In seconds: what plays on for so long behind its end has no end of its own.
    static let longestOverrun = 5.0

    /// A medium with a picture that ends so many seconds before its end is cut short; sound alone is handed out
    /// well over a second ahead of being heard.
    static let tolerance = (withVideo: 1.0, soundOnly: 2.0)

    /// libVLC's demuxers that guess the length of a medium from its size and its first bit rate.
    static let estimatingDemuxers: Set = ["es", "ps", "rawaud", "rawvid"]

    /// libVLC's demuxer for HLS and its kin.
    static let adaptiveDemuxer = "adaptive"
    /// In seconds: what is so far from where it should be was never sent there.
    static let farAway = 1.0
    /// In seconds: what is no further on is at the beginning.
    static let nearTheBeginning = 0.1
    /// What is told of the buffer, in steps of so many percent.
    static let percentageStep = 10.0

    var url: URL
    let showsVideo: Bool
    var decodesVideo: Bool
    var phase = Phase.opening
    var wantsToPlay: Bool
    var isRestarting = false
    var isBuffering = true
    /// The kinds of stream that have a decoder.
    var playingStreams: Set<VLCEvent.StreamKind> = []
    var facts = VLCMediaInfo()
    var tracks: VLCTrackSelection
    var handover = RenditionSwitch()
    var metadata = MediaMetadata()
    var toldPercentage = -1.0
    var presentation: HLSTimeline?
    var awaitsPresentation = false
    /// Whether it is, or was before its last segment, a live stream.
    var isLive = false
    /// Buffers were full before it was known what kind of stream this is.
    var isHeld = false
    /// Where a live stream is to go on: libVLC goes to its edge when it resumes.
    var rejoinPosition: Double?
    var playhead: Playhead
    var seek: Seek?
    /// Where libVLC was sent after it had begun elsewhere, as long as it is not certain that it is there.
    var destination: (position: Double, attempts: Int)?
    /// What to add to the engine's times; `nil` until the first time after a stream was joined again.
    var timeOffset: Double? = 0
    var isWatched = false
    /// Data ran dry without a word of libVLC's.
    var isStarved = false
    /// What the engine told last, and since when.
    var lastEngineTime: (time: Double, since: Duration)?
    /// When the engine told a time last.
    var lastSign = Duration.zero
    /// In seconds: how much has been played.
    var progress = 0.0
    var diagnosis = VLCLogErrorParser()
    var readError: PlaybackError?
    /// Whether it is put together of segments, so that it is whole if all of these were read.
    var isStream = false
    let retry: RetryPolicy
    /// Attempts to go on where it broke off.
    var outage: Outage?
    /// Whether somebody knows where a medium is whose address is refused.
    let canReaddress: Bool
    /// Why another address has been asked for, until there is an answer.
    var question: PlaybackError?
    /// When another address was asked for last.
    var asked: Asked?
    /// Since when it should open, or go on, and does not.
    var waitingSince: Duration?
    var engineRuns = false
    var videoOutputs = 0
    var videoFailed = false
    var saidVideoFailed = false
    var hasShownPicture = false
    /// How far playback had come when a picture was waited for first.
    var blindSince: Double?
    var saidPictureMissing = false
    var estimatesDuration = false
    /// Whether libVLC begins, wherever it is told to, with the segment in which that is. A seek goes to the place itself.
    var beginsAtSegments = false

    init(
        url: URL, subtitles: [ExternalSubtitle] = [], retry: RetryPolicy = .standard,
        canReaddress: Bool = false, startPosition: Double,
        wantsToPlay: Bool, showsVideo: Bool, isPictureShown: Bool = true, rate: Double, at time: Duration
    ) {
        self.url = url
        self.retry = retry
        self.canReaddress = canReaddress
        tracks = VLCTrackSelection(subtitles: subtitles, showsVideo: showsVideo, isPictureShown: isPictureShown)
        self.wantsToPlay = wantsToPlay
        self.showsVideo = showsVideo
        decodesVideo = showsVideo
        playhead = Playhead(position: startPosition, hostTime: time, rate: rate)
    }

    /// Something is expected of the network from now on.
    mutating func begin(at time: Duration) -> [Action] {
        guard !url.isFileURL else { return [] }
        waitingSince = time
        return watch()
    }

    /// Whether the signal can only be understood with what libVLC knows at that moment.
    func wantsFacts(with signal: VLCEvent) -> Bool {
        switch (phase, signal) {
        case (.opening, .buffering(let percent)): percent >= 100
        case (.opening, .playing), (.opening, .endReached), (.opening, .presentation): true
        case (.open, .timeChanged), (.open, .paused): tracks.isDirty
        default: false
        }
    }

    /// In seconds; `nil` while it is not known, and for a live stream, of which libVLC tells that of the window. Of a stream in
    /// segments libVLC tells it late, and of a short one never.
    var duration: Double? {
        guard !isLive else { return nil }
        return facts.duration ?? presentation.map(\.window.end).flatMap { $0 > 0 ? $0 : nil }
    }

    func held(_ position: Double) -> Double {
        guard isLive, let window = presentation?.window else { return position }
        return min(max(position, window.start), window.end)
    }

    var isOpen: Bool { phase == .open }

    /// Whether the item has been told to be open.
    var hasOpened: Bool { phase != .opening || isRestarting }

    var isFinished: Bool { phase == .finished }

    var isDraining: Bool { phase == .draining }

    /// Whether there is a picture that is seen.
    var showsPicture: Bool { playingStreams.contains(.video) && !tracks.isPictureHidden }

    // MARK: Signals

    /// - Parameter latest: what libVLC knows now, if `wantsFacts(with:)`.
    mutating func handle(_ signal: VLCEvent, latest: VLCMediaInfo?, at time: Duration) -> [Action] {
        guard phase != .finished, phase != .draining else { return [] }
        if let latest {
            facts = latest
            tracks.update(latest.streams)
        }
        switch signal {
        case .playing: return playing(at: time)
        case .paused: return paused(at: time)
        case .buffering(let percent): return buffering(percent, at: time)
        case .lengthChanged(let milliseconds): return lengthChanged(milliseconds)
        case .seekableChanged(let isSeekable):
            facts.isSeekable = isSeekable
            return phase == .open ? [.tell(.seekabilityChanged(isSeekable))] : []
        case .streamAdded(let stream, let kind): return tracks.added(stream, kind)
        case .streamRemoved(let stream):
            tracks.removed(stream)
            return []
        case .streamSelected(let stream, let kind):
            playingStreams.insert(kind)
            tracks.selected(stream, kind)
            return phase == .open ? tracks.hidePicture() : []
        case .metadataChanged: return phase == .open ? [.readMetadata] : []
        case .presentation(let presentation): return presented(presentation, at: time)
        case .timeChanged(let milliseconds): return timeChanged(Double(milliseconds) / 1000, at: time)
        case .sound, .audioDevice: return []
        case .endReached: return endReached(at: time)
        case .encounteredError: return broken(reason(at: time) ?? unopenable, at: time)
        case .videoOutputs(let count):
            videoOutputs = count
            hasShownPicture = hasShownPicture || count > 0
            return []
        case .demuxer(let name):
            estimatesDuration = Self.estimatingDemuxers.contains(name)
            // What takes the segments apart is told as well.
            if name == Self.adaptiveDemuxer { beginsAtSegments = true }
            guard name == Self.adaptiveDemuxer, !url.isFileURL, phase == .opening, presentation == nil else {
                return []
            }
            (awaitsPresentation, isStream) = (true, true)
            return [.readPlaylist]
        case .logged(let line): return logged(line, at: time)
        }
    }

    /// A stream that cannot be held was left; `play` begins a new one.
    mutating func left(at time: Duration) -> [Action] {
        guard phase == .open else { return [] }
        timeOffset = nil
        awaitAnotherOpening(at: time)
        return [.tell(.paused(position: playhead.position(at: time)))]
    }

    mutating func playing(at time: Duration) -> [Action] {
        engineRuns = true
        if phase == .opening, let hopeless = hopeless(at: time) { return [hopeless] }
        guard wantsToPlay else { return [.pause] }
        return phase == .open && !isBuffering && rejoinPosition == nil ? run(at: time) : []
    }

    mutating func paused(at time: Duration) -> [Action] {
        engineRuns = false
        guard phase == .open else { return [] }
        // A pause that was taken back before it took effect.
        guard !wantsToPlay else { return [.resume] }
        playhead.stand(at: time)
        return (seek == nil ? [.tell(.paused(position: playhead.position(at: time)))] : []) + tracks.settle()
    }

    mutating func opened(at time: Duration) -> [Action] {
        guard playsSomething else {
            return hopeless(at: time).map { [$0] } ?? broken(reason(at: time) ?? withoutStream, at: time)
        }
        phase = .open
        waitingSince = wantsToPlay ? time : nil
        playhead.setLimit(duration)
        if isRestarting {
            isRestarting = false
            let actions = goOn(at: time)
            // A pause that came while it was opened again.
            let hold: [Action] = !wantsToPlay && engineRuns ? [.pause] : []
            return actions + tracks.reopen() + tracks.hidePicture() + hold + choosePart()
        }
        // Whatever libVLC complained of, the item could be opened.
        diagnosis.clear()
        if isLive, facts.time > 0 { playhead.jump(to: facts.time, at: time) }
        let opened = tracks.open()
        let media = OpenedMedia(
            duration: duration, isSeekable: facts.isSeekable, playbackType: playbackType, tracks: opened.tracks,
            audio: opened.audio, subtitle: opened.subtitle, dvrWindow: isLive ? presentation?.window : nil,
            position: playhead.position(at: time))
        let buffer = url.isFileURL ? BufferLevel.whole : BufferLevel(percentage: 100)
        return [.tell(.buffered(buffer)), .tell(.opened(media)), .readMetadata] + tracks.hidePicture() + tracks.settle()
            + goOn(at: time) + (!wantsToPlay && engineRuns ? [.pause] : []) + choosePart()
    }

    /// Whether libVLC has begun somewhere before the playhead.
    var isElsewhere: Bool { beginsAtSegments && !isLive && playhead.anchor > Self.nearTheBeginning }

    /// Whether what libVLC shows may not be what is to be seen: it is still to be sent to the playhead, or has not told that it is there.
    var isAtWrongPlace: Bool {
        isElsewhere && (phase == .opening || (destination != nil && (seek != nil || wantsToPlay)))
    }

    /// What follows when it is open, or open again.
    mutating func goOn(at time: Duration) -> [Action] {
        guard isElsewhere || seek != nil else { return wantsToPlay ? run(at: time) : [] }
        var next = seek ?? Seek(target: playhead.anchor, isSilent: true, lastSign: time)
        if next.isEarly, isElsewhere {
            destination = (next.target, 1)
            return next.hasBegun && !isBuffering ? finish(next, at: time) : watch()
        }
        // It was opened at the target.
        guard isElsewhere || !next.hasBegun else { return finish(next, at: time) }
        (next.hasBegun, next.lastSign) = (false, time)
        if isElsewhere { destination = (next.target, 1) }
        seek = next
        return [.seek(place(of: next.target))] + watch()
    }

    func has(_ kind: VLCEvent.StreamKind) -> Bool { facts.streams.contains { $0.kind == kind } }

    var playsSomething: Bool { playingStreams.contains(.audio) || playingStreams.contains(.video) }

    /// What to do if it is clear already that nothing will play as it is; `nil` if it is not.
    mutating func hopeless(at time: Duration) -> Action? {
        guard !playsSomething, has(.video) || has(.audio) else { return nil }
        // Without a picture to decode, a medium that is all picture has nothing to keep time with.
        if !decodesVideo, !has(.audio) {
            return restart(at: playhead.anchor, decodingVideo: true, time)
        }
        return isRestarting ? nil : reason(at: time).map { fail($0, at: time) }
    }

    mutating func run(at time: Duration) -> [Action] {
        guard seek == nil else { return [] }
        isStarved = false
        lastEngineTime = nil
        playhead.advance(at: time)
        return [.tell(.playing(position: playhead.position(at: time)))] + watch()
    }

    mutating func finish(_ seek: Seek, at time: Duration) -> [Action] {
        self.seek = nil
        playhead.jump(to: seek.target, at: time)
        return (seek.isSilent ? [] : [.tell(.seeked(position: seek.target))]) + (wantsToPlay ? run(at: time) : [])
            + choosePart()
    }

    mutating func logged(_ line: VLCLogLine, at time: Duration) -> [Action] {
        diagnosis.add(line, at: time)
        // Formats that the output cannot take are tried first, so this alone says nothing.
        if line.message.contains("video output creation failed") { videoFailed = true }
        return []
    }

    /// Where the playhead is, in seconds, and whether it runs.
    func playhead(at time: Duration) -> (position: Double, isRunning: Bool) {
        (playhead.position(at: time), playhead.isAdvancing)
    }

    /// Seconds of the medium that are left.
    func left(after position: Double) -> Double { (duration ?? .infinity) - position }

    var playbackType: PlaybackType {
        if url.isFileURL { return .file }
        if presentation != nil { return isLive ? .live : .vod }
        return duration == nil ? .live : .vod
    }
}
