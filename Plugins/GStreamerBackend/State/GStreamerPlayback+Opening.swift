#if GStreamer
import AudioMixer
import Foundation
import MediaTransport
import Playback

// From the address of an item to its first frame.
extension GStreamerPlayback {
    var requestOptions: HTTPRequestOptions {
        HTTPRequestOptions(request.item, at: address, cookies: cookies, meter: statistics.meter)
    }

    /// Opens the address at a position in seconds. The content is found out first.
    func open(at position: Double) {
        closePipeline()
        if let problem = GStreamerPlugins.problem {
            return fail(PlaybackError(.backendUnavailable, url: address, detail: problem))
        }
        if let error = MediaPreflight.error(for: address, request.item.securityPolicy) { return fail(error) }
        network = network?.url == address ? network : GStreamerNetworkSource(address)
        if let network { return start(network, at: hasOpened ? position : 0) }
        guard address.isFileURL || address.isHTTP else { return fail(PlaybackError(.unsupportedScheme, url: address)) }
        retry.waitingSince = now
        switch content {
        case .stream(let stream): return start(stream, at: position)
        case .progressive(let bytes): return start(bytes, at: position)
        case nil: break
        }
        guard MediaProbe.isNeeded(for: address) else { return startFile(at: position) }
        let (engine, generation, token) = (engine, request.generation, token)
        let probe = MediaProbe(address, by: requestOptions) { [weak engine] result in
            engine?.perform(on: generation) { playback in
                if playback.token === token { playback.probed(result) }
            }
        }
        state = .probing(probe, position: position)
        scheduleTick()
    }

    private func probed(_ result: Result<MediaProbe.Content, PlaybackError>) {
        guard case .probing(let probe, let position) = state else { return }
        switch result {
        case .failure(let error): broken(error)
        case .success(.progressive(let bytes)):
            probe.handOver()
            content = .progressive(bytes)
            start(bytes, at: position)
        case .success(.stream(let stream)):
            content = .stream(stream)
            streaming.monitoring = nil
            start(stream, at: position)
        }
    }

    private func start(_ bytes: any MediaBytes, at position: Double) {
        guard let source = GStreamerByteSource(bytes) else { return fail(PlaybackError(.readFailed, url: address)) }
        startPipeline(.bytes(source), at: position)
    }

    private func startFile(at position: Double) {
        if let pipe = NamedPipe(address) {
            guard let source = GStreamerByteSource(pipe) else {
                return fail(PlaybackError(.readFailed, url: address))
            }
            return startPipeline(.bytes(source), at: 0)
        }
        let audio = makeAudio()
        var file = PatchedFile(url: address)
        if case .mixer(_, let input) = audio, request.joinsOthers, position == 0 { trim(&file, for: input) }
        guard let source = GStreamerByteSource(file) else {
            audio.close()
            return fail(PlaybackError(.readFailed, url: address))
        }
        startPipeline(.bytes(source), audio, at: position)
    }

    /// Lets the mixer drop the encoder's padding. At the end of an mp4 file, GStreamer would drop some audio too.
    private func trim(_ file: inout PatchedFile, for input: MixerInputQueue) {
        if let priming = MP4Priming(file: address) {
            file = PatchedFile(url: address, at: priming.editLength, bytes: priming.longerEdit)
            input.trim(priming: 0, duration: priming.length)
        } else if let padding = MP3Padding(file: address) {
            input.trim(priming: padding.lead, duration: padding.length)
        }
    }

    func startPipeline(
        _ input: GStreamerPipeline.Input, _ audio: GStreamerPipeline.Audio? = nil, at position: Double
    ) {
        ending = Ending()
        let options = GStreamerPipeline.Options(
            input: input, settings: settings, audio: audio ?? makeAudio(), excludedDecoders: failedDecoders)
        let token = Token()
        let (engine, generation) = (engine, request.generation)
        let pipeline = GStreamerPipeline(options) { [weak engine] event in
            let time = ContinuousClock().hostTime
            engine?.perform(on: generation) { playback in
                if playback.token === token { playback.receive(event, at: time) }
            }
        }
        guard let pipeline else {
            options.audio.close()
            return fail(PlaybackError(.engineFailed, url: address, detail: "GStreamer could not create its player."))
        }
        (self.pipeline, self.token) = (pipeline, token)
        state = .starting(position: position)
        videoOutputChanged()
        pipeline.setPlaying(network != nil)
        scheduleTick()
    }

    /// The pipeline has the first data of all streams.
    func started(at position: Double) {
        guard let pipeline, !streaming.awaitsTimeline else { return }
        duration = streaming.isLive || isStation ? nil : streaming.timeline?.duration ?? pipeline.duration
        isSeekable = isStream || pipeline.seekableRange != nil
        playhead.setLimit(duration)
        streaming.useOrigin()
        if network == nil, !isStream { streaming.origin = isStation ? position - (pipeline.position ?? 0) : 0 }
        let (start, isElsewhere): (Double, Bool)
        if streaming.isLive {
            // It is joined at its edge.
            (start, isElsewhere) = (streaming.seek ?? self.position ?? 0, streaming.seek != nil)
        } else {
            start = min(streaming.seek ?? position, duration ?? .infinity)
            isElsewhere = start > 0
        }
        // A new pipeline would play the item from its start again.
        if isRemote, !isSeekable, hasOpened, isElsewhere, duration != nil {
            return fail(PlaybackError(.rangesUnsupported, url: address))
        }
        guard isSeekable, isElsewhere || settings.rate != 1 else { return opened() }
        state = .positioning(next: nil)
        if seekPipeline(to: start, .exact) == nil { opened() }
    }

    /// The pipeline is at its start position.
    func opened() {
        let next = if case .positioning(let next) = state { next } else { Double?.none }
        state = .paused
        // The other audio of changed streams needs a seek, which has its own timeout.
        retry.waitingSince = nil
        streamsChanged()
        guard tracks.hasAudio || tracks.hasVideo else { return fail(noStreamError) }
        if let position { playhead.jump(to: position, at: now) }
        if hasOpened { reportReopened() } else { reportOpened() }
        if let next { seek(to: next, .exact) }
        applyRate()
        selectStreams()
        reportFailedDecoders()
        streaming.session?.releaseRefusals()
        progress()
        scheduleTick()
    }

    private func reportReopened() {
        report(.buffered(BufferLevel(percentage: 100)))
        guard let target = streaming.seek else { return }
        streaming.seek = nil
        let position = streaming.isLive ? playhead.position(at: now) : target
        playhead.jump(to: position, at: now)
        report(.seeked(position: position))
    }

    private func reportOpened() {
        hasOpened = true
        report(.buffered(isRemote ? BufferLevel(percentage: 100) : .whole))
        let list = tracks.list
        report(
            .opened(
                OpenedMedia(
                    duration: duration, isSeekable: isSeekable, hasFixedRate: hasFixedRate,
                    playbackType: playbackType, container: container, tracks: list, audio: tracks.audio,
                    subtitle: tracks.subtitle,
                    dvrWindow: streaming.isLive ? streaming.timeline?.window : nil,
                    position: playhead.position(at: now))))
        reportQualities()
        if let markers = streaming.timeline?.markers, !markers.isEmpty { report(.markersChanged(markers)) }
        if !list.audio.isEmpty, let notice = pipeline?.silenceNotice { report(.notice(notice)) }
        reportMissingDecoder()
        reportMissingDisplay()
        if !metadata.isEmpty { report(.metadataChanged(metadata)) }
        reportVideoSize()
        reportBufferedRange()
    }

    private var playbackType: PlaybackType {
        if address.isFileURL { return .file }
        return duration == nil ? .live : .vod
    }
}
#endif
