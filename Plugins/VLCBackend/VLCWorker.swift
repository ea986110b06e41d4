#if VLC
    import CVLC
    import Foundation
    import Playback

    /// What a backend does, on its own serial queue: every call of libVLC that can block is made here.
    // Unchecked: all of it is used on `queue` only.
    final class VLCWorker: @unchecked Sendable {
        let queue = DispatchQueue(label: "swift-flowplayer.vlc", qos: .userInitiated)

        private struct Item {
            let request: OpenRequest
            var deck: VLCDeck?
            var interpreter: VLCInterpreter
            /// Of the deck that plays: signals of an earlier one are dropped.
            var deckNumber = 0
            /// Counts the decks of the item.
            var deckCount = 0
            var endTimer: DispatchWorkItem?
            var monitor: HLSMonitor?
            /// The variants of the stream, if they have been found out already.
            var variants: [HLSPlaylist.Variant] = []
            /// Files with texts that libVLC reads.
            var subtitles: [Int: SubtitleFile] = [:]
            /// How libVLC is told to keep to the bit rate that is wanted.
            var rateOptions: [String] = []
            /// Whether it is being found out which variants may play, so that there is no deck yet.
            var startIsPending = false
            /// What is about to take over from the deck.
            var successor: VLCSuccessor?
            /// Texts that are being read or fetched.
            var preparing: Set<Int> = []
            /// What to say if the medium has sound.
            var silenceNotice: PlaybackNotice?
        }

        private let audioOutput: AudioOutput
        private let continuation: AsyncStream<BackendEvent>.Continuation
        private var videoOutput = VideoOutput.none
        private var frames: VLCFrameReceiver?
        private var rate = 1.0
        private var volume = 1.0
        private var isMuted = false
        private var isPictureShown = true
        private var item: Item?
        private var noticesGiven: Set<PlaybackNotice> = []

        init(audioOutput: AudioOutput, continuation: AsyncStream<BackendEvent>.Continuation) {
            self.audioOutput = audioOutput
            self.continuation = continuation
        }

        private var now: Duration { ContinuousClock().hostTime }

        // MARK: Commands

        func handle(_ command: BackendCommand) {
            switch command {
            case .open(let request): open(request)
            case .play(let generation): perform(generation) { item, now in item.interpreter.play(at: now) }
            case .pause(let generation): perform(generation) { item, now in item.interpreter.pause(at: now) }
            case .seek(let generation, let target):
                perform(generation) { item, now in item.interpreter.seek(to: target, at: now) }
            case .selectAudio(let generation, let id):
                perform(generation) { item, _ in item.interpreter.selectAudio(id) }
            case .selectSubtitle(let generation, let id):
                perform(generation) { item, _ in item.interpreter.selectSubtitle(id) }
            case .close(let generation):
                if item?.request.generation == generation { close() }
            case .setRate(let rate):
                self.rate = rate
                perform(item?.request.generation) { item, now in
                    item.deck?.setRate(rate)
                    return item.interpreter.setRate(rate, at: now)
                }
            case .setVolume(let volume):
                self.volume = volume
                item?.deck?.setVolume(volume)
            case .setPicture(let isShown):
                isPictureShown = isShown
                placePicture()
            case .setMuted(let isMuted):
                self.isMuted = isMuted
                item?.deck?.setMuted(isMuted)
            }
        }

        func setVideoOutput(_ output: VideoOutput) {
            videoOutput = output
            placePicture()
        }

        private func placePicture() {
            frames?.setSink(sink)
            let isSeen = isPictureSeen
            perform(item?.request.generation) { item, _ in item.interpreter.showPicture(isSeen) }
        }

        private var isPictureSeen: Bool {
            if case .none = videoOutput { false } else { isPictureShown }
        }

        /// Where frames go now.
        private var sink: (any VideoFrameSink)? {
            if isPictureShown, case .frames(let sink) = videoOutput { sink } else { nil }
        }

        func shutDown() {
            close()
            continuation.finish()
        }

        private func open(_ request: OpenRequest) {
            close()
            let video = videoForNextDeck()
            item = Item(
                request: request,
                interpreter: VLCInterpreter(
                    url: request.url, subtitles: request.item.subtitles, startPosition: request.startPosition,
                    wantsToPlay: request.playsWhenReady,
                    showsVideo: video.isShown, isPictureShown: isPictureShown, rate: rate, at: now))
            if let error = MediaPreflight.error(for: request.url) {
                letGo()
                return tell(.failed(error, position: request.startPosition), about: request.generation)
            }
            let limit = request.item.preferredPeakBitRate
            if let limit, !request.url.isFileURL { return keep(to: limit, request, video: video) }
            item?.rateOptions = limit.map { [HLSPlaylist.Variant].fixedRate($0) } ?? []
            startDeck(at: request.startPosition, paused: !request.playsWhenReady, video: video)
        }

        /// Finds out which variants are within the bit rate, and begins.
        private func keep(to peakBitRate: Double, _ request: OpenRequest, video: VLCDeck.Video) {
            let url = request.url
            item?.startIsPending = true
            Task { [weak self] in
                let variants = url.pathExtension.lowercased() == "m3u8" ? await HLSMonitor.variants(at: url) : []
                let options =
                    variants.isEmpty
                    ? [HLSPlaylist.Variant].fixedRate(peakBitRate) : variants.vlcOptions(upTo: peakBitRate)
                self?.queue.async { [weak self] in
                    guard let self, self.item?.request.generation == request.generation else { return }
                    self.item?.startIsPending = false
                    self.item?.rateOptions = options
                    self.item?.variants = variants
                    let wantsToPlay = self.item?.interpreter.wantsToPlay ?? false
                    self.startDeck(at: request.startPosition, paused: !wantsToPlay, video: video)
                }
            }
        }

        private func close() {
            guard let closing = item else { return }
            letGo()
            if !closing.interpreter.isFinished { tell(.closed, about: closing.request.generation) }
        }

        // MARK: Decks

        private func startDeck(at position: Double, paused: Bool, video: VLCDeck.Video) {
            guard let generation = item?.request.generation, let url = item?.request.url else { return }
            dropDeck()
            let number = item?.deckNumber
            let deck = makeDeck(url, at: position, paused: paused, video: video) { [weak self] signal, time in
                self?.receive(signal, at: time, generation: generation, deckNumber: number)
            }
            guard let deck else {
                letGo()
                let error = PlaybackError(
                    .engineFailed, url: url, detail: "libVLC could not start. Is vlc-plugin-base installed?")
                return tell(.failed(error, position: position), about: generation)
            }
            item?.deck = deck
            deck.play()
        }

        private func makeDeck(
            _ url: URL, at position: Double, paused: Bool, video: VLCDeck.Video,
            receive: @escaping @Sendable (VLCSignal, Duration) -> Void
        ) -> VLCDeck? {
            let audio = AudioOutputProbe(audioOutput)
            item?.silenceNotice = audio.notice
            let settings = VLCDeck.Settings(
                startPosition: position, startsPaused: paused, rate: rate, volume: volume, isMuted: isMuted,
                audioModule: audio.module, video: video, options: item?.rateOptions ?? [])
            return VLCInstance.shared.flatMap {
                VLCDeck(instance: $0, url: url, settings: settings, worker: queue, receive: receive)
            }
        }

        private func nextDeckNumber() -> Int {
            item?.deckCount += 1
            return item?.deckCount ?? 0
        }

        /// Signals of the deck that are still on their way are nobody's any more.
        private func dropDeck() {
            item?.deck = nil
            item?.successor = nil
            let number = nextDeckNumber()
            item?.deckNumber = number
        }

        /// - Parameter decoded: whether pictures must be decoded even where nobody sees them.
        private func videoForNextDeck(decoded: Bool = false) -> VLCDeck.Video {
            switch videoOutput {
            case .none: return decoded ? framesVideo(nil) : .none
            case .frames: return framesVideo(sink)
            case .window: return Self.hasDisplay ? .window : decoded ? framesVideo(nil) : .none
            }
        }

        private func framesVideo(_ sink: (any VideoFrameSink)?) -> VLCDeck.Video {
            let receiver = VLCFrameReceiver(sink: sink)
            frames = receiver
            return .frames(receiver)
        }

        private static var hasDisplay: Bool {
            let environment = ProcessInfo.processInfo.environment
            return ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        }

        // MARK: Signals

        private func receive(_ signal: VLCSignal, at time: Duration, generation: Generation, deckNumber: Int?) {
            guard item?.deckNumber == deckNumber else { return }
            perform(generation) { item, _ in
                let facts = item.interpreter.wantsFacts(with: signal) ? item.deck?.facts : nil
                if case .playing = signal {
                    // A sound server may bring back what it remembers of an earlier stream.
                    item.deck?.setVolume(self.volume)
                    item.deck?.setMuted(self.isMuted)
                }
                return item.interpreter.handle(signal, latest: facts, at: time)
            }
        }

        private func perform(_ generation: Generation?, _ body: (inout Item, Duration) -> [VLCInterpreter.Action]) {
            guard var current = item, current.request.generation == generation else { return }
            item = nil
            let actions = body(&current, now)
            item = current
            for action in actions { perform(action, for: current.request.generation) }
        }

        private func perform(_ action: VLCInterpreter.Action, for generation: Generation) {
            switch action {
            case .tell(let body):
                tell(body, about: generation)
                if case .opened(let media) = body { warn(about: media, generation) }
                if item?.interpreter.isFinished == true { letGo() }
            case .pause: pauseDeck(generation)
            case .resume: resumeDeck()
            case .seek(let place): item?.deck?.seek(to: place)
            case .selectVideo(let stream): item?.deck?.selectVideo(stream)
            case .selectAudio(let stream): item?.deck?.selectAudio(stream)
            case .selectSubtitle(let stream): item?.deck?.selectSubtitle(stream)
            case .prepareSubtitles(let id, let subtitle): prepare(subtitle, id: id, generation: generation)
            case .readMetadata:
                perform(generation) { item, _ in
                    item.deck.map { item.interpreter.metadataRead($0.metadata) } ?? []
                }
            case .readPlaylist: readPlaylist(generation)
            case .watch(let seconds): watch(in: seconds, generation: generation)
            case .awaitEnd(let seconds): awaitEnd(in: seconds, generation: generation)
            case .cancelAwaitingEnd: item?.endTimer?.cancel()
            case .handOver(let part): prepare(part, generation: generation)
            case .cancelHandover: item?.successor = nil
            case .restart(let position, let decodingVideo):
                let wantsToPlay = item?.interpreter.wantsToPlay ?? false
                startDeck(at: position, paused: !wantsToPlay, video: videoForNextDeck(decoded: decodingVideo))
            }
        }

        // MARK: Handing over

        /// Lets another player begin, unheard, a little ahead of the one that plays.
        private func prepare(_ part: VLCHandover.Part, generation: Generation, lead: Double = VLCSuccessor.firstLead) {
            item?.successor = nil
            guard let request = item?.request, let playhead = item?.interpreter.playhead(at: now) else { return }
            let target = max(0, playhead.position + (playhead.isRunning ? lead * rate : -VLCSuccessor.runUp))
            guard (item?.interpreter.left(after: target) ?? 0) > VLCSuccessor.shortestRest else {
                return handoverFails(generation)
            }
            let number = nextDeckNumber()
            let url = if case .soundOnly(let url) = part { url } else { request.url }
            let video = part == .whole ? videoForNextDeck() : .none
            let deck = makeDeck(url, at: target, paused: false, video: video) { [weak self] signal, time in
                self?.receiveFromSuccessor(signal, at: time, generation: generation, number: number)
            }
            guard let deck else { return handoverFails(generation) }
            item?.successor = VLCSuccessor(part: part, deck: deck, number: number, lead: lead)
            deck.setMuted(true)
            deck.play()
        }

        private func handoverFails(_ generation: Generation) {
            item?.successor = nil
            perform(generation) { item, _ in item.interpreter.handoverFailed() }
        }

        private func receiveFromSuccessor(
            _ signal: VLCSignal, at time: Duration, generation: Generation, number: Int
        ) {
            guard let successor = item?.successor, successor.number == number else {
                // It has taken over, and another one may be about to.
                return receive(signal, at: time, generation: generation, deckNumber: number)
            }
            switch successor.take(signal) {
            case .none: break
            case .isReady: after(VLCSuccessor.untilTimesCompare, successor) { $0.meet($1, generation) }
            case .hasFailed: handoverFails(generation)
            }
        }

        /// Does what is to be done after so many seconds, unless the successor is not wanted any more.
        private func after(
            _ seconds: Double, _ successor: VLCSuccessor, _ body: @escaping @Sendable (VLCWorker, VLCSuccessor) -> Void
        ) {
            let number = successor.number
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                guard let self, let successor = self.item?.successor, successor.number == number else { return }
                body(self, successor)
            }
        }

        /// Holds the successor, which is ahead, until the one that is heard has caught up.
        private func meet(_ successor: VLCSuccessor, _ generation: Generation) {
            guard let item, let deck = item.deck else { return }
            let playhead = item.interpreter.playhead(at: now)
            guard playhead.isRunning else {
                // Nobody plays: the successor goes to where it is to stand.
                let behind = (playhead.position - successor.deck.facts.time) / rate - VLCSuccessor.age
                return after(max(0, behind), successor) { $0.takeOver($1, generation) }
            }
            let ahead = (successor.deck.facts.time - deck.facts.time) / rate
            guard ahead > -VLCSuccessor.nearEnough else {
                let lead = successor.lead * 2
                return lead > VLCSuccessor.longestLead
                    ? handoverFails(generation) : prepare(successor.part, generation: generation, lead: lead)
            }
            if ahead > VLCSuccessor.holdingCost { successor.deck.setPaused(true) }
            after(max(0, ahead - VLCSuccessor.holdingCost), successor) { $0.release($1, generation) }
        }

        private func release(_ successor: VLCSuccessor, _ generation: Generation) {
            guard item?.interpreter.playhead(at: now).isRunning == true else {
                return prepare(successor.part, generation: generation)
            }
            successor.deck.setPaused(false)
            after(VLCSuccessor.settling, successor) { $0.takeOver($1, generation) }
        }

        private func takeOver(_ successor: VLCSuccessor, _ generation: Generation) {
            // One falls silent as the other is heard; stopping it takes longer.
            successor.deck.setMuted(isMuted)
            item?.deck?.setMuted(true)
            item?.successor = nil
            item?.deckNumber = successor.number
            item?.deck = successor.deck
            let (signals, facts) = (successor.signals, successor.deck.facts)
            perform(generation) { item, now in item.interpreter.handedOver(signals, facts, at: now) }
            if item?.interpreter.wantsToPlay == false { pauseDeck(generation) }
        }

        private func pauseDeck(_ generation: Generation) {
            guard let deck = item?.deck else { return }
            if deck.canPause { return deck.setPaused(true) }
            // Whether it can is known for certain once it is open; it is asked again then.
            guard item?.interpreter.isOpen == true else { return }
            // A live stream that cannot be held is left, and joined again at its edge.
            dropDeck()
            perform(generation) { item, now in item.interpreter.left(at: now) }
        }

        private func resumeDeck() {
            if let deck = item?.deck { return deck.setPaused(false) }
            guard let item, !item.startIsPending else { return }
            startDeck(at: 0, paused: false, video: videoForNextDeck(decoded: item.interpreter.decodesVideo))
        }

        private func prepare(_ subtitle: ExternalSubtitle, id: Int, generation: Generation) {
            if let file = item?.subtitles[id] { return add(file, id: id, generation: generation) }
            guard item?.preparing.insert(id).inserted == true else { return }
            Task { [weak self] in
                do throws(SubtitleFile.Unusable) {
                    let file = try await SubtitleFile.prepare(subtitle)
                    self?.queue.async { [weak self] in self?.add(file, id: id, generation: generation) }
                } catch {
                    self?.queue.async { [weak self] in
                        self?.perform(generation) { item, _ in
                            item.preparing.remove(id)
                            return item.interpreter.subtitlesUnusable(id, error.notice)
                        }
                    }
                }
            }
        }

        private func add(_ file: SubtitleFile, id: Int, generation: Generation) {
            perform(generation) { item, _ in
                item.preparing.remove(id)
                item.subtitles[id] = file
                if item.interpreter.subtitlesPrepared(id) { item.deck?.addSubtitles(file.url) }
                return []
            }
        }

        private func readPlaylist(_ generation: Generation) {
            guard let url = item?.request.url, let variants = item?.variants else { return }
            item?.monitor = HLSMonitor(url, variants: variants) { [weak self] presentation in
                self?.queue.async { [weak self] in
                    guard let self else { return }
                    // The playlist belongs to the item, whichever deck plays it.
                    let number = self.item?.deckNumber
                    self.receive(.presentation(presentation), at: self.now, generation: generation, deckNumber: number)
                }
            }
        }

        private func watch(in seconds: Double, generation: Generation) {
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                self?.perform(generation) { item, now in item.interpreter.checkProgress(at: now) }
            }
        }

        private func awaitEnd(in seconds: Double, generation: Generation) {
            let timer = DispatchWorkItem { [weak self] in
                self?.perform(generation) { item, _ in item.interpreter.drained() }
            }
            item?.endTimer?.cancel()
            item?.endTimer = timer
            queue.asyncAfter(deadline: .now() + seconds, execute: timer)
        }

        /// Stops the engine of an item that is over.
        private func letGo() {
            item?.endTimer?.cancel()
            item = nil
            frames = nil
        }

        private func warn(about media: OpenedMedia, _ generation: Generation) {
            if !media.tracks.audio.isEmpty, let notice = item?.silenceNotice { give(notice, to: generation) }
            if !media.tracks.video.isEmpty, case .window = videoOutput, !Self.hasDisplay {
                give(
                    PlaybackNotice(code: "noDisplay", message: "There is no display: playing without a picture."),
                    to: generation)
            }
        }

        private func give(_ notice: PlaybackNotice, to generation: Generation) {
            if noticesGiven.insert(notice).inserted { tell(.notice(notice), about: generation) }
        }

        private func tell(_ body: BackendEvent.Body, about generation: Generation) {
            continuation.yield(BackendEvent(body, generation: generation, hostTime: now))
        }
    }

    extension VLCDeck.Video {
        fileprivate var isShown: Bool { if case .none = self { false } else { true } }
    }
#endif
