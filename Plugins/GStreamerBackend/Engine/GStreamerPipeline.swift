#if GStreamer
import AudioMixer
import CGStreamer
import Foundation
import Playback

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

    struct Options {
        let input: Input
        let settings: BackendSettings
        let audio: AudioOutputProbe.Device
    }

    /// The name of the element that plays the audio.
    static let audioSinkName = "flowplayer-audio"

    /// `nil` for a stream.
    let source: GStreamerByteSource?
    /// `nil` for a stream of the HLS proxy.
    private let sourceSetup: SourceSetup?
    private let element: UnsafeMutablePointer<GstElement>
    private let volume: UnsafeMutablePointer<GstElement>
    private let frames: GStreamerFrameReceiver
    private let subtitles = GStreamerSubtitles()
    private var isRequestedToPlay: Bool?
    private let receiver: EventReceiver
    /// `true` from a selection of audio to the next seek.
    private var hasSwitchedAudio = false

    /// Creates a pipeline that does nothing yet.
    ///
    /// - Parameter receive: called on GStreamer's threads.
    init?(_ options: Options, receive: @escaping @Sendable (GStreamerEvent) -> Void) {
        guard GStreamerPlugins.problem == nil, let element = gst_element_factory_make("playbin", nil),
            let frames = GStreamerFrameReceiver(subtitles, sizeChanged: { receive(.streamsChanged) }),
            let audioFilter = Self.makeAudioFilter(), let sink = Self.makeAudioSink(options)
        else { return nil }
        (self.element, self.frames) = (element, frames)
        receiver = EventReceiver(element, receive)
        volume = audioFilter.volume
        // Without `text`, `playbin` draws no subtitles. `GStreamerSubtitles` does.
        switch options.input {
        case .bytes(let source):
            self.source = source
            sourceSetup = SourceSetup { source.attach(to: $0) }
            gstreamer_set(element, "uri", "appsrc://")
            gstreamer_set(element, "flags", "video+audio+deinterlace")
        case .stream(let url):
            (source, sourceSetup) = (nil, nil)
            gstreamer_set(element, "uri", url.absoluteString)
            gstreamer_set(element, "flags", "video+audio+deinterlace+buffering")
        case .network(let network):
            source = nil
            sourceSetup = SourceSetup(limitReceiver: network.limitReceiver) {
                network.attach(to: $0) { receive(.failed($0)) }
            }
            gstreamer_set(element, "uri", network.url.absoluteString)
            gstreamer_set(element, "flags", "video+audio+deinterlace")
            if let latency = network.pipelineLatency { gst_pipeline_set_latency(gstreamer_pipeline(element), latency) }
        }
        gstreamer_set_element(element, "text-stream-combiner", subtitles.makeCombiner())
        gstreamer_set_element(element, "video-sink", frames.bin)
        gstreamer_set_element(element, "audio-filter", audioFilter.bin)
        gstreamer_set_element(element, "audio-sink", sink)
        connect()
        setVolume(options.settings)
        setSubtitleDelay(options.settings.subtitleDelay)
    }

    deinit { gst_object_unref(element) }

    private func connect() {
        // `nil` for a stream of the HLS proxy.
        let setup = sourceSetup.map { Unmanaged.passUnretained($0).toOpaque() }
        if let setup {
            gstreamer_on_element(
                element, "source-setup",
                { _, element, setup in
                    guard let element, let setup else { return }
                    Unmanaged<SourceSetup>.fromOpaque(setup).takeUnretainedValue().attach(element)
                }, setup)
        }
        gstreamer_on_element(
            element, "element-setup",
            { _, element, setup in
                if let element { SourceSetup.setUp(element, by: setup) }
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
            }, Unmanaged.passRetained(self.receiver).toOpaque(),
            { context in if let context { Unmanaged<EventReceiver>.fromOpaque(context).release() } })
        gst_object_unref(bus)
    }

    /// Prepares the elements of a pipeline. A class, because C needs a pointer to an object.
    private final class SourceSetup: Sendable {
        typealias Action = @Sendable (UnsafeMutablePointer<GstElement>) -> Void

        /// Prepares the element that the pipeline reads from.
        let attach: Action
        private let limitReceiver: Action?

        init(limitReceiver: Action? = nil, _ attach: @escaping Action) {
            (self.attach, self.limitReceiver) = (attach, limitReceiver)
        }

        /// Prepares an element that the pipeline has added.
        ///
        /// - Parameter setup: `nil` for a stream of the HLS proxy.
        static func setUp(_ element: UnsafeMutablePointer<GstElement>, by setup: UnsafeMutableRawPointer?) {
            if gstreamer_is(element, "decodebin") != 0 { gstreamer_limit_elements(element, setup == nil ? 1 : 0) }
            if gstreamer_is(element, "udpsink") != 0, let setup {
                Unmanaged<SourceSetup>.fromOpaque(setup).takeUnretainedValue().limitReceiver?(element)
            }
            // Connects to the HLS proxy directly. The proxy decides how long a request takes, and how often it is made.
            guard gstreamer_is(element, "souphttpsrc") != 0 else { return }
            gstreamer_set(element, "proxy", "")
            gstreamer_set(element, "timeout", "0")
            gstreamer_set(element, "retries", "0")
        }
    }

    /// Sends events of a pipeline, which owns it. A class, because C needs a pointer to an object.
    private final class EventReceiver {
        let receive: @Sendable (GStreamerEvent) -> Void
        private let pipeline: UnsafeMutablePointer<GstElement>

        init(_ pipeline: UnsafeMutablePointer<GstElement>, _ receive: @escaping @Sendable (GStreamerEvent) -> Void) {
            (self.pipeline, self.receive) = (pipeline, receive)
        }

        func receive(_ message: UnsafeMutablePointer<GstMessage>) {
            if let event = GStreamerEvent(message, from: pipeline) { receive(event) }
        }

        static func of(_ pointer: UnsafeMutableRawPointer?) -> EventReceiver {
            Unmanaged<EventReceiver>.fromOpaque(pointer!).takeUnretainedValue()
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
    ///   - external: the cues of an external file to show.
    func select(audio: Int?, subtitle: Int?, external: [GStreamerSubtitles.Cue]) {
        if let audio, audio != gstreamer_get_int(element, "current-audio") {
            gstreamer_set(element, "current-audio", "\(audio)")
            hasSwitchedAudio = true
        }
        subtitles.select(subtitle, external: external)
    }

    func setSubtitleDelay(_ seconds: Double) { subtitles.setDelay(seconds) }

    /// The frames that came too late to be shown.
    var droppedFrames: Int { frames.droppedFrames }

    /// `true` if the pipeline uses an element of this name.
    func contains(_ factory: String) -> Bool { gstreamer_contains(element, factory) != 0 }

    // MARK: Audio

    private static func makeAudioFilter() -> (
        bin: UnsafeMutablePointer<GstElement>, volume: UnsafeMutablePointer<GstElement>
    )? {
        let tempo = GStreamerPlugins.has(.audioEffects) ? "scaletempo ! audioconvert ! " : ""
        guard let bin = gst_parse_bin_from_description(tempo + "volume name=volume", 1, nil),
            let volume = gst_bin_get_by_name(gstreamer_bin(bin), "volume")
        else { return nil }
        // The bin owns it.
        gst_object_unref(volume)
        return (bin, volume)
    }

    private static func makeAudioSink(_ options: Options) -> UnsafeMutablePointer<GstElement>? {
        switch options.audio {
        case .pulse:
            guard let sink = gst_element_factory_make("pulsesink", audioSinkName) else { return nil }
            let role = options.settings.role?.rawValue ?? "video"
            gstreamer_set(sink, "stream-properties", "props,media.role=\(role)")
            return sink
        case .alsa: return gst_element_factory_make("alsasink", audioSinkName)
        case .none:
            guard let sink = gst_element_factory_make("fakesink", audioSinkName) else { return nil }
            gstreamer_set(sink, "sync", "true")
            return sink
        }
    }

    func setVolume(_ settings: BackendSettings) {
        gstreamer_set_double(volume, "volume", settings.volume)
        gstreamer_set(volume, "mute", settings.isMuted ? "true" : "false")
    }

    /// Plays no audio until `setVolume`.
    func silence() { gstreamer_set(volume, "mute", "true") }

    // MARK: Video

    /// - Parameter sink: `nil` to drop the frames.
    func setSink(_ sink: (any VideoFrameSink)?) { frames.setSink(sink) }

    // MARK: Playback

    /// Plays or pauses, as soon as the pipeline has what it needs.
    func setPlaying(_ isPlaying: Bool) {
        guard isRequestedToPlay != isPlaying else { return }
        isRequestedToPlay = isPlaying
        gst_element_set_state(element, isPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
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
        return gst_element_seek(element, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, time, GST_SEEK_TYPE_NONE, -1)
            != 0
    }

    func recalculateLatency() { gst_bin_recalculate_latency(gstreamer_bin(element)) }

    /// In seconds; `nil` while it is unknown.
    var position: Double? {
        var time: gint64 = -1
        guard gst_element_query_position(element, GST_FORMAT_TIME, &time) != 0, time >= 0 else { return nil }
        return Double(time) / 1e9
    }

    /// In seconds; `nil` while it is unknown.
    var duration: Double? {
        var time: gint64 = -1
        guard gst_element_query_duration(element, GST_FORMAT_TIME, &time) != 0, time > 0 else { return nil }
        return Double(time) / 1e9
    }

    /// The range in which a seek is possible, in seconds; `nil` if there is none.
    var seekableRange: ClosedRange<Double>? {
        guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return nil }
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
        let bus = gst_element_get_bus(element)
        gst_bus_set_sync_handler(bus, nil, nil, nil)
        gst_bus_set_flushing(bus, 1)
        gst_object_unref(bus)
        gst_element_set_state(element, GST_STATE_NULL)
    }
}
#endif
