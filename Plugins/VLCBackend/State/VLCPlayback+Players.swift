#if VLC
import AudioMixer
import Foundation
import MediaTransport
import Playback

// The libVLC players of an item, and their inputs and outputs.
extension VLCPlayback {
    /// Closes the current players, and opens another one.
    func startPlayer(at position: Double) {
        closePlayers()
        let isPaused = !machine.wantsToPlay
        guard let player = makePlayer(address, at: position, paused: isPaused, video: makeVideo(), playerToken) else {
            let error = PlaybackError(
                .engineFailed, url: address, detail: "libVLC could not start. Is vlc-plugin-base installed?")
            return perform { machine, time in [machine.fail(error, at: time)] }
        }
        self.player = player
        if isVideoVisible, !isPreloaded { lastSink = settings.sink }
        isPlayerNew = true
        player.play()
    }

    func makePlayer(
        _ url: URL, at position: Double, paused: Bool, video: VLCPlayer.Video, _ token: Token?
    ) -> VLCPlayer? {
        guard let instance = VLCInstance.shared else { return nil }
        let probe = AudioOutputProbe(engine.audioOutput)
        silenceNotice = probe.notice
        let audio = makeAudio(module: probe.device.module, paused: paused)
        let (bytes, proxySession) = makeInput(for: url, at: position, audio)
        let options = VLCPlayer.Options(
            startPosition: position, startsPaused: paused, settings: settings, audio: audio, video: video,
            mediaOptions: formatOptions, bytes: bytes, proxySession: proxySession)
        let player = VLCPlayer(instance: instance, url: url, options) { [weak engine, generation] event, time in
            engine?.perform(on: generation) { $0.receive(event, at: time, token) }
        }
        if let player { updateSink(of: player) }
        return player
    }

    /// Closes all players. Their events, timers and results that are still under way are dropped.
    func closePlayers() {
        closeProbe()
        statistics.earlierDroppedFrames += player?.droppedFrames ?? 0
        player?.close()
        player = nil
        closeStandby()
        (playerToken, mutingCheck) = (Token(), nil)
    }

    func closeProbe() {
        probe?.cancel()
        probe = nil
    }

    // MARK: Audio

    var role: AudioRole { settings.role ?? request.defaultRole }

    /// The mixer of the engine; `nil` if nothing joins the item.
    var mixer: PulseMixer? { request.joinsOthers ? engine.assumeIsolated { $0.sharedMixer } : nil }

    /// The player's input of the mixer; `nil` if libVLC plays the audio.
    var input: MixerInputQueue? { player?.input }

    private func makeAudio(module: String, paused: Bool) -> VLCPlayer.Audio {
        guard module == "pulse", let mixer else { return .module(module) }
        mixer.setRole(role)
        let input = mixer.makeInput(isPaused: paused) { [weak engine, generation] latency in
            engine?.perform(on: generation, after: latency) { $0.audioEnded() }
        }
        return .mixer(mixer, input)
    }

    /// Drops the padding after the audio. In mp4 the duration does not include it.
    func limitAudio(to media: OpenedMedia) {
        guard machine.demuxer == "mp4", request.startPosition == 0, let duration = media.duration else { return }
        input?.setDuration(duration)
    }

    // MARK: Input

    /// - Parameter url: the address of the item, or of one of its variants.
    private func makeInput(
        for url: URL, at position: Double, _ audio: VLCPlayer.Audio
    ) -> (bytes: (any MediaBytes)?, proxySession: HLSProxySession?) {
        switch content {
        case .progressive(let item): return (item, nil)
        case .stream(let stream):
            let session = HLSProxySession(to: stream, hasBegun: machine.hasOpened)
            return (stream.masterPlaylist(for: url == address ? nil : url, through: session), session)
        case nil: return (position == 0 ? fileWithPriming(for: audio) : nil, nil)
        }
    }

    /// Hides the encoder's padding of an mp4 file from libVLC, which would drop the start of the audio too. The mixer
    /// drops the padding.
    private func fileWithPriming(for audio: VLCPlayer.Audio) -> (any MediaBytes)? {
        guard case .mixer(_, let input) = audio, request.url.isFileURL, let priming = MP4Priming(file: request.url)
        else { return nil }
        input.trim(priming: priming.lead, duration: priming.length)
        return PatchedFile(url: request.url, at: priming.boxType, bytes: Array("free".utf8))
    }

    /// The allowed demuxers for an address that libVLC opens. It would follow a playlist otherwise.
    private var formatOptions: [String] {
        switch address.scheme?.lowercased() {
        case "rtmp": ["demux=avformat"]
        case "rtsp", "rtp", "udp", "srt": ["demux=ts,ps,es,mpgv,mkv,ogg"]
        default: inOrderOptions
        }
    }

    /// The options for a file that can only be read in order.
    private var inOrderOptions: [String] {
        guard case .progressive(let item) = content, !item.isSeekable, item.isSeekableNearby else { return [] }
        // The demuxer looks at the end of the file and returns to its start. If libVLC had read 16 MB ahead meanwhile, as it does by
        // default, the reader would have dropped the start. The units are kB and bytes.
        let options = ["prefetch-buffer-size=512", "prefetch-read-size=65536"]
        // libVLC's own demuxer reads several clusters, and then goes back to the first.
        return item.isMatroska ? options + ["demux=avformat"] : options
    }
}

extension AudioOutputProbe.Device {
    /// The name of libVLC's module.
    fileprivate var module: String {
        switch self {
        case .pulse: "pulse"
        case .alsa: "alsa"
        case .none: "adummy"
        }
    }
}
#endif
