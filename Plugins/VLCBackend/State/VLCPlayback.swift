#if VLC
import AudioMixer
import MediaTransport
import CVLC
import Foundation
import Playback

/// One opening of one item, from `open` or `prepare` to its end.
// Unchecked: all of it is used on the worker's queue only.
final class VLCPlayback: @unchecked Sendable {
    let request: OpenRequest
    /// Where the medium is; another one once the first has expired.
    var address: URL
    /// Whether it is being prepared, so that what it has to tell waits for its turn.
    var isAhead: Bool
    /// Whether it has been told that it is held at its start.
    var isPrepared = false

    let queue: WatchdogQueue
    let audioOutput: AudioOutput
    /// What makes the sound join that of other items; `nil` where that is not asked for.
    let mixer: () -> PulseMixer?
    let emit: (BackendEvent.Body, Duration) -> Void
    var controls: VLCControls
    var machine: VLCStateMachine
    var held: [(body: BackendEvent.Body, time: Duration)] = []
    var deck: VLCPlayer?
    /// Of the deck that plays: signals of an earlier one are dropped.
    var deckNumber = 0
    /// Counts the decks of the item.
    var deckCount = 0
    var frames: VLCFrameReceiver?
    var endTimer: DispatchWorkItem?
    /// When the picture is over that belongs to the sound.
    var endOfPicture = Duration.zero
    var monitor: PlaylistMonitor?
    /// Counts the monitors of the item: what an earlier one tells is nobody's any more.
    var monitorCount = 0
    /// Files with texts that libVLC reads.
    var subtitles: [Int: SubtitleFile] = [:]
    let cookies = CookieJar()
    /// What finds out what is at the address, so that there is no deck yet.
    var opening: MediaProbe?
    /// Whether there is no deck because what broke off is not to be tried again yet.
    var restartIsPending = false
    /// What is at the address; `nil` if libVLC opens that itself.
    var content: MediaProbe.Content?
    /// What is about to take over from the deck.
    var successor: StandbyPlayer?
    /// The window of a live stream as libVLC goes on to see it for a moment after it has resumed.
    var segmentsAtResume: HLSPlaylist.Segments?
    /// Texts that are being read or fetched.
    var preparing: Set<Int> = []
    /// What to say if the medium has sound.
    var silenceNotice: PlaybackNotice?
    /// What is done to let the player's clock and the mixer agree.
    var alignment: ClockSync?
    var isOver = false
    var interruption = VLCInterruption()
    /// Learns when an interruption is over while there is no deck to learn it.
    var sentinel: PulseStream?
    /// Whether the deck's sound has only begun, and what it was muted for is not known.
    var isFresh = false
    /// Where libVLC's own output goes, as the sound server calls it.
    var device: String?
    /// Whether frames are of another place than they should be.
    var hidesPicture = false
    /// Whether it is prepared without a picture, because it would open a window.
    var isBlind = false

    /// In seconds: so late at the most is heard what is due now.
    static let outputDelay = 0.5
    /// In seconds: after the end, a sound that does not get there is waited for no longer.
    static let longestWait = 1.5

    var now: Duration { ContinuousClock().hostTime }

    /// Where frames go now.
    var sink: (any VideoFrameSink)? { hidesPicture ? nil : controls.sink }

    /// - Parameters:
    ///   - isAhead: whether it is only prepared, until `begin`.
    ///   - mixer: asked only where it can be of use.
    ///   - emit: takes what is told, with the time at which it was so.
    init(
        _ request: OpenRequest, isAhead: Bool, controls: VLCControls, audioOutput: AudioOutput,
        mixer: @escaping () -> PulseMixer?, queue: WatchdogQueue,
        emit: @escaping (BackendEvent.Body, Duration) -> Void
    ) {
        self.request = request
        address = request.url
        self.isAhead = isAhead
        self.controls = controls
        self.audioOutput = audioOutput
        self.mixer = mixer
        self.queue = queue
        self.emit = emit
        machine = VLCStateMachine(
            request, wantsToPlay: false, showsVideo: false, isVideoVisible: controls.isPictureShown,
            rate: controls.rate, at: ContinuousClock().hostTime)
    }

    deinit { endTimer?.cancel() }

    // MARK: Commands

    func start(playing: Bool) {
        // Nobody is to see a window of what is not played yet.
        isBlind = isAhead && controls.opensWindow
        restartIsPending = false
        let video = videoForNextDeck()
        machine = VLCStateMachine(
            request, url: address, wantsToPlay: playing, showsVideo: video.isShown,
            isVideoVisible: controls.isPictureShown, rate: controls.rate, at: now)
        perform { $0.begin(at: $1) }
        locate { session in
            session.startDeck(
                at: session.request.startPosition, paused: !session.machine.wantsToPlay, video: video)
        }
    }

    /// It is the turn of what was prepared.
    func begin(playing: Bool) {
        isAhead = false
        if lacksPicture {
            held = []
            return start(playing: playing)
        }
        frames?.setSink(sink)
        for (body, time) in held { report(body, time) }
        held = []
        if playing { play() } else { pause() }
    }

    /// Whether it was prepared without the picture that it has, so that it must be opened anew.
    var lacksPicture: Bool { isBlind && deck?.facts.streams.contains { $0.kind == .video } ?? true }

    func play() { perform { $0.play(at: $1) } }

    func pause() {
        leaveAlignment()
        perform { $0.pause(at: $1) }
    }

    func seek(to target: Double) { perform { $0.seek(to: target, at: $1) } }

    func selectAudio(_ id: Int) { perform { machine, _ in machine.selectAudio(id) } }

    func selectSubtitle(_ id: Int?) { perform { machine, _ in machine.selectSubtitle(id) } }

    func setControls(_ controls: VLCControls) {
        let before = self.controls
        self.controls = controls
        if controls.rate != before.rate {
            deck?.setRate(controls.rate)
            perform { $0.setRate(controls.rate, at: $1) }
        }
        if controls.volume != before.volume { deck?.setVolume(controls.volume) }
        if controls.isMuted != before.isMuted { muteDeck() }
        if !isAhead { frames?.setSink(sink) }
        perform { machine, _ in machine.setVideoVisible(controls.isPictureSeen) }
    }

    /// Lets go of everything.
    func close() {
        guard !isOver else { return }
        letGo()
        if !machine.isFinished { emit(.closed, now) }
    }

    /// Seconds, in real time, until the end is heard; `nil` while nothing runs towards it.
    var secondsToEnd: Double? {
        let playhead = machine.playhead(at: now)
        guard machine.wantsToPlay, playhead.isRunning else { return nil }
        if let source, source.hasBegun, let left = source.secondsLeft {
            return left + (mixer()?.latency ?? 0)
        }
        let left = machine.remaining(after: playhead.position)
        return left.isFinite ? left / controls.rate : nil
    }

    /// Where its sound goes on the way to that of other items.
    var source: MixerInputQueue? { deck?.source }

    /// Holds what was let go before its turn at its start again.
    func rewind() {
        alignment = nil
        held = []
        start(playing: false)
    }

    // MARK: Decks

    func startDeck(at position: Double, paused: Bool, video: VLCPlayer.Video) {
        let url = address
        dropDeck()
        let number = deckNumber
        let deck = makeDeck(url, at: position, paused: paused, video: video) { [weak self] signal, time in
            self?.receive(signal, at: time, deckNumber: number)
        }
        guard let deck else {
            letGo()
            let error = PlaybackError(
                .engineFailed, url: url, detail: "libVLC could not start. Is vlc-plugin-base installed?")
            return tell(.failed(error, position: position))
        }
        self.deck = deck
        isFresh = true
        deck.play()
    }

    func makeDeck(
        _ url: URL, at position: Double, paused: Bool, video: VLCPlayer.Video,
        receive: @escaping @Sendable (VLCEvent, Duration) -> Void
    ) -> VLCPlayer? {
        let audio = AudioOutputProbe(audioOutput)
        silenceNotice = audio.notice
        let sound = sound(to: audio.module, paused: paused)
        let (bytes, lane) = source(of: url, at: position, for: sound)
        let settings = VLCPlayer.Settings(
            startPosition: position, startsPaused: paused, rate: controls.rate, volume: controls.volume,
            isMuted: controls.isMuted, role: controls.role, sound: sound, video: video,
            options: rateOptions + formatOptions, bytes: bytes, lane: lane)
        return VLCInstance.shared.flatMap {
            VLCPlayer(instance: $0, url: url, settings: settings, worker: queue, receive: receive)
        }
    }

    func sound(to module: String, paused: Bool) -> VLCPlayer.Sound {
        guard module == "pulse", let mixer = mixer() else { return .module(module) }
        let source = mixer.makeInput(isPaused: paused) { [weak self, queue] latency in
            queue.asyncAfter(deadline: .now() + latency) { [weak self] in self?.soundMayBeOver() }
        }
        return .source(source, mixer)
    }

    /// What a player reads.
    ///
    /// - Parameter url: of the item, or of a part of its stream.
    func source(
        of url: URL, at position: Double, for sound: VLCPlayer.Sound
    ) -> (bytes: (any MediaBytes)?, lane: HLSProxySession?) {
        switch content {
        case .medium(let medium): return (medium, nil)
        case .stream(let stream):
            let lane = HLSProxySession(to: stream, hasBegun: machine.hasOpened)
            return (stream.entrance(to: url == address ? nil : url, by: lane), lane)
        case nil: return (position == 0 ? wholeFile(for: sound) : nil, nil)
        }
    }

    /// libVLC leaves out what an encoder has put before the sound, and with it the start of the sound: so it is not to know
    /// of it, and the source leaves it out.
    func wholeFile(for sound: VLCPlayer.Sound) -> (any MediaBytes)? {
        guard case .source(let source, _) = sound, request.url.isFileURL,
            let priming = MP4Priming(file: request.url)
        else { return nil }
        source.trim(priming: priming.lead, duration: priming.length)
        return PatchedFile(url: request.url, patch: .init(offset: priming.boxType, bytes: Array("free".utf8)))
    }

    func nextDeckNumber() -> Int {
        deckCount += 1
        return deckCount
    }

    /// Signals of the deck that are still on their way are nobody's any more.
    func dropDeck() {
        opening?.cancel()
        opening = nil
        deck = nil
        successor = nil
        deckNumber = nextDeckNumber()
    }

    /// - Parameter decoded: whether pictures must be decoded even where nobody sees them.
    func videoForNextDeck(decoded: Bool = false) -> VLCPlayer.Video {
        if isBlind { return decoded ? framesVideo(nil) : .none }
        switch controls.videoOutput {
        case .none: return decoded ? framesVideo(nil) : .none
        case .frames: return framesVideo(isAhead ? nil : sink)
        case .window: return VLCControls.hasDisplay ? .window : decoded ? framesVideo(nil) : .none
        }
    }

    func framesVideo(_ sink: (any VideoFrameSink)?) -> VLCPlayer.Video {
        let receiver = VLCFrameReceiver(sink: sink)
        frames = receiver
        return .frames(receiver)
    }

    // MARK: Signals

    func receive(_ signal: VLCEvent, at time: Duration, deckNumber: Int) {
        guard self.deckNumber == deckNumber, !isOver, !isOfAlignment(signal), !isOfSound(signal) else { return }
        let facts = machine.wantsInfo(with: signal) ? deck?.facts : nil
        if signal == .endReached || signal == .encounteredError {
            let error = readError
            perform { machine, _ in machine.readingEnded(error) }
        }
        if case .playing = signal {
            // A sound server may bring back what it remembers of an earlier stream.
            deck?.setVolume(controls.volume)
            muteDeckThatPlays()
        }
        perform { machine, _ in machine.handle(signal, info: facts, at: time) }
    }

    /// Why libVLC got no more of the medium.
    var readError: PlaybackError? {
        if let lastError { return lastError }
        guard let lane = deck?.lane, !lane.isComplete else { return nil }
        return PlaybackError(.endedEarly, url: address)
    }

    /// What failed last of what libVLC wants to read.
    var lastError: PlaybackError? {
        if case .medium(let medium) = content { return medium.error }
        return deck?.lane?.error
    }

    /// Why nothing comes of what libVLC wants to read, also where it is still being tried.
    private var trouble: PlaybackError? {
        if let opening { return opening.trouble }
        if case .medium(let medium) = content { return medium.trouble }
        return deck?.lane?.trouble
    }

    func perform(_ body: (inout VLCStateMachine, Duration) -> [VLCStateMachine.Action]) {
        guard !isOver else { return }
        let actions = body(&machine, now)
        for action in actions { perform(action) }
        if hidesPicture != machine.hidesFrames {
            hidesPicture.toggle()
            if !isAhead { frames?.setSink(sink) }
        }
        // libVLC cannot be held any more when it has handed out everything.
        source?.setPaused(!machine.wantsToPlay)
    }

    func perform(_ action: VLCStateMachine.Action) {
        switch action {
        case .report(let body):
            if case .ended = body { soundOut() }
            tell(body)
            // Stopping an engine may take its time.
            if machine.isFinished { letGo() }
            if case .opened(let media) = body {
                warn(about: media)
                limitSound(to: media)
            }
        case .pause: pauseDeck()
        case .resume: resumeDeck()
        case .seek(.time(let position)): deck?.seek(to: position)
        case .seek(.window(let position)): seekDeck(to: position, within: deck?.lane?.segments)
        case .seek(.windowBeforePause(let position)): seekDeck(to: position, within: segmentsAtResume)
        case .selectVideo(let stream): deck?.selectVideo(stream)
        case .selectAudio(let stream): deck?.selectAudio(stream)
        case .selectSubtitle(let stream): deck?.selectSubtitle(stream)
        case .prepareSubtitles(let id, let subtitle): prepare(subtitle, id: id)
        case .readMetadata:
            guard let metadata = deck?.metadata else { return }
            perform { machine, _ in machine.metadataRead(metadata) }
        case .readPlaylist: readPlaylist()
        case .watch(let seconds): watch(in: seconds)
        case .awaitEnd(let seconds): awaitEnd(in: seconds)
        case .cancelAwaitingEnd: endTimer?.cancel()
        case .requestAddress(let error):
            dropDeck()
            (content, restartIsPending) = (nil, true)
            tell(.addressRefused(error))
        case .switchRendition(let part): prepare(part)
        case .cancelRenditionSwitch: successor = nil
        case .restart(let position, let decodingVideo, let delay):
            guard delay > 0 else { return restart(at: position, decodingVideo: decodingVideo) }
            dropDeck()
            let number = deckNumber
            restartIsPending = true
            queue.asyncAfter(deadline: .now() + delay) { [weak self] in
                guard let self, self.deckNumber == number, !self.isOver else { return }
                self.restart(at: position, decodingVideo: decodingVideo)
            }
        }
    }

    func restart(at position: Double, decodingVideo: Bool) {
        restartIsPending = false
        let start = { @Sendable (session: VLCPlayback) in
            session.startDeck(
                at: position, paused: !session.machine.wantsToPlay,
                video: session.videoForNextDeck(decoded: decodingVideo))
        }
        // It has another address, or was never found.
        if content == nil { locate(start) } else { start(self) }
    }

    func pauseDeck() {
        guard let deck else { return }
        if deck.canPause { return deck.setPaused(true) }
        // Whether it can is known for certain once it is open; it is asked again then.
        guard machine.state.isOpen else { return }
        // A live stream that cannot be held is left, and joined again at its edge.
        dropDeck()
        if interruption.isActive { awaitEndOfInterruption() }
        perform { $0.closedForPause(at: $1) }
    }

    private func seekDeck(to position: Double, within segments: HLSPlaylist.Segments?) {
        guard let presentation = machine.timeline else { return }
        deck?.seek(toFraction: presentation.fraction(of: position, within: segments))
    }

    func resumeDeck() {
        segmentsAtResume = deck?.lane?.segments
        if let deck { return deck.setPaused(false) }
        guard opening == nil, !restartIsPending else { return }
        startDeck(at: 0, paused: false, video: videoForNextDeck(decoded: machine.decodesVideo))
    }

    func watch(in seconds: Double) {
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            self.perform { $0.checkProgress(at: $1, error: self.trouble) }
        }
    }

    /// Stops the engine of an item that is over.
    func letGo() {
        isOver = true
        endTimer?.cancel()
        opening?.cancel()
        opening = nil
        monitor = nil
        successor = nil
        deck = nil
        frames = nil
        sentinel = nil
    }

    /// In mp4 the length says what of the last packet is sound.
    func limitSound(to media: OpenedMedia) {
        guard machine.demuxer == "mp4", request.startPosition == 0, let duration = media.duration else { return }
        source?.setDuration(duration)
    }

    func warn(about media: OpenedMedia) {
        if !media.tracks.audio.isEmpty, let notice = silenceNotice { tell(.notice(notice)) }
        if !media.tracks.video.isEmpty, case .window = controls.videoOutput, !VLCControls.hasDisplay {
            tell(
                .notice(
                    PlaybackNotice(
                        code: "noDisplay", message: "There is no display: playing without a picture.")))
        }
    }

    /// An interruption that came before the item was open is told right after.
    func report(_ body: BackendEvent.Body, _ time: Duration) {
        emit(body, time)
        if case .opened = body, let interruption = interruption.opened() { emit(interruption, time) }
    }

    /// What is prepared keeps to itself everything but whether it can be played.
    func tell(_ body: BackendEvent.Body) {
        guard isAhead else { return report(body, now) }
        switch body {
        case .failed, .addressRefused: emit(body, now)
        case .opened:
            held.append((body, now))
            // After a rewind it is opened a second time.
            if !isPrepared { emit(.prepared, now) }
            isPrepared = true
        default: held.append((body, now))
        }
    }
}

extension VLCPlayer.Video {
    fileprivate var isShown: Bool { if case .none = self { false } else { true } }
}
#endif
