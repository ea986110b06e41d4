#if VLC
    import CVLC
    import Foundation
    import Playback

    /// How a backend plays, whatever the item.
    struct VLCControls {
        var rate = 1.0
        var volume = 1.0
        var isMuted = false
        var isPictureShown = true
        var role: AudioRole?
        var videoOutput = VideoOutput.none

        var isPictureSeen: Bool {
            if case .none = videoOutput { false } else { isPictureShown }
        }

        /// Where frames go now.
        var sink: (any VideoFrameSink)? {
            if isPictureShown, case .frames(let sink) = videoOutput { sink } else { nil }
        }

        var opensWindow: Bool {
            if case .window = videoOutput { Self.hasDisplay } else { false }
        }

        static var hasDisplay: Bool {
            let environment = ProcessInfo.processInfo.environment
            return ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        }
    }

    /// One opening of one item, from `open` or `prepare` to its end.
    // Unchecked: all of it is used on the worker's queue only.
    final class VLCSession: @unchecked Sendable {
        let request: OpenRequest
        /// Where the medium is; another one once the first has expired.
        private var address: URL
        /// Whether it is being prepared, so that what it has to tell waits for its turn.
        private var isAhead: Bool
        /// Whether it has been told that it is held at its start.
        private var isPrepared = false

        let queue: WatchedQueue
        private let audioOutput: AudioOutput
        /// What makes the sound join that of other items; `nil` where that is not asked for.
        let mixer: () -> SoundMixer?
        private let emit: (BackendEvent.Body, Duration) -> Void
        var controls: VLCControls
        private var interpreter: VLCInterpreter
        private var held: [(body: BackendEvent.Body, time: Duration)] = []
        var deck: VLCDeck?
        /// Of the deck that plays: signals of an earlier one are dropped.
        var deckNumber = 0
        /// Counts the decks of the item.
        private var deckCount = 0
        private var frames: VLCFrameReceiver?
        private var endTimer: DispatchWorkItem?
        /// When the picture is over that belongs to the sound.
        private var endOfPicture = Duration.zero
        private var monitor: HLSMonitor?
        /// Files with texts that libVLC reads.
        private var subtitles: [Int: SubtitleFile] = [:]
        /// What finds out what is at the address, so that there is no deck yet.
        private var opening: HTTPOpening?
        /// Whether there is no deck because what broke off is not to be tried again yet.
        private var restartIsPending = false
        /// What is at the address; `nil` if libVLC opens that itself.
        private var content: HTTPOpening.Content?
        /// What is about to take over from the deck.
        private var successor: VLCSuccessor?
        /// Texts that are being read or fetched.
        private var preparing: Set<Int> = []
        /// What to say if the medium has sound.
        private var silenceNotice: PlaybackNotice?
        /// What is done to let the player's clock and the mixer agree.
        private var alignment: VLCAlignment?
        /// libVLC's module that takes the medium apart.
        private var demuxer = ""
        var isOver = false
        var interruption = VLCInterruption()
        /// Learns when an interruption is over while there is no deck to learn it.
        var sentinel: PulseStream?
        /// Whether the deck's sound has only begun, and what it was muted for is not known.
        var isFresh = false
        /// Where libVLC's own output goes, as the sound server calls it.
        var device: String?
        /// Whether it is prepared without a picture, because it would open a window.
        private var isBlind = false

        /// In seconds: so late at the most is heard what is due now.
        private static let outputDelay = 0.5
        /// In seconds: after the end, a sound that does not get there is waited for no longer.
        private static let longestWait = 1.5

        private var now: Duration { ContinuousClock().hostTime }

        /// - Parameters:
        ///   - isAhead: whether it is only prepared, until `begin`.
        ///   - mixer: asked only where it can be of use.
        ///   - emit: takes what is told, with the time at which it was so.
        init(
            _ request: OpenRequest, isAhead: Bool, controls: VLCControls, audioOutput: AudioOutput,
            mixer: @escaping () -> SoundMixer?, queue: WatchedQueue,
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
            interpreter = VLCInterpreter(request, wantsToPlay: false, showsVideo: false, controls)
        }

        deinit { endTimer?.cancel() }

        // MARK: Commands

        func start(playing: Bool) {
            // Nobody is to see a window of what is not played yet.
            isBlind = isAhead && controls.opensWindow
            let video = videoForNextDeck()
            interpreter = VLCInterpreter(request, wantsToPlay: playing, showsVideo: video.isShown, controls)
            perform { $0.begin(at: $1) }
            locate { session in
                session.startDeck(
                    at: session.request.startPosition, paused: !session.interpreter.wantsToPlay, video: video)
            }
        }

        /// Finds out what is at the address, and goes on with that.
        private func locate(_ start: @escaping @Sendable (VLCSession) -> Void) {
            if let error = MediaPreflight.error(for: address, request.item.securityPolicy) {
                return perform { $0.unreachable(error, at: $1) }
            }
            guard address.isHTTP else { return start(self) }
            dropDeck()
            let number = deckNumber
            opening = HTTPOpening(
                address, retry: request.item.retryPolicy, security: request.item.securityPolicy
            ) { [weak self, queue] result in
                queue.async { [weak self] in
                    guard let self, self.deckNumber == number else { return }
                    self.take(result, start)
                }
            }
        }

        private func take(
            _ result: Result<HTTPOpening.Content, PlaybackError>, _ start: (VLCSession) -> Void
        ) {
            guard let opening, !isOver else { return }
            self.opening = nil
            switch result {
            case .success(let content):
                self.content = content
                if case .medium = content { opening.handOver() }
                if monitor != nil { readPlaylist() }
                start(self)
            case .failure(let error): perform { $0.unreachable(error, at: $1) }
            }
        }

        /// How libVLC is told to keep to the bit rate that is wanted.
        private var rateOptions: [String] {
            guard let limit = request.item.preferredPeakBitRate else { return [] }
            guard case .stream(let stream) = content, !stream.variants.isEmpty else {
                return [HLSPlaylist.Variant].fixedRate(limit)
            }
            return stream.variants.vlcOptions(upTo: limit)
        }

        /// The medium is somewhere else now; `nil`: nobody knows where.
        func readdress(to url: URL?) {
            if let url { address = url }
            perform { $0.readdressed(to: url, at: $1) }
        }

        /// It is the turn of what was prepared.
        func begin(playing: Bool) {
            isAhead = false
            if lacksPicture {
                held = []
                return start(playing: playing)
            }
            frames?.setSink(controls.sink)
            for (body, time) in held { report(body, time) }
            held = []
            if playing { play() } else { pause() }
        }

        /// Whether it was prepared without the picture that it has, so that it must be opened anew.
        var lacksPicture: Bool { isBlind && deck?.facts.streams.contains { $0.kind == .video } == true }

        func play() { perform { $0.play(at: $1) } }

        func pause() {
            leaveAlignment()
            perform { $0.pause(at: $1) }
        }

        func seek(to target: Double) { perform { $0.seek(to: target, at: $1) } }

        func selectAudio(_ id: Int) { perform { interpreter, _ in interpreter.selectAudio(id) } }

        func selectSubtitle(_ id: Int?) { perform { interpreter, _ in interpreter.selectSubtitle(id) } }

        func setControls(_ controls: VLCControls) {
            let before = self.controls
            self.controls = controls
            if controls.rate != before.rate {
                deck?.setRate(controls.rate)
                perform { $0.setRate(controls.rate, at: $1) }
            }
            if controls.volume != before.volume { deck?.setVolume(controls.volume) }
            if controls.isMuted != before.isMuted { muteDeck() }
            if !isAhead { frames?.setSink(controls.sink) }
            perform { interpreter, _ in interpreter.showPicture(controls.isPictureSeen) }
        }

        /// Lets go of everything.
        func close() {
            guard !isOver else { return }
            letGo()
            if !interpreter.isFinished { emit(.closed, now) }
        }

        /// Seconds, in real time, until the end is heard; `nil` while nothing runs towards it.
        var secondsToEnd: Double? {
            let playhead = interpreter.playhead(at: now)
            guard interpreter.wantsToPlay, playhead.isRunning else { return nil }
            if let source, source.hasBegun, let left = source.secondsLeft {
                return left + (mixer()?.latency ?? 0)
            }
            let left = interpreter.left(after: playhead.position)
            return left.isFinite ? left / controls.rate : nil
        }

        /// Where its sound goes on the way to that of other items.
        var source: SoundSource? { deck?.source }

        /// Holds what was let go before its turn at its start again.
        func rewind() {
            alignment = nil
            held = []
            start(playing: false)
        }

        // MARK: Decks

        private func startDeck(at position: Double, paused: Bool, video: VLCDeck.Video) {
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

        private func makeDeck(
            _ url: URL, at position: Double, paused: Bool, video: VLCDeck.Video,
            receive: @escaping @Sendable (VLCSignal, Duration) -> Void
        ) -> VLCDeck? {
            let audio = AudioOutputProbe(audioOutput)
            silenceNotice = audio.notice
            let sound = sound(to: audio.module, paused: paused)
            let (bytes, lane) = source(of: url, at: position, for: sound)
            let settings = VLCDeck.Settings(
                startPosition: position, startsPaused: paused, rate: controls.rate, volume: controls.volume,
                isMuted: controls.isMuted, role: controls.role, sound: sound, video: video, options: rateOptions,
                bytes: bytes, lane: lane)
            return VLCInstance.shared.flatMap {
                VLCDeck(instance: $0, url: url, settings: settings, worker: queue, receive: receive)
            }
        }

        private func sound(to module: String, paused: Bool) -> VLCDeck.Sound {
            guard module == "pulse", let mixer = mixer() else { return .module(module) }
            let source = mixer.makeSource(isHeld: paused) { [weak self, queue] latency in
                queue.asyncAfter(deadline: .now() + latency) { [weak self] in self?.soundMayBeOver() }
            }
            return .source(source, mixer)
        }

        /// What a player reads.
        ///
        /// - Parameter url: of the item, or of a part of its stream.
        private func source(
            of url: URL, at position: Double, for sound: VLCDeck.Sound
        ) -> (bytes: (any MediaBytes)?, lane: HLSLane?) {
            switch content {
            case .medium(let medium): return (medium, nil)
            case .stream(let stream):
                let lane = HLSLane(to: stream, hasBegun: interpreter.hasOpened)
                return (stream.entrance(to: url == address ? nil : url, by: lane), lane)
            case nil: return (position == 0 ? wholeFile(for: sound) : nil, nil)
            }
        }

        /// libVLC leaves out what an encoder has put before the sound, and with it the start of the sound: so it is not to know
        /// of it, and the source leaves it out.
        private func wholeFile(for sound: VLCDeck.Sound) -> (any MediaBytes)? {
            guard case .source(let source, _) = sound, request.url.isFileURL,
                let priming = MP4Priming(file: request.url)
            else { return nil }
            source.trim(priming)
            return PatchedFile(url: request.url, patch: .init(offset: priming.boxType, bytes: Array("free".utf8)))
        }

        private func nextDeckNumber() -> Int {
            deckCount += 1
            return deckCount
        }

        /// Signals of the deck that are still on their way are nobody's any more.
        private func dropDeck() {
            opening?.cancel()
            opening = nil
            deck = nil
            successor = nil
            deckNumber = nextDeckNumber()
        }

        /// - Parameter decoded: whether pictures must be decoded even where nobody sees them.
        private func videoForNextDeck(decoded: Bool = false) -> VLCDeck.Video {
            if isBlind { return decoded ? framesVideo(nil) : .none }
            switch controls.videoOutput {
            case .none: return decoded ? framesVideo(nil) : .none
            case .frames: return framesVideo(isAhead ? nil : controls.sink)
            case .window: return VLCControls.hasDisplay ? .window : decoded ? framesVideo(nil) : .none
            }
        }

        private func framesVideo(_ sink: (any VideoFrameSink)?) -> VLCDeck.Video {
            let receiver = VLCFrameReceiver(sink: sink)
            frames = receiver
            return .frames(receiver)
        }

        // MARK: Signals

        private func receive(_ signal: VLCSignal, at time: Duration, deckNumber: Int) {
            guard self.deckNumber == deckNumber, !isOver, !isOfAlignment(signal), !isOfSound(signal) else { return }
            let facts = interpreter.wantsFacts(with: signal) ? deck?.facts : nil
            if signal == .endReached || signal == .encounteredError {
                let error = readError(at: time)
                perform { interpreter, _ in interpreter.readingEnded(error) }
            }
            if case .playing = signal {
                // A sound server may bring back what it remembers of an earlier stream.
                deck?.setVolume(controls.volume)
                muteDeckThatPlays()
            }
            if case .demuxer(let name) = signal { demuxer = name }
            perform { interpreter, _ in interpreter.handle(signal, latest: facts, at: time) }
        }

        /// Why libVLC got no more of the medium.
        private func readError(at time: Duration) -> PlaybackError? {
            if let error = lastError(at: time) { return error }
            guard let lane = deck?.lane, !lane.isComplete else { return nil }
            return PlaybackError(.endedEarly, url: address)
        }

        /// What failed last of what libVLC wants to read.
        private func lastError(at time: Duration) -> PlaybackError? {
            if case .medium(let medium) = content { return medium.error }
            return deck?.lane?.error(since: time - VLCInterpreter.longestConsequence)
        }

        private func perform(_ body: (inout VLCInterpreter, Duration) -> [VLCInterpreter.Action]) {
            guard !isOver else { return }
            let actions = body(&interpreter, now)
            for action in actions { perform(action) }
            // libVLC cannot be held any more when it has handed out everything.
            source?.setHeld(!interpreter.wantsToPlay)
        }

        private func perform(_ action: VLCInterpreter.Action) {
            switch action {
            case .tell(let body):
                if case .ended = body { soundOut() }
                tell(body)
                // Stopping an engine may take its time.
                if interpreter.isFinished { letGo() }
                if case .opened(let media) = body {
                    warn(about: media)
                    limitSound(to: media)
                }
            case .pause: pauseDeck()
            case .resume: resumeDeck()
            case .seek(let place): deck?.seek(to: place)
            case .selectVideo(let stream): deck?.selectVideo(stream)
            case .selectAudio(let stream): deck?.selectAudio(stream)
            case .selectSubtitle(let stream): deck?.selectSubtitle(stream)
            case .prepareSubtitles(let id, let subtitle): prepare(subtitle, id: id)
            case .readMetadata:
                guard let metadata = deck?.metadata else { return }
                perform { interpreter, _ in interpreter.metadataRead(metadata) }
            case .readPlaylist: readPlaylist()
            case .watch(let seconds): watch(in: seconds)
            case .awaitEnd(let seconds): awaitEnd(in: seconds)
            case .cancelAwaitingEnd: endTimer?.cancel()
            case .askForAddress(let error):
                dropDeck()
                (content, restartIsPending) = (nil, true)
                tell(.addressRefused(error))
            case .handOver(let part): prepare(part)
            case .cancelHandover: successor = nil
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

        private func restart(at position: Double, decodingVideo: Bool) {
            restartIsPending = false
            let start = { @Sendable (session: VLCSession) in
                session.startDeck(
                    at: position, paused: !session.interpreter.wantsToPlay,
                    video: session.videoForNextDeck(decoded: decodingVideo))
            }
            // It has another address, or was never found.
            if content == nil, address.isHTTP { locate(start) } else { start(self) }
        }

        // MARK: Joining

        /// Lets what is prepared go so early that the mixer has its sound in time; then its clock waits until that is heard.
        func play(at due: Duration) {
            guard let deck, source != nil, interpreter.isOpen, deck.canPause else { return play() }
            let alignment = VLCAlignment(due: due)
            self.alignment = alignment
            play()
            after(VLCAlignment.untilSoundHasCome, alignment) { $0.holdClock($1) }
        }

        private func after(
            _ seconds: Double, _ alignment: VLCAlignment,
            _ body: @escaping @Sendable (VLCSession, VLCAlignment) -> Void
        ) {
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                guard let self, self.alignment === alignment else { return }
                body(self, alignment)
            }
        }

        private func holdClock(_ alignment: VLCAlignment) {
            guard let deck, let time = source?.nextTime, let wait = alignment.wait(for: time) else {
                return leaveAlignment()
            }
            alignment.phase = .held
            deck.setClockHeld(true)
            after(wait, alignment) {
                $1.phase = .leaving
                $0.deck?.setClockHeld(false)
                // libVLC tells nothing of a pause that was too short for it.
                $0.after(VLCAlignment.longestSilence, $1) { session, _ in session.leaveAlignment() }
            }
        }

        /// Nothing is held any more, and what libVLC tells is true again.
        private func leaveAlignment() {
            guard let phase = alignment?.phase else { return }
            alignment = nil
            if phase != .begun { deck?.setClockHeld(false) }
            perform { $0.handle(.playing, latest: nil, at: $1) }
        }

        /// Whether what libVLC tells is only what was done for the clock.
        private func isOfAlignment(_ signal: VLCSignal) -> Bool {
            guard let alignment, signal == .playing || signal == .paused else { return false }
            guard signal == .playing, alignment.phase == .leaving else { return true }
            self.alignment = nil
            return false
        }

        // MARK: Handing over

        /// Lets another player begin, unheard, a little ahead of the one that plays.
        private func prepare(_ part: VLCHandover.Part, lead: Double = VLCSuccessor.firstLead) {
            successor = nil
            let playhead = interpreter.playhead(at: now)
            let target = max(0, playhead.position + (playhead.isRunning ? lead * controls.rate : -VLCSuccessor.runUp))
            guard interpreter.left(after: target) > VLCSuccessor.shortestRest else { return handoverFails() }
            let number = nextDeckNumber()
            let url = if case .soundOnly(let url) = part { url } else { address }
            let video = part == .whole ? videoForNextDeck() : .none
            let deck = makeDeck(url, at: target, paused: false, video: video) { [weak self] signal, time in
                self?.receiveFromSuccessor(signal, at: time, number: number)
            }
            guard let deck else { return handoverFails() }
            successor = VLCSuccessor(part: part, deck: deck, number: number, lead: lead)
            deck.setMuted(true)
            deck.play()
        }

        private func handoverFails() {
            successor = nil
            perform { interpreter, _ in interpreter.handoverFailed() }
        }

        private func receiveFromSuccessor(_ signal: VLCSignal, at time: Duration, number: Int) {
            guard let successor, successor.number == number else {
                // It has taken over, and another one may be about to.
                return receive(signal, at: time, deckNumber: number)
            }
            switch successor.take(signal) {
            case .none: break
            case .isReady: after(VLCSuccessor.untilTimesCompare, successor) { $0.meet($1) }
            case .hasFailed: handoverFails()
            }
        }

        /// Does what is to be done after so many seconds, unless the successor is not wanted any more.
        private func after(
            _ seconds: Double, _ successor: VLCSuccessor, _ body: @escaping @Sendable (VLCSession, VLCSuccessor) -> Void
        ) {
            let number = successor.number
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                guard let self, let successor = self.successor, successor.number == number else { return }
                body(self, successor)
            }
        }

        /// Holds the successor, which is ahead, until the one that is heard has caught up.
        private func meet(_ successor: VLCSuccessor) {
            guard let deck else { return }
            let playhead = interpreter.playhead(at: now)
            guard playhead.isRunning else {
                // Nobody plays: the successor goes to where it is to stand.
                let behind = (playhead.position - successor.deck.facts.time) / controls.rate - VLCSuccessor.age
                return after(max(0, behind), successor) { $0.takeOver($1) }
            }
            let ahead = (successor.deck.facts.time - deck.facts.time) / controls.rate
            guard ahead > -VLCSuccessor.nearEnough else {
                let lead = successor.lead * 2
                return lead > VLCSuccessor.longestLead ? handoverFails() : prepare(successor.part, lead: lead)
            }
            if ahead > VLCSuccessor.holdingCost { successor.deck.setPaused(true) }
            after(max(0, ahead - VLCSuccessor.holdingCost), successor) { $0.release($1) }
        }

        private func release(_ successor: VLCSuccessor) {
            guard interpreter.playhead(at: now).isRunning else { return prepare(successor.part) }
            successor.deck.setPaused(false)
            after(VLCSuccessor.settling, successor) { $0.takeOver($1) }
        }

        private func takeOver(_ successor: VLCSuccessor) {
            // One falls silent as the other is heard; stopping it takes longer.
            successor.deck.setMuted(controls.isMuted)
            deck?.setMuted(true)
            self.successor = nil
            deckNumber = successor.number
            deck = successor.deck
            let (signals, facts) = (successor.signals, successor.deck.facts)
            perform { $0.handedOver(signals, facts, at: $1) }
            if !interpreter.wantsToPlay { pauseDeck() }
        }

        private func pauseDeck() {
            guard let deck else { return }
            if deck.canPause { return deck.setPaused(true) }
            // Whether it can is known for certain once it is open; it is asked again then.
            guard interpreter.isOpen else { return }
            // A live stream that cannot be held is left, and joined again at its edge.
            dropDeck()
            if interruption.isUnderWay { awaitEndOfInterruption() }
            perform { $0.left(at: $1) }
        }

        private func resumeDeck() {
            if let deck { return deck.setPaused(false) }
            guard opening == nil, !restartIsPending else { return }
            startDeck(at: 0, paused: false, video: videoForNextDeck(decoded: interpreter.decodesVideo))
        }

        private func prepare(_ subtitle: ExternalSubtitle, id: Int) {
            if let file = subtitles[id] { return add(file, id: id) }
            guard preparing.insert(id).inserted else { return }
            Task { [weak self] in
                do throws(SubtitleFile.Unusable) {
                    let file = try await SubtitleFile.prepare(subtitle)
                    self?.queue.async { [weak self] in self?.add(file, id: id) }
                } catch {
                    self?.queue.async { [weak self] in
                        self?.preparing.remove(id)
                        self?.perform { interpreter, _ in interpreter.subtitlesUnusable(id, error.notice) }
                    }
                }
            }
        }

        private func add(_ file: SubtitleFile, id: Int) {
            preparing.remove(id)
            subtitles[id] = file
            perform { interpreter, _ in
                if interpreter.subtitlesPrepared(id) { deck?.addSubtitles(file.url) }
                return []
            }
        }

        private func readPlaylist() {
            guard case .stream(let stream) = content else {
                return receive(.presentation(nil), at: now, deckNumber: deckNumber)
            }
            monitor = HLSMonitor(stream) { [weak self] result in
                self?.queue.async { [weak self] in self?.take(result) }
            }
        }

        private func take(_ result: Result<HLSPresentation?, PlaybackError>) {
            switch result {
            // The playlist belongs to the item, whichever deck plays it.
            case .success(let presentation): receive(.presentation(presentation), at: now, deckNumber: deckNumber)
            case .failure(let error): perform { $0.unreachable(error, at: $1) }
            }
        }

        private func watch(in seconds: Double) {
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                guard let self else { return }
                self.perform { $0.checkProgress(at: $1, error: self.lastError(at: $1)) }
            }
        }

        private func awaitEnd(in seconds: Double) {
            endTimer?.cancel()
            guard let source, source.hasBegun else { return drain(in: seconds) }
            endOfPicture = interpreter.showsPicture ? now + .seconds(seconds) : .zero
            // Its sound tells the end, unless the server takes nothing more.
            if source.isFinished { soundMayBeOver() } else { drain(in: seconds + Self.longestWait) }
        }

        private func soundMayBeOver() {
            guard let source, source.isFinished, interpreter.isDraining else { return }
            endTimer?.cancel()
            drain(in: max(0, (endOfPicture - now) / .seconds(1)))
        }

        private func drain(in seconds: Double) {
            guard seconds > 0 else { return perform { interpreter, _ in interpreter.drained() } }
            let timer = DispatchWorkItem { [weak self] in
                self?.perform { interpreter, _ in interpreter.drained() }
            }
            endTimer = timer
            queue.asyncAfter(deadline: .now() + seconds, execute: timer)
        }

        /// Leaves the player alone until the last sound is through the output: stopped now, it would cut that off.
        private func soundOut() {
            nonisolated(unsafe) let deck = deck
            let left = source.flatMap(\.secondsLeft) ?? 0
            queue.asyncAfter(deadline: .now() + left + Self.outputDelay) { _ = deck }
        }

        /// Stops the engine of an item that is over.
        private func letGo() {
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
        private func limitSound(to media: OpenedMedia) {
            guard demuxer == "mp4", request.startPosition == 0, let duration = media.duration else { return }
            source?.setLength(duration)
        }

        private func warn(about media: OpenedMedia) {
            if !media.tracks.audio.isEmpty, let notice = silenceNotice { tell(.notice(notice)) }
            if !media.tracks.video.isEmpty, case .window = controls.videoOutput, !VLCControls.hasDisplay {
                tell(
                    .notice(
                        PlaybackNotice(
                            code: "noDisplay", message: "There is no display: playing without a picture.")))
            }
        }

        /// An interruption that came before the item was open is told right after.
        private func report(_ body: BackendEvent.Body, _ time: Duration) {
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

    extension VLCInterpreter {
        fileprivate init(_ request: OpenRequest, wantsToPlay: Bool, showsVideo: Bool, _ controls: VLCControls) {
            self.init(
                url: request.url, subtitles: request.item.subtitles, retry: request.item.retryPolicy,
                canReaddress: request.canReaddress, startPosition: request.startPosition,
                wantsToPlay: wantsToPlay, showsVideo: showsVideo, isPictureShown: controls.isPictureShown,
                rate: controls.rate, at: ContinuousClock().hostTime)
        }
    }

    extension VLCDeck.Video {
        fileprivate var isShown: Bool { if case .none = self { false } else { true } }
    }
#endif
