#if VLC
import AudioMixer
import CVLC
import Foundation
import Playback

/// What a backend does, on its own serial queue: every call of libVLC that can block is made here.
// Unchecked: all of it is used on `queue` only.
final class VLCExecutor: @unchecked Sendable {
    let queue: WatchdogQueue

    private let audioOutput: AudioOutput
    private let emit: @Sendable (BackendEvent) -> Void
    private var controls: VLCControls
    private var current: VLCPlayback?
    /// What is prepared, and the joint at which it comes in.
    private var next: GaplessTransition?
    private var noticesGiven: Set<PlaybackNotice> = []
    /// Through it goes the sound of items that join each other.
    private var mixer: PulseMixer?
    /// Whether the mixer has to be silent.
    private var isMixerCorked = false

    /// - Parameters:
    ///   - patience: in seconds: a call of libVLC that takes longer will not return.
    ///   - emit: called on the queue.
    ///   - stuck: called once at most: such a call was made, and nothing more is done.
    init(
        audioOutput: AudioOutput, controls: VLCControls, patience: Double,
        emit: @escaping @Sendable (BackendEvent) -> Void, stuck: @escaping @Sendable () -> Void
    ) {
        self.audioOutput = audioOutput
        self.controls = controls
        self.emit = emit
        queue = WatchdogQueue(label: "swift-flowplayer.vlc", patience: patience, stuck: stuck)
    }

    func handle(_ command: BackendCommand) {
        switch command {
        case .open(let request): open(request)
        case .prepare(let request, let crossfade): prepare(request, crossfade: crossfade)
        case .play(let generation): session(generation)?.playAnyway()
        case .pause(let generation): session(generation)?.pause()
        case .seek(let generation, let target): session(generation)?.seek(to: target)
        case .selectAudio(let generation, let id): session(generation)?.selectAudio(id)
        case .selectSubtitle(let generation, let id): session(generation)?.selectSubtitle(id)
        case .readdress(let generation, let url):
            let session = generation == next?.generation ? next?.session : session(generation)
            session?.readdress(to: url)
        case .close(let generation): close(generation)
        case .setRate(let rate): change { $0.rate = rate }
        case .setVolume(let volume): change { $0.volume = volume }
        case .setPicture(let isShown): change { $0.isPictureShown = isShown }
        case .setMuted(let isMuted): change { $0.isMuted = isMuted }
        case .setRole(let role):
            change { $0.role = role }
            mixer?.setRole(role)
        }
        planJoint()
    }

    func setVideoOutput(_ output: VideoOutput) { change { $0.videoOutput = output } }

    private func change(_ change: (inout VLCControls) -> Void) {
        change(&controls)
        current?.setControls(controls)
        next?.session.setControls(controls)
    }

    func shutDown() {
        closeAll()
        mixer?.close()
    }

    private func session(_ generation: Generation) -> VLCPlayback? {
        current?.request.generation == generation ? current : nil
    }

    // MARK: Opening

    private func open(_ request: OpenRequest) {
        if let joint = next, joint.generation == request.generation {
            next = nil
            current?.close()
            current = joint.session
            if isMixerCorked { joint.session.mixerIsCorked(true) }
            return joint.session.begin(playing: request.playsWhenReady)
        }
        closeAll()
        let session = makeSession(request, isAhead: false)
        current = session
        if isMixerCorked { session.mixerIsCorked(true) }
        session.start(playing: request.playsWhenReady)
    }

    private func prepare(_ request: OpenRequest, crossfade: Double) {
        closeNext()
        let session = makeSession(request, isAhead: true)
        next = GaplessTransition(session: session, crossfade: crossfade, queue: queue)
        session.start(playing: false)
    }

    private func makeSession(_ request: OpenRequest, isAhead: Bool) -> VLCPlayback {
        let generation = request.generation
        return VLCPlayback(
            request, isAhead: isAhead, controls: controls, audioOutput: audioOutput,
            mixer: request.joinsOthers ? { [weak self] in self?.sharedMixer } : { nil }, queue: queue
        ) { [weak self] body, time in self?.receive(body, at: time, about: generation) }
    }

    private var sharedMixer: PulseMixer {
        if let mixer { return mixer }
        let mixer = PulseMixer(client: VLCInstance.clientName, role: controls.role) { [weak self, queue] in
            queue.async { [weak self] in self?.warnOfSilence() }
        } receive: { [weak self, queue] event in
            queue.async { [weak self] in self?.mixerDid(event) }
        }
        self.mixer = mixer
        return mixer
    }

    private func mixerDid(_ event: PulseStream.Event) {
        switch event {
        case .corked, .uncorked:
            isMixerCorked = event == .corked
            current?.mixerIsCorked(isMixerCorked)
        case .moved(let old, let new): current?.mixerMoved(from: old, to: new)
        }
    }

    private func warnOfSilence() {
        guard let generation = current?.request.generation else { return }
        let notice = PlaybackNotice(
            code: "soundServerGone",
            message: "The PulseAudio server has gone: playback runs on the clock until there is one.")
        receive(.notice(notice), at: ContinuousClock().hostTime, about: generation)
    }

    private func close(_ generation: Generation) {
        if next?.generation == generation { closeNext() }
        guard let session = session(generation) else { return }
        current = nil
        session.close()
    }

    private func closeNext() {
        let closing = next
        next = nil
        closing?.cancel()
        closing?.session.close()
    }

    private func closeAll() {
        let closing = current
        current = nil
        closing?.close()
        closeNext()
    }

    // MARK: Telling

    private func receive(_ body: BackendEvent.Body, at time: Duration, about generation: Generation) {
        if case .notice(let notice) = body, !noticesGiven.insert(notice).inserted { return }
        emit(BackendEvent(body, generation: generation, hostTime: time))
        if generation == next?.generation {
            if case .failed = body { next = nil }
            return
        }
        guard generation == current?.request.generation else { return }
        switch body {
        case .ended:
            current = nil
            next?.comeIn()
        case .failed: current = nil
        default: planJoint()
        }
    }

    private func planJoint() { next?.plan(behind: current) }
}
#endif
