import Foundation
import Playback

/// Makes what libVLC signals about one item into what a backend tells.
///
/// libVLC says *playing* before anything is heard or seen, and *end reached* for garbage, for a medium that is cut
/// short and for a server that died, and often before the last sound is over. Here all of it becomes what it is. Pure:
/// times come with the signals, and what is to be done is returned.
struct VLCInterpreter {
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
        case handOver(VLCHandover.Part)
        case cancelHandover
    }

    /// Where to send the engine.
    enum Place: Equatable {
        /// In seconds.
        case time(Double)
        /// Of the window of a live stream, in `0...1`: the one way of naming a place in it that libVLC always understands.
        case fraction(Double)
    }

    private enum Phase: Equatable {
        case opening
        case open
        /// libVLC is done; what it has handed out is still being heard.
        case draining
        case finished
    }

    private struct Outage {
        let since: Duration
        /// How far playback had come.
        let progress: Double
        var attempts = 0
    }

    private struct Seek {
        let target: Double
        /// Whether nobody asked for it, and nobody is told.
        var isSilent = false
        /// How often the engine was sent there.
        var attempts = 1
        /// Whether libVLC has begun to fill its buffers for it.
        var hasBegun = false
        /// When something was last heard of it.
        var lastSign: Duration
    }

    /// A seek of which nothing is heard for so long has failed.
    private static let longestSeek = Duration.seconds(5)
    /// libVLC loses a seek that comes too soon after it has resumed: one of which nothing is heard for so long is made again.
    private static let longestSilentSeek = Duration.seconds(1)
    private static let silentSeekAttempts = 3
    /// A complaint in the log is the reason of what happens so long after it.
    static let longestConsequence = Duration.seconds(30)
    private static let watchInterval = 0.5
    /// In seconds: what goes on for so long after it broke off has been taken up again.
    private static let recovered = 1.0
    /// An engine that tells one and the same time for so long stands still: in HLS its time moves once a second only.
    private static let longestStandstill = Duration.seconds(3)
    /// In seconds: what plays on for so long behind its end has no end of its own.
    private static let longestOverrun = 5.0

    /// A medium with a picture that ends so many seconds before its end is cut short; sound alone is handed out
    /// well over a second ahead of being heard.
    private static let tolerance = (withVideo: 1.0, soundOnly: 2.0)

    /// libVLC's demuxers that guess the length of a medium from its size and its first bit rate.
    private static let estimatingDemuxers: Set = ["es", "ps", "rawaud", "rawvid"]

    /// libVLC's demuxer for HLS and its kin.
    private static let adaptiveDemuxer = "adaptive"
    /// What is told of the buffer, in steps of so many percent.
    private static let percentageStep = 10.0

    private(set) var url: URL
    private let showsVideo: Bool
    private(set) var decodesVideo: Bool
    private var phase = Phase.opening
    private(set) var wantsToPlay: Bool
    private var isRestarting = false
    private var isBuffering = true
    /// The kinds of stream that have a decoder.
    private var playingStreams: Set<VLCSignal.StreamKind> = []
    private var facts = VLCFacts()
    private var tracks: VLCTrackKeeper
    private var handover = VLCHandover()
    private var metadata = MediaMetadata()
    private var toldPercentage = -1.0
    private var presentation: HLSPresentation?
    private var awaitsPresentation = false
    /// Whether it is, or was before its last segment, a live stream.
    private var isLive = false
    /// Buffers were full before it was known what kind of stream this is.
    private var isHeld = false
    /// Where a live stream was paused: libVLC goes to its edge when it resumes.
    private var rejoinPosition: Double?
    private var playhead: Playhead
    private var seek: Seek?
    /// What to add to the engine's times; `nil` until the first time after a stream was joined again.
    private var timeOffset: Double? = 0
    private var isWatched = false
    /// Data ran dry without a word of libVLC's.
    private var isStarved = false
    /// What the engine told last, and since when.
    private var lastEngineTime: (time: Double, since: Duration)?
    /// In seconds: how much has been played.
    private var progress = 0.0
    private var diagnosis = VLCDiagnosis()
    private var readError: PlaybackError?
    /// Whether it is put together of segments, so that it is whole if all of these were read.
    private var isStream = false
    private let retry: RetryPolicy
    /// Attempts to go on where it broke off.
    private var outage: Outage?
    /// Whether somebody knows where a medium is whose address is refused.
    private let canReaddress: Bool
    /// Why another address has been asked for, until there is an answer.
    private var question: PlaybackError?
    /// How far playback had come when another address was asked for last.
    private var askedAt: Double?
    /// Since when it should open, or go on, and does not.
    private var waitingSince: Duration?
    private var engineRuns = false
    private var videoOutputs = 0
    private var videoFailed = false
    private var saidVideoFailed = false
    private var estimatesDuration = false

    init(
        url: URL, subtitles: [ExternalSubtitle] = [], retry: RetryPolicy = .standard,
        canReaddress: Bool = false, startPosition: Double,
        wantsToPlay: Bool, showsVideo: Bool, isPictureShown: Bool = true, rate: Double, at time: Duration
    ) {
        self.url = url
        self.retry = retry
        self.canReaddress = canReaddress
        tracks = VLCTrackKeeper(subtitles: subtitles, showsVideo: showsVideo, isPictureShown: isPictureShown)
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
    func wantsFacts(with signal: VLCSignal) -> Bool {
        switch (phase, signal) {
        case (.opening, .buffering(let percent)): percent >= 100
        case (.opening, .playing), (.opening, .endReached), (.opening, .presentation): true
        case (.open, .timeChanged), (.open, .paused): tracks.isDirty
        default: false
        }
    }

    private func held(_ position: Double) -> Double {
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

    // MARK: Commands

    mutating func play(at time: Duration) -> [Action] {
        guard !wantsToPlay, phase != .finished else { return [] }
        wantsToPlay = true
        if phase == .draining {
            playhead.advance(at: time)
            let position = playhead.position(at: time)
            return [.tell(.playing(position: position)), .awaitEnd(remaining(at: time))] + watch()
        }
        if phase == .open, isLive, !engineRuns {
            rejoinPosition = playhead.position(at: time)
            waitingSince = time
            return [.resume] + watch()
        }
        if phase == .open { waitingSince = time }
        // libVLC says nothing if the pause had not reached it yet.
        return [.resume] + (phase == .open && engineRuns && !isBuffering ? run(at: time) : [])
    }

    mutating func pause(at time: Duration) -> [Action] {
        guard wantsToPlay, phase != .finished else { return [] }
        wantsToPlay = false
        if phase == .open { waitingSince = nil }
        guard phase == .draining else { return [.pause] }
        playhead.stand(at: time)
        return [.cancelAwaitingEnd, .tell(.paused(position: playhead.position(at: time)))]
    }

    mutating func seek(to target: Double, at time: Duration) -> [Action] {
        switch phase {
        case .opening where isRestarting:
            // It goes there as soon as it is open again.
            seek = Seek(target: held(target), lastSign: time)
            playhead.jump(to: held(target), at: time)
            return []
        case .opening, .finished: return [.tell(.seekFailed(position: playhead.position(at: time)))]
        case .draining:
            seek = Seek(target: target, hasBegun: true, lastSign: time)
            return [.cancelAwaitingEnd, restart(at: target, decodingVideo: decodesVideo, time)]
        case .open:
            rejoinPosition = nil
            let target = held(target)
            seek = Seek(target: target, lastSign: time)
            playhead.stand(at: time)
            return handover.cancel() + [.seek(place(of: target))] + watch()
        }
    }

    private func place(of position: Double) -> Place {
        guard let window = presentation?.window, isLive, window.availableLength > 0 else { return .time(position) }
        return .fraction(min(max((position - window.start) / window.availableLength, 0), 1))
    }

    mutating func setRate(_ rate: Double, at time: Duration) -> [Action] {
        playhead.setRate(rate, at: time)
        return phase == .draining && wantsToPlay ? [.cancelAwaitingEnd, .awaitEnd(remaining(at: time))] : []
    }

    // MARK: Signals

    /// - Parameter latest: what libVLC knows now, if `wantsFacts(with:)`.
    mutating func handle(_ signal: VLCSignal, latest: VLCFacts?, at time: Duration) -> [Action] {
        guard phase != .finished, phase != .draining else { return [] }
        if let latest {
            facts = latest
            completeDuration()
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
            return []
        case .demuxer(let name):
            estimatesDuration = Self.estimatingDemuxers.contains(name)
            guard name == Self.adaptiveDemuxer, !url.isFileURL, phase == .opening, presentation == nil else {
                return []
            }
            (awaitsPresentation, isStream) = (true, true)
            return [.readPlaylist]
        case .logged(let line): return logged(line, at: time)
        }
    }

    /// libVLC is about to tell the end, of which it knows no reason.
    ///
    /// - Parameter error: why nothing more could be read; `nil` if everything was, as far as is known.
    mutating func readingEnded(_ error: PlaybackError?) -> [Action] {
        readError = error
        return []
    }

    /// What is at the address cannot be had.
    mutating func unreachable(_ error: PlaybackError, at time: Duration) -> [Action] {
        readError = error
        return broken(error, at: time)
    }

    /// The answer to `askForAddress`; `nil`: nobody knows.
    mutating func readdressed(to url: URL?, at time: Duration) -> [Action] {
        guard let question, phase != .finished else { return [] }
        self.question = nil
        guard let url else { return takeUp(after: question, at: time) }
        self.url = url
        return [restart(at: playhead.position(at: time), decodingVideo: decodesVideo, time)] + watch()
    }

    /// A stream that cannot be held was left; `play` begins a new one.
    mutating func left(at time: Duration) -> [Action] {
        guard phase == .open else { return [] }
        timeOffset = nil
        awaitAnotherOpening(at: time)
        return [.tell(.paused(position: playhead.position(at: time)))]
    }

    /// The time for which `awaitEnd` asked has come.
    mutating func drained() -> [Action] {
        guard phase == .draining, wantsToPlay else { return [] }
        return [end()]
    }

    private mutating func playing(at time: Duration) -> [Action] {
        engineRuns = true
        if phase == .opening, let hopeless = hopeless(at: time) { return [hopeless] }
        guard wantsToPlay else { return [.pause] }
        return phase == .open && !isBuffering && rejoinPosition == nil ? run(at: time) : []
    }

    private mutating func paused(at time: Duration) -> [Action] {
        engineRuns = false
        guard phase == .open else { return [] }
        // A pause that was taken back before it took effect.
        guard !wantsToPlay else { return [.resume] }
        playhead.stand(at: time)
        return (seek == nil ? [.tell(.paused(position: playhead.position(at: time)))] : []) + tracks.settle()
    }

    private mutating func buffering(_ percent: Double, at time: Duration) -> [Action] {
        // What was said before the seek was made is not about it.
        if phase == .open, let seek, time <= seek.lastSign, !seek.hasBegun { return [] }
        guard percent >= 100 else {
            seek?.hasBegun = true
            seek?.lastSign = time
            return stall(at: time) + level(percent)
        }
        isBuffering = false
        if phase == .opening {
            isHeld = awaitsPresentation
            return isHeld ? [] : opened(at: time)
        }
        let actions = level(percent)
        if let rejoinPosition { return actions + rejoin(at: rejoinPosition, time) }
        if let seek, seek.hasBegun { return actions + finish(seek, at: time) }
        return actions + (wantsToPlay && !playhead.isAdvancing ? run(at: time) : [])
    }

    /// What is told of the buffer, in steps that are worth telling.
    private mutating func level(_ percent: Double) -> [Action] {
        guard !url.isFileURL else { return [] }
        let isWorthIt =
            percent < toldPercentage || percent - toldPercentage >= Self.percentageStep
            || (percent >= 100 && toldPercentage < 100)
        guard isWorthIt else { return [] }
        toldPercentage = percent
        return [.tell(.buffered(BufferLevel(percentage: percent)))]
    }

    private mutating func rejoin(at position: Double, _ time: Duration) -> [Action] {
        rejoinPosition = nil
        let target = held(position)
        seek = Seek(target: target, isSilent: true, lastSign: time)
        return [.seek(place(of: target))] + watch()
    }

    private mutating func stall(at time: Duration) -> [Action] {
        defer { isBuffering = true }
        guard phase == .open, !isBuffering, seek == nil else { return [] }
        return stand(at: time)
    }

    /// libVLC says nothing of it, but it does not go on.
    private mutating func starve(since beginning: Duration, at time: Duration) -> [Action] {
        guard playhead.isAdvancing else { return [] }
        isStarved = true
        waitingSince = waitingSince ?? beginning
        return stand(at: time)
    }

    /// What is told when it does not go on.
    private mutating func stand(at time: Duration) -> [Action] {
        let wasRunning = playhead.isAdvancing
        playhead.stand(at: time)
        guard wasRunning else { return [] }
        waitingSince = waitingSince ?? time
        return [.tell(.stalled(position: playhead.position(at: time)))] + (url.isFileURL ? [] : watch())
    }

    /// What has not come by now will not come.
    private mutating func lose(because error: PlaybackError?, at time: Duration) -> [Action]? {
        guard let waitingSince, isExpecting, seek == nil else { return nil }
        let since = isRestarting ? outage?.since ?? waitingSince : waitingSince
        let limit =
            isRestarting ? retry.giveUpAfter : phase == .opening ? retry.longestOpening : retry.longestStall
        guard time - since > .seconds(limit) else { return nil }
        if let question { return [fail(question, at: time)] }
        let waited = PlaybackRemedy.waited(seconds: (time - waitingSince) / .seconds(1))
        return broken(error ?? reason(at: time) ?? PlaybackError(.timedOut, url: url).after(waited), at: time)
    }

    /// Whether something must come of the network before long.
    private var isExpecting: Bool {
        !url.isFileURL && waitingSince != nil && (phase == .opening || phase == .open && wantsToPlay)
    }

    /// The time for which `watch` asked has come: finds out what libVLC keeps to itself.
    ///
    /// - Parameter error: what failed last of what libVLC wants to read.
    mutating func checkProgress(at time: Duration, error: PlaybackError? = nil) -> [Action] {
        isWatched = false
        if phase == .draining, wantsToPlay { return [.tell(.time(position: playhead.position(at: time)))] + watch() }
        if let actions = lose(because: error, at: time) { return actions }
        guard phase == .open else { return isExpecting ? watch() : [] }
        if var seek, seek.isSilent, !seek.hasBegun, seek.attempts < Self.silentSeekAttempts,
            time - seek.lastSign >= Self.longestSilentSeek
        {
            seek.attempts += 1
            seek.lastSign = time
            self.seek = seek
            return [.seek(place(of: seek.target))] + watch()
        }
        if let seek, time - seek.lastSign > Self.longestSeek {
            self.seek = nil
            let failed: [Action] = seek.isSilent ? [] : [.tell(.seekFailed(position: playhead.position(at: time)))]
            if wantsToPlay, engineRuns, !isBuffering { return failed + run(at: time) }
            // It may never go on.
            waitingSince = waitingSince ?? time
            return failed + watch()
        }
        if let rejoinPosition, engineRuns, !isBuffering { return rejoin(at: rejoinPosition, time) }
        if seek == nil, playhead.isAdvancing, time - playhead.hostTime >= Playhead.longestSilence {
            return starve(since: playhead.hostTime, at: time)
        }
        return seek != nil || rejoinPosition != nil || playhead.isAdvancing || isExpecting ? watch() : []
    }

    private mutating func watch() -> [Action] {
        guard !isWatched else { return [] }
        isWatched = true
        return [.watch(Self.watchInterval)]
    }

    private mutating func opened(at time: Duration) -> [Action] {
        guard playsSomething else {
            return hopeless(at: time).map { [$0] } ?? broken(reason(at: time) ?? withoutStream, at: time)
        }
        phase = .open
        waitingSince = wantsToPlay ? time : nil
        playhead.setLimit(facts.duration)
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
            duration: facts.duration, isSeekable: facts.isSeekable, playbackType: playbackType, tracks: opened.tracks,
            audio: opened.audio, subtitle: opened.subtitle, dvrWindow: isLive ? presentation?.window : nil,
            position: playhead.position(at: time))
        let buffer = url.isFileURL ? BufferLevel.whole : BufferLevel(percentage: 100)
        return [.tell(.buffered(buffer)), .tell(.opened(media)), .readMetadata] + tracks.hidePicture() + tracks.settle()
            + (wantsToPlay ? run(at: time) : engineRuns ? [.pause] : []) + choosePart()
    }

    /// What follows when it is open again.
    private mutating func goOn(at time: Duration) -> [Action] {
        guard var seek else { return wantsToPlay ? run(at: time) : [] }
        // It was opened at the target.
        guard !seek.hasBegun else { return finish(seek, at: time) }
        seek.lastSign = time
        self.seek = seek
        return [.seek(place(of: seek.target))] + watch()
    }

    private func has(_ kind: VLCSignal.StreamKind) -> Bool { facts.streams.contains { $0.kind == kind } }

    private var playsSomething: Bool { playingStreams.contains(.audio) || playingStreams.contains(.video) }

    /// What to do if it is clear already that nothing will play as it is; `nil` if it is not.
    private mutating func hopeless(at time: Duration) -> Action? {
        guard !playsSomething, has(.video) || has(.audio) else { return nil }
        // Without a picture to decode, a medium that is all picture has nothing to keep time with.
        if !decodesVideo, !has(.audio) {
            return restart(at: playhead.anchor, decodingVideo: true, time)
        }
        return isRestarting ? nil : reason(at: time).map { fail($0, at: time) }
    }

    private mutating func run(at time: Duration) -> [Action] {
        guard seek == nil else { return [] }
        isStarved = false
        lastEngineTime = nil
        playhead.advance(at: time)
        return [.tell(.playing(position: playhead.position(at: time)))] + watch()
    }

    private mutating func finish(_ seek: Seek, at time: Duration) -> [Action] {
        self.seek = nil
        playhead.jump(to: seek.target, at: time)
        return (seek.isSilent ? [] : [.tell(.seeked(position: seek.target))]) + (wantsToPlay ? run(at: time) : [])
            + choosePart()
    }

    private mutating func lengthChanged(_ milliseconds: Int64) -> [Action] {
        // The length of a live stream is that of its window.
        isLive ? [] : lengthChanged(to: Double(milliseconds) / 1000)
    }

    private mutating func lengthChanged(to duration: Double) -> [Action] {
        guard duration > 0, duration != facts.duration else { return [] }
        facts.duration = duration
        guard phase == .open else { return [] }
        playhead.setLimit(duration)
        return [.tell(.durationChanged(duration))] + choosePart()
    }

    private mutating func timeChanged(_ engineTime: Double, at time: Duration) -> [Action] {
        // libVLC repeats the target of a seek at once, before it has got there.
        guard phase == .open, seek == nil, rejoinPosition == nil, !isBuffering, wantsToPlay else { return [] }
        // After a seek in a live stream it says 0 for a while.
        if isLive, engineTime == 0 { return tracks.settle() }
        if let last = lastEngineTime, last.time == engineTime {
            if time - last.since >= Self.longestStandstill {
                return starve(since: last.since, at: time) + tracks.settle()
            }
            if isStarved { return tracks.settle() }
        } else {
            progress += max(0, engineTime - (lastEngineTime?.time ?? engineTime))
            lastEngineTime = (engineTime, time)
            waitingSince = nil
        }
        let position = engineTime + (timeOffset ?? playhead.position(at: time) - engineTime)
        timeOffset = position - engineTime
        if isOverrun(position) { return endReached(at: time) }
        if isStarved { return run(at: time) }
        guard playhead.isAdvancing else { return [] }
        playhead.sync(to: position, at: time)
        return [.tell(.time(position: position))] + missingWindow() + tracks.settle()
    }

    /// Whether libVLC waits, perhaps for hours, for a wrong time stamp at the end of a stream: its time runs on meanwhile.
    ///
    /// By a tenth a playlist may be wrong that tells whole seconds only.
    private func isOverrun(_ position: Double) -> Bool {
        guard presentation != nil, !isLive, let duration = facts.duration else { return false }
        return position > duration + max(Self.longestOverrun, duration / 10)
    }

    private mutating func logged(_ line: VLCLogLine, at time: Duration) -> [Action] {
        diagnosis.add(line, at: time)
        // Formats that the output cannot take are tried first, so this alone says nothing.
        if line.message.contains("video output creation failed") { videoFailed = true }
        return []
    }

    /// Whether it has become clear that the picture is nowhere to be seen.
    private mutating func missingWindow() -> [Action] {
        guard showsVideo, videoFailed, videoOutputs == 0, !saidVideoFailed else { return [] }
        saidVideoFailed = true
        let message = "No window could be opened for the picture: is vlc-plugin-video-output installed?"
        return [.tell(.notice(PlaybackNotice(code: "noWindow", message: message)))]
    }

    // MARK: Streams

    mutating func showPicture(_ isShown: Bool) -> [Action] {
        tracks.showPicture(isShown, isOpen: phase == .open) + choosePart()
    }

    /// Where nobody sees the picture and the stream has its sound by itself, that is enough.
    private mutating func choosePart() -> [Action] {
        guard phase == .open, showsVideo, !isLive, facts.duration != nil, seek == nil else { return [] }
        let soundOnly = presentation?.soundOnly
        return handover.choose(tracks.isPictureHidden ? soundOnly.map { .soundOnly($0) } ?? .whole : .whole)
    }

    /// Where the playhead is, in seconds, and whether it runs.
    func playhead(at time: Duration) -> (position: Double, isRunning: Bool) {
        (playhead.position(at: time), playhead.isAdvancing)
    }

    /// Seconds of the medium that are left.
    func left(after position: Double) -> Double { (facts.duration ?? .infinity) - position }

    /// Another player has taken over, at the playhead.
    ///
    /// - Parameters:
    ///   - signals: what it has told of its streams.
    ///   - facts: what it knows.
    mutating func handedOver(_ signals: [VLCSignal], _ facts: VLCFacts, at time: Duration) -> [Action] {
        handover.done()
        playingStreams = []
        tracks.forgetStreams()
        for signal in signals { _ = handle(signal, latest: nil, at: time) }
        tracks.update(facts.streams)
        (engineRuns, isBuffering, isStarved) = (wantsToPlay, false, false)
        timeOffset = nil
        return tracks.reopen() + tracks.hidePicture() + choosePart()
    }

    /// The other player has come to nothing: this one goes on.
    mutating func handoverFailed() -> [Action] {
        handover.failed()
        return []
    }

    mutating func selectAudio(_ id: Int) -> [Action] { tracks.selectAudio(id) }

    mutating func selectSubtitle(_ id: Int?) -> [Action] { tracks.selectSubtitle(id, isOpen: phase == .open) }

    /// The file can be given to libVLC now.
    ///
    /// - Returns: whether it still shall be.
    mutating func subtitlesPrepared(_ id: Int) -> Bool { phase == .open && tracks.subtitlesPrepared(id) }

    mutating func subtitlesUnusable(_ id: Int, _ notice: PlaybackNotice) -> [Action] {
        phase == .finished ? [] : tracks.subtitlesUnusable(id, notice)
    }

    mutating func metadataRead(_ metadata: MediaMetadata) -> [Action] {
        guard phase == .open, metadata != self.metadata else { return [] }
        self.metadata = metadata
        return [.tell(.metadataChanged(metadata))]
    }

    private mutating func presented(_ presentation: HLSPresentation?, at time: Duration) -> [Action] {
        let before = self.presentation
        self.presentation = presentation ?? before
        isLive = isLive || presentation?.isLive == true
        if phase == .opening, awaitsPresentation {
            awaitsPresentation = false
            completeDuration()
            return isHeld ? opened(at: time) : []
        }
        guard phase == .open, let presentation else { return [] }
        guard isLive else { return facts.duration == nil ? lengthChanged(to: presentation.window.end) : [] }
        return presentation.window == before?.window ? [] : [.tell(.dvrWindowChanged(presentation.window))]
    }

    /// libVLC tells the length of a live stream's window as its own, and that of a stream in segments late, of a short one never.
    private mutating func completeDuration() {
        if isLive {
            facts.duration = nil
        } else if let window = presentation?.window, window.end > 0 {
            facts.duration = facts.duration ?? window.end
        }
    }

    // MARK: Endings

    private mutating func endReached(at time: Duration) -> [Action] {
        if phase == .opening {
            awaitsPresentation = false
            guard playsSomething else {
                return hopeless(at: time).map { [$0] } ?? broken(reason(at: time) ?? withoutStream, at: time)
            }
            // Neither a length nor a single sound or picture: a decoder was found for what is none.
            guard facts.duration != nil else { return broken(reason(at: time) ?? noMedium, at: time) }
            // So short that it was over before the buffers were full.
            let opening = opened(at: time)
            return phase == .open ? opening + endReached(at: time) : opening
        }
        if let target = seek?.target, target < (facts.duration ?? .infinity) - Self.tolerance.withVideo {
            return [restart(at: target, decodingVideo: decodesVideo, time)]
        }
        var actions: [Action] = []
        if let seek { actions = finish(seek, at: time) }
        if facts.duration == nil, !url.isFileURL, let reason = reason(at: time) {
            return actions + broken(reason, at: time)
        }
        let left = remaining(at: time)
        let tolerance =
            isStream && readError == nil
            ? .infinity
            : playingStreams.contains(.video) && !tracks.isPictureHidden
                ? Self.tolerance.withVideo : Self.tolerance.soundOnly
        if left > tolerance {
            guard estimatesDuration, reason(at: time) == nil else {
                return actions + broken(endedEarly(at: time), at: time)
            }
            // The guess was wrong: the medium is as long as it was.
            let duration = playhead.position(at: time)
            facts.duration = duration
            return actions + [.tell(.durationChanged(duration)), end()]
        }
        guard left > 0.01 else { return actions + [end()] }
        phase = .draining
        guard wantsToPlay else { return actions }
        // libVLC tells no more times: the playhead goes on from here by itself.
        let position = playhead.position(at: time)
        playhead.sync(to: position, at: time)
        return actions + [.tell(.time(position: position)), .awaitEnd(left)] + watch()
    }

    /// Seconds, in real time, until what is known of the medium has been played.
    private func remaining(at time: Duration) -> Double {
        guard let duration = facts.duration else { return 0 }
        return max(0, duration - playhead.position(at: time)) / playhead.rate
    }

    private mutating func end() -> Action {
        phase = .finished
        return .tell(.ended(position: facts.duration ?? playhead.anchor))
    }

    private mutating func restart(
        at position: Double, decodingVideo: Bool, after delay: Double = 0, _ time: Duration
    ) -> Action {
        awaitAnotherOpening(at: time)
        decodesVideo = decodingVideo
        playhead.jump(to: position, at: time)
        // A live stream is joined at its edge, and its playhead goes on from where it was.
        return .restart(at: isLive ? 0 : position, decodingVideo: decodingVideo, after: delay)
    }

    /// Does what can be done about what broke off.
    private mutating func broken(_ error: PlaybackError, at time: Duration) -> [Action] {
        guard error.suggestsExpiry, canReaddress, askedAt.map({ progress - $0 >= Self.recovered }) ?? true else {
            return takeUp(after: error, at: time)
        }
        (question, askedAt) = (error, progress)
        let actions = stand(at: time)
        (readError, waitingSince, outage) = (nil, time, nil)
        diagnosis.clear()
        if isLive { timeOffset = nil }
        awaitAnotherOpening(at: time)
        return actions + [.askForAddress(error)] + watch()
    }

    /// Takes up again what broke off, as long as that makes sense.
    private mutating func takeUp(after error: PlaybackError, at time: Duration) -> [Action] {
        let position = playhead.position(at: time)
        guard let delay = delay(after: error, time) else { return [fail(error, at: time)] }
        outage?.attempts += 1
        let actions = stand(at: time)
        (readError, waitingSince) = (nil, time + .seconds(delay))
        diagnosis.clear()
        if isLive { timeOffset = nil }
        return actions + [restart(at: position, decodingVideo: decodesVideo, after: delay, time)] + watch()
    }

    /// In seconds: when to try again; `nil` if it is over.
    private mutating func delay(after error: PlaybackError, _ time: Duration) -> Double? {
        guard !url.isFileURL, phase == .open || isRestarting else { return nil }
        // All of it has come, and will be the same the next time.
        if url.isHTTP, readError == nil { return nil }
        var retry = retry
        // A segment that is not there any more, or not yet, is no reason to leave a live stream.
        if isLive, error.code == .httpStatus { retry.codes = (retry.codes ?? []).union([.httpStatus]) }
        if let outage, progress - outage.progress < Self.recovered {
            return retry.delay(
                before: outage.attempts, after: error, elapsed: (time - outage.since) / .seconds(1))
        }
        outage = Outage(since: time, progress: progress)
        return retry.delay(before: 0, after: error, elapsed: 0)
    }

    /// The player goes, and what comes next about the item comes of another one.
    private mutating func awaitAnotherOpening(at time: Duration) {
        isRestarting = isRestarting || phase != .opening
        phase = .opening
        engineRuns = false
        isBuffering = true
        isHeld = false
        rejoinPosition = nil
        handover = VLCHandover()
        playingStreams = []
        tracks.forgetStreams()
        playhead.stand(at: time)
    }

    private mutating func fail(_ error: PlaybackError, at time: Duration) -> Action {
        phase = .finished
        var error = error
        if let outage, outage.attempts > 0, progress - outage.progress < Self.recovered {
            error = error.after(.retried(times: outage.attempts, seconds: (time - outage.since) / .seconds(1)))
        }
        if let askedAt, progress - askedAt < Self.recovered { error = error.after(.askedForAddress) }
        return .tell(.failed(error, position: playhead.position(at: time)))
    }

    // MARK: Reasons

    private func reason(at time: Duration) -> PlaybackError? {
        readError ?? diagnosis.error(for: url, since: phase == .opening ? .zero : time - Self.longestConsequence)
    }

    private var unopenable: PlaybackError {
        PlaybackError(url.isFileURL ? .unrecognisedFormat : .connectionFailed, url: url)
    }

    private var noMedium: PlaybackError { PlaybackError(.unrecognisedFormat, url: url) }

    private var withoutStream: PlaybackError {
        !has(.audio) && !has(.video) ? noMedium : PlaybackError(.noPlayableStream, url: url)
    }

    private func endedEarly(at time: Duration) -> PlaybackError {
        if !url.isFileURL, let reason = reason(at: time) { return reason }
        let reached = playhead.position(at: time)
        let detail = String(
            format: "The medium broke off at %.1f s of %.1f s.", reached, facts.duration ?? reached)
        return PlaybackError(.endedEarly, url: url, detail: detail)
    }

    private var playbackType: PlaybackType {
        if url.isFileURL { return .file }
        if presentation != nil { return isLive ? .live : .vod }
        return facts.duration == nil ? .live : .vod
    }
}
