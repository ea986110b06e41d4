#if GStreamer
import AudioMixer
import CGStreamer
import Foundation
import MediaTransport
import Playback
import Synchronization

/// One `playbin`, from its start to its end.
///
/// The pipeline reads from a byte source, a stream from the HLS proxy, or a live stream from the network. It opens no other
/// address. Its messages arrive as events on GStreamer's threads.
// Unchecked: used on the engine's queue only, which the engine and its items share. A separate actor would need
// `await` for each call.
final class GStreamerPipeline: @unchecked Sendable {
    enum Input {
        case bytes(GStreamerByteSource)
        /// The address of the HLS proxy.
        case stream(URL)
        case network(GStreamerNetworkSource)
    }

    enum Audio {
        /// An input of the mixer, which plays over PulseAudio.
        case mixer(PulseMixer, MixerInputQueue)
        case alsa
        /// A prepared item runs on the clock until it is opened, because the device of ALSA may have one user only.
        case deferred
        /// Playback runs on the clock. The notice gives the reason, if the host did not choose that.
        case clock(PlaybackNotice?)

        func close() {
            if case .mixer(let mixer, let input) = self { mixer.remove(input) }
        }
    }

    struct Options {
        let input: Input
        let settings: BackendSettings
        let audio: Audio
        /// The decoders that must not be used.
        let excludedDecoders: Set<String>
    }

    /// The name of the element that plays the audio.
    static let audioSinkName = "flowplayer-audio"

    /// `nil` for a stream.
    let source: GStreamerByteSource?
    private let setup: ElementSetup
    private let gate: GStreamerVideoGate
    private let element: UnsafeMutablePointer<GstElement>
    private let audio: Audio
    /// Where the decoded audio arrives. The pipeline owns it.
    private let audioInput: UnsafeMutablePointer<GstPad>
    /// `nil` if the mixer sets the volume.
    private let volume: UnsafeMutablePointer<GstElement>?
    private let frames: GStreamerFrameReceiver
    private let subtitles = GStreamerSubtitles()
    private var isRequestedToPlay: Bool?
    private let receiver: EventReceiver
    /// `true` from a selection of audio to the next seek.
    private var hasSwitchedAudio = false
    /// That of the last seek.
    private(set) var rate = 1.0

    /// Creates a pipeline that does nothing yet.
    ///
    /// - Parameter receive: called on GStreamer's threads.
    init?(_ options: Options, receive: @escaping @Sendable (GStreamerEvent) -> Void) {
        guard GStreamerPlugins.problem == nil, let element = gst_element_factory_make("playbin", nil),
            let frames = GStreamerFrameReceiver(subtitles, sizeChanged: { receive(.streamsChanged) }),
            let audioFilter = Self.makeAudioFilter(options.audio),
            let sink = Self.makeAudioSink(options, drained: { receive(.audioDrained) })
        else { return nil }
        let gate = GStreamerVideoGate()
        (self.element, self.frames, self.gate, audio) = (element, frames, gate, options.audio)
        receiver = EventReceiver(element, receive)
        (audioInput, volume) = (audioFilter.input, audioFilter.volume)
        if case .mixer = audio {
            // The time stamps of the audio are times of the mixer.
            let clock = gst_system_clock_obtain()
            gst_pipeline_use_clock(gstreamer_pipeline(element), clock)
            gst_object_unref(clock)
            gst_pipeline_set_latency(gstreamer_pipeline(element), GStreamerAudioReceiver.latency)
        }
        // Without `text`, `playbin` draws no subtitles. `GStreamerSubtitles` does.
        let excluded = options.excludedDecoders
        switch options.input {
        case .bytes(let source):
            self.source = source
            setup = ElementSetup(gate, without: excluded) {
                source.attach(to: $0) { receive(.chapters($0)) }
            }
            gstreamer_set(element, "uri", "appsrc://")
            gstreamer_set(element, "flags", "video+audio+deinterlace")
        case .stream(let url):
            source = nil
            setup = ElementSetup(gate, without: excluded, attach: nil)
            gstreamer_set(element, "uri", url.absoluteString)
            gstreamer_set(element, "flags", "video+audio+deinterlace+buffering")
        case .network(let network):
            source = nil
            setup = ElementSetup(gate, without: excluded, limitReceiver: network.limitReceiver) {
                network.attach(to: $0) { receive(.failed($0)) }
            }
            gstreamer_set(element, "uri", network.address)
            gstreamer_set(element, "flags", "video+audio+deinterlace")
            // That of the source, by default.
            gst_pipeline_set_latency(gstreamer_pipeline(element), network.pipelineLatency ?? .max)
        }
        gstreamer_set_element(element, "text-stream-combiner", subtitles.makeCombiner())
        gate.watch(frames.input)
        gstreamer_set_element(element, "video-sink", frames.bin)
        gstreamer_set_element(element, "audio-filter", audioFilter.bin)
        gstreamer_set_element(element, "audio-sink", sink)
        connect()
        setVolume(options.settings)
        setSubtitleDelay(options.settings.subtitleDelay)
    }

    deinit { gst_object_unref(element) }

    private func connect() {
        let setup = Unmanaged.passUnretained(setup).toOpaque()
        gstreamer_on_element(
            element, "source-setup",
            { _, element, setup in
                if let element { ElementSetup.of(setup).attach?(element) }
            }, setup)
        gstreamer_on_element(
            element, "element-setup",
            { _, element, setup in
                if let element { ElementSetup.of(setup).setUp(element) }
            }, setup)
        let receiver = Unmanaged.passUnretained(receiver).toOpaque()
        for kind in GStreamerStream.Kind.allCases {
            gstreamer_on_streams(
                element, "\(kind.rawValue)-changed",
                { _, context in EventReceiver.of(context).receive(.streamsChanged) }, receiver)
            gstreamer_on_stream(
                element, "\(kind.rawValue)-tags-changed",
                { _, _, context in EventReceiver.of(context).receive(.streamsChanged) }, receiver)
        }
        let bus = gst_element_get_bus(element)
        gst_bus_set_sync_handler(
            bus,
            { _, message, context in
                guard let message else { return GST_BUS_DROP }
                EventReceiver.of(context).receive(message)
                // A message that is dropped is the handler's. It retains its element, and so the pipeline.
                gstreamer_unref(message)
                return GST_BUS_DROP
            }, self.receiver.retainedContext, releaseContext)
        gst_object_unref(bus)
    }

    /// Prepares the elements of a pipeline, which owns it. A class, because C needs a pointer to an object.
    private final class ElementSetup: Sendable, CallbackContext {
        typealias Action = @Sendable (UnsafeMutablePointer<GstElement>) -> Void

        /// The number of buffers of each stream that wait for their decoder. The default is five, and the audio of the mixer is
        /// further ahead of the video.
        private static let queuedBuffers = 200

        /// Prepares the element that the pipeline reads from; `nil` for a stream of the HLS proxy.
        let attach: Action?
        private let limitReceiver: Action?
        private let gate: GStreamerVideoGate
        private let excludedDecoders: String
        /// The hardware decoders of video that the pipeline has tried.
        let hardwareDecoders = Mutex<Set<String>>([])

        init(
            _ gate: GStreamerVideoGate, without excludedDecoders: Set<String>, limitReceiver: Action? = nil,
            attach: Action?
        ) {
            (self.gate, self.attach, self.limitReceiver) = (gate, attach, limitReceiver)
            self.excludedDecoders = excludedDecoders.sorted().joined(separator: ",")
        }

        /// Prepares an element that the pipeline has added.
        func setUp(_ element: UnsafeMutablePointer<GstElement>) {
            if gstreamer_is(element, "decodebin") != 0 {
                gstreamer_limit_elements(element, attach == nil ? 1 : 0, excludedDecoders)
                gstreamer_set(element, "max-size-buffers", "\(Self.queuedBuffers)")
            }
            if attach == nil, gstreamer_is(element, "multiqueue") != 0 { gstreamer_grow_when_full(element) }
            if gstreamer_is(element, "udpsink") != 0 { limitReceiver?(element) }
            if gstreamer_is_video_decoder(element) != 0 { setUpDecoder(element) }
        }

        private func setUpDecoder(_ element: UnsafeMutablePointer<GstElement>) {
            gate.guardDecoder(element)
            guard gstreamer_is_hardware(element) != 0, let kind = gstreamer_kind(element) else { return }
            hardwareDecoders.withLock { _ = $0.insert(String(cString: kind)) }
        }
    }

    /// Sends events of a pipeline, which owns it. A class, because C needs a pointer to an object.
    private final class EventReceiver: CallbackContext {
        let receive: @Sendable (GStreamerEvent) -> Void
        private let pipeline: UnsafeMutablePointer<GstElement>

        init(_ pipeline: UnsafeMutablePointer<GstElement>, _ receive: @escaping @Sendable (GStreamerEvent) -> Void) {
            (self.pipeline, self.receive) = (pipeline, receive)
        }

        func receive(_ message: UnsafeMutablePointer<GstMessage>) {
            if let event = GStreamerEvent(message, from: pipeline) { receive(event) }
        }
    }

    // MARK: Streams

    /// The streams that are known. Do not ask on GStreamer's threads: the answer needs a lock of the pipeline.
    var streams: [GStreamerStream] {
        GStreamerStream.Kind.allCases.flatMap { kind in
            (0..<Int(gstreamer_get_int(element, "n-\(kind.rawValue)"))).compactMap {
                GStreamerStream(kind, $0, of: element)
            }
        }
    }

    /// - Parameters:
    ///   - subtitle: the stream to show; `nil` for none.
    ///   - separate: the cues to show that the pipeline does not read.
    /// - Returns: `true` if the audio is another one.
    func select(audio: Int?, subtitle: Int?, separate: [GStreamerSubtitles.Cue]) -> Bool {
        subtitles.select(subtitle, separate: separate)
        guard let audio, audio != gstreamer_get_int(element, "current-audio") else { return false }
        gstreamer_set(element, "current-audio", "\(audio)")
        hasSwitchedAudio = true
        return true
    }

    /// Sets the position of the pipeline's time 0, in seconds.
    func setSubtitleOrigin(_ seconds: Double) { subtitles.setOrigin(seconds) }

    func setSubtitleDelay(_ seconds: Double) { subtitles.setDelay(seconds) }

    /// The frames that came too late to be shown.
    var droppedFrames: Int { frames.droppedFrames }

    /// The name of the decoder of the video; `nil` without one.
    var videoDecoder: String? { gstreamer_video_decoder(element).map { String(cString: $0) } }

    /// The hardware decoders of video that could not start.
    var unusableDecoders: Set<String> {
        setup.hardwareDecoders.withLock(\.self).filter { !contains($0) }
    }

    /// `true` if the pipeline uses an element of this name.
    func contains(_ factory: String) -> Bool { gstreamer_contains(element, factory) != 0 }

    // MARK: Audio

    /// The time from the start of the clock until the first frame and the first audio, in seconds.
    var latency: Double {
        if case .mixer = audio { Double(GStreamerAudioReceiver.latency) / 1e9 } else { 0 }
    }

    /// The mixer's input; `nil` without the mixer.
    var mixerInput: MixerInputQueue? { if case .mixer(_, let input) = audio { input } else { nil } }

    /// `true` if the item must be opened again to be heard.
    var lacksAudioDevice: Bool { if case .deferred = audio { true } else { false } }

    /// Reported if the item has audio.
    var silenceNotice: PlaybackNotice? { if case .clock(let notice) = audio { notice } else { nil } }

    private static func makeAudioFilter(_ audio: Audio) -> (
        bin: UnsafeMutablePointer<GstElement>, input: UnsafeMutablePointer<GstPad>,
        volume: UnsafeMutablePointer<GstElement>?
    )? {
        var elements = GStreamerPlugins.has(.audioEffects) ? ["scaletempo", "audioconvert"] : ["audioconvert"]
        if case .alsa = audio { elements.append("volume name=volume") }
        guard let bin = gst_parse_bin_from_description(elements.joined(separator: " ! "), 1, nil),
            let input = gst_element_get_static_pad(bin, "sink")
        else { return nil }
        dropUntimed(input)
        let volume = gst_bin_get_by_name(gstreamer_bin(bin), "volume")
        // The bin owns them.
        gst_object_unref(input)
        if let volume { gst_object_unref(volume) }
        return (bin, input, volume)
    }

    /// Drops audio that no segment precedes, as in damaged Matroska files: `scaletempo` of GStreamer 1.22 writes beyond its memory then.
    private static func dropUntimed(_ pad: UnsafeMutablePointer<GstPad>) {
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            { pad, _, _ in
                guard let segment = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else {
                    return GST_PAD_PROBE_DROP
                }
                gst_event_unref(segment)
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }

    private static func makeAudioSink(
        _ options: Options, drained: @escaping @Sendable () -> Void
    ) -> UnsafeMutablePointer<GstElement>? {
        switch options.audio {
        case .mixer(_, let input):
            let isLive = if case .network = options.input { true } else { false }
            return GStreamerAudioReceiver(input, isLive: isLive, drained: drained)?.bin
        case .alsa: return gst_element_factory_make("alsasink", audioSinkName)
        case .deferred, .clock:
            guard let sink = gst_element_factory_make("fakesink", audioSinkName) else { return nil }
            gstreamer_set(sink, "sync", "true")
            return sink
        }
    }

    func setVolume(_ settings: BackendSettings) {
        mixerInput?.setVolume(settings.volume)
        // The scale of the mixer.
        if let volume { gstreamer_set_double(volume, "volume", pow(settings.volume, 3)) }
        setMuted(settings.isMuted)
    }

    /// Plays no audio until `setVolume`.
    func silence() { setMuted(true) }

    private func setMuted(_ isMuted: Bool) {
        mixerInput?.setMuted(isMuted)
        if let volume { gstreamer_set(volume, "mute", isMuted ? "true" : "false") }
    }

    // MARK: Video

    func setVideoOutput(_ output: GStreamerVideoOutput) {
        let isCurrent = gate.hasCurrentFrame
        let hasShown = frames.setOutput(output, showsLast: isCurrent) && isCurrent
        gate.setHidden(output.isNone, requestsFrame: !output.isNone && !hasShown)
    }

    /// - Returns: `true` once if the output has received no frame since it was set. A paused pipeline sends one only after a seek.
    func takeFrameRequest() -> Bool { gate.takeFrameRequest() }

    // MARK: Playback

    /// Plays or pauses, as soon as the pipeline has what it needs.
    ///
    /// - Parameters:
    ///   - delay: the time until the first frame and the first audio are due, in seconds.
    ///   - hasAudio: `true` to wait until the mixer is ready.
    func setPlaying(_ isPlaying: Bool, after delay: Double = 0, hasAudio: Bool = false) {
        guard isRequestedToPlay != isPlaying else { return }
        mixerInput?.setPaused(!isPlaying)
        // The audio would be late.
        if case .mixer(let mixer, _) = audio, isPlaying, hasAudio, !mixer.isReady { return }
        isRequestedToPlay = isPlaying
        gst_pipeline_set_delay(gstreamer_pipeline(element), GstClockTime(max(0, delay) * 1e9))
        let result = gst_element_set_state(element, isPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
        // The source of UDP sends no message if it does not find its host.
        if result == GST_STATE_CHANGE_FAILURE { gstreamer_post_failure(element) }
    }

    /// `true` while the clock runs. `isSettled` is `true` if no change of the state is pending.
    var state: (isPlaying: Bool, isSettled: Bool) {
        var (current, pending) = (GST_STATE_NULL, GST_STATE_NULL)
        let result = gst_element_get_state(element, &current, &pending, 0)
        return (current == GST_STATE_PLAYING, result != GST_STATE_CHANGE_ASYNC && result != GST_STATE_CHANGE_FAILURE)
    }

    /// - Returns: `false` if the item cannot seek there.
    func seek(to position: Double, rate: Double, _ tolerance: SeekTolerance) -> Bool {
        let precision = tolerance == .exact ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | precision.rawValue)
        let time = gint64((max(0, position) * 1e9).rounded())
        source?.interrupt()
        if hasSwitchedAudio { gstreamer_flush_audio(element) }
        hasSwitchedAudio = false
        let isSought = gstreamer_seek(element, rate, flags, time) != 0
        if isSought { self.rate = rate }
        return isSought
    }

    func recalculateLatency() { gst_bin_recalculate_latency(gstreamer_bin(element)) }

    /// In seconds; `nil` while it is unknown.
    var position: Double? {
        var time: gint64 = -1
        guard gst_element_query_position(element, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
        // The audio or the video may begin later.
        let wait = max(
            gstreamer_time_until_segment(element, audioInput), gstreamer_time_until_segment(element, frames.input))
        return max(0, Double(time) - Double(wait) * rate) / 1e9
    }

    /// In seconds; `nil` while it is unknown.
    var duration: Double? {
        var time: gint64 = -1
        guard gst_element_query_duration(element, GST_FORMAT_TIME, &time) != 0, time > 0 else { return nil }
        return Double(time) / 1e9 - Double(gstreamer_matroska_start(element)) / 1e9 - (source?.addedDuration ?? 0)
    }

    /// The range in which a seek is possible, in seconds; `nil` if there is none.
    var seekableRange: ClosedRange<Double>? {
        // The demuxer of MPEG-TS reports that it can seek in bytes that cannot.
        guard source?.isSeekable != false, let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return nil }
        defer { gstreamer_unref(query) }
        var (isSeekable, start, end): (gboolean, gint64, gint64) = (0, 0, 0)
        guard gst_element_query(element, query) != 0 else { return nil }
        gst_query_parse_seeking(query, nil, &isSeekable, &start, &end)
        guard isSeekable != 0 else { return nil }
        return Double(start) / 1e9...(end < start ? .infinity : Double(end) / 1e9)
    }

    /// Stops everything. No event follows.
    func close() {
        source?.close()
        gate.close()
        let bus = gst_element_get_bus(element)
        gst_bus_set_sync_handler(bus, nil, nil, nil)
        gst_bus_set_flushing(bus, 1)
        gst_object_unref(bus)
        // Silence comes first, because stopping takes longer.
        mixerInput?.setPaused(true)
        gstreamer_flush_packets(element)
        gst_element_set_state(element, GST_STATE_NULL)
        audio.close()
        ProcessMemory.trimSoon()
    }
}
#endif
