#if GStreamer
import AudioMixer
import CGStreamer
import Foundation
import Playback
import Synchronization

/// One `playbin3`, from its start to its end.
///
/// The pipeline reads from a byte source and opens no address. Its messages arrive as events on GStreamer's threads.
// Unchecked: used on the engine's queue only, which the engine and its items share. A separate actor would need
// `await` for each call.
final class GStreamerPipeline: @unchecked Sendable {
    struct Options {
        let source: GStreamerByteSource
        let settings: BackendSettings
        let audio: AudioOutputProbe.Device
        /// `true` to decode the video from the start, if there is audio too.
        let showsVideo: Bool
    }

    /// The name of the element that plays the audio.
    static let audioSinkName = "flowplayer-audio"

    let source: GStreamerByteSource
    private let element: UnsafeMutablePointer<GstElement>
    private let volume: UnsafeMutablePointer<GstElement>
    private let frames: GStreamerFrameReceiver
    private var isRequestedToPlay: Bool?
    private let hasStarted = StartFlag()

    /// Creates a pipeline that does nothing yet.
    ///
    /// - Parameter receive: called on GStreamer's threads.
    init?(_ options: Options, receive: @escaping @Sendable (GStreamerEvent) -> Void) {
        guard GStreamerPlugins.problem == nil, let element = gst_element_factory_make("playbin3", nil),
            let frames = GStreamerFrameReceiver(sizeChanged: { receive(.videoSize($0)) }),
            let audioFilter = Self.makeAudioFilter(), let sink = Self.makeAudioSink(options)
        else { return nil }
        (self.element, self.frames, source) = (element, frames, options.source)
        volume = audioFilter.volume
        gstreamer_set(element, "uri", "appsrc://")
        gstreamer_set(element, "flags", Self.flags)
        gstreamer_set_element(element, "video-sink", frames.bin)
        gstreamer_set_element(element, "audio-filter", audioFilter.bin)
        gstreamer_set_element(element, "audio-sink", sink)
        connect(options, receive)
        setVolume(options.settings)
    }

    deinit { gst_object_unref(element) }

    private func connect(_ options: Options, _ receive: @escaping @Sendable (GStreamerEvent) -> Void) {
        let source = Unmanaged.passUnretained(source).toOpaque()
        gstreamer_on_source_setup(
            element,
            { _, element, source in
                guard let element, let source else { return }
                Unmanaged<GStreamerByteSource>.fromOpaque(source).takeUnretainedValue().attach(to: element)
            }, source)
        gstreamer_on_select_stream(
            element, options.showsVideo ? Self.selectAudioAndVideo : Self.selectAudio, nil)
        let bus = gst_element_get_bus(element)
        nonisolated(unsafe) let pipeline = element
        let hasStarted = hasStarted
        let receiver = MessageReceiver { message in
            guard let event = GStreamerEvent(message, from: pipeline) else { return }
            if gstreamer_type(message) == GST_MESSAGE_ASYNC_DONE { hasStarted.value.store(true, ordering: .relaxed) }
            switch event {
            case .failed, .ended: hasStarted.value.store(true, ordering: .relaxed)
            default: break
            }
            receive(event)
        }
        gst_bus_set_sync_handler(
            bus,
            { _, message, context in
                if let message, let context { MessageReceiver.of(context).receive(message) }
                return GST_BUS_DROP
            }, Unmanaged.passRetained(receiver).toOpaque(),
            { context in if let context { Unmanaged<MessageReceiver>.fromOpaque(context).release() } })
        gst_object_unref(bus)
    }

    /// Set on GStreamer's threads.
    private final class StartFlag: Sendable {
        let value = Atomic(false)
    }

    /// `true` if the pipeline has the first data of its streams, or has failed. An earlier stop can deadlock in GStreamer
    /// 1.22: the search for a demuxer needs a lock that the change of the state holds.
    var canBeClosed: Bool { hasStarted.value.load(ordering: .relaxed) }

    /// A class, because C needs a pointer to an object.
    private final class MessageReceiver {
        let receive: (UnsafeMutablePointer<GstMessage>) -> Void

        init(receive: @escaping (UnsafeMutablePointer<GstMessage>) -> Void) { self.receive = receive }

        static func of(_ pointer: UnsafeMutableRawPointer) -> MessageReceiver {
            Unmanaged<MessageReceiver>.fromOpaque(pointer).takeUnretainedValue()
        }
    }

    // MARK: Streams

    /// A function that chooses the streams to decode. Subtitles are off until the host selects them.
    private typealias Selection =
        @convention(c) (
            UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstStreamCollection>?,
            UnsafeMutablePointer<GstStream>?, UnsafeMutableRawPointer?
        ) -> gint

    private static let selectAudioAndVideo: Selection = { _, _, stream, _ in
        stream.flatMap { GStreamerStream.Kind(of: $0) } == .subtitle ? 0 : -1
    }

    private static let selectAudio: Selection = { _, collection, stream, _ in
        guard let collection, let stream else { return -1 }
        let hasAudio = (0..<gst_stream_collection_get_size(collection)).contains {
            gst_stream_collection_get_stream(collection, $0).flatMap { GStreamerStream.Kind(of: $0) } == .audio
        }
        let kind = GStreamerStream.Kind(of: stream)
        return kind == .subtitle || kind == .video && hasAudio ? 0 : -1
    }

    /// Selects the streams to decode.
    func select(_ streams: [GStreamerStream.ID]) {
        var list: UnsafeMutablePointer<GList>?
        for stream in streams { list = g_list_append(list, g_strdup(stream)) }
        gst_element_send_event(element, gst_event_new_select_streams(list))
        g_list_free_full(list) { g_free($0) }
    }

    func setSubtitlesVisible(_ isVisible: Bool) {
        gstreamer_set(element, "flags", isVisible ? Self.flags : Self.flagsWithoutSubtitles)
    }

    private static let flagsWithoutSubtitles = "video+audio+deinterlace"
    private static let flags = flagsWithoutSubtitles + "+text"

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
        source.interrupt()
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

    var isSeekable: Bool {
        guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
        defer { gstreamer_unref(query) }
        var isSeekable: gboolean = 0
        guard gst_element_query(element, query) != 0 else { return false }
        gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
        return isSeekable != 0
    }

    /// Stops everything. No event follows.
    func close() {
        source.close()
        let bus = gst_element_get_bus(element)
        gst_bus_set_sync_handler(bus, nil, nil, nil)
        gst_bus_set_flushing(bus, 1)
        gst_object_unref(bus)
        gst_element_set_state(element, GST_STATE_NULL)
    }
}
#endif
