#if GStreamer
import CGStreamer
import Playback
import Synchronization

/// Converts the decoded video of one pipeline to frames, and sends them to its output. A window receives the decoder's format.
final class GStreamerFrameReceiver: Sendable, CallbackContext {
    private struct State {
        var output = GStreamerVideoOutput.none
        /// The size of the video, upright and with square pixels; `nil` until it is decoded.
        var videoSize: VideoSize?
        /// The format of the frames, as GStreamer writes it; `nil` until it is set.
        var format: String?
        /// The memory of frames for a sink that provides it.
        var pool = VideoFramePool()
        /// The time stamp of the last frame, to detect repetitions.
        var lastTime: GstClockTime?
    }

    private let state = Mutex(State())
    /// Held while the output receives a frame.
    private let delivery = Mutex(())
    private let sizeChanged: @Sendable () -> Void
    /// The element that limits the size of the frames, and the last element. The bin owns them.
    private nonisolated(unsafe) let format: UnsafeMutablePointer<GstElement>
    private nonisolated(unsafe) let end: UnsafeMutablePointer<GstElement>
    /// The elements, for a pipeline.
    nonisolated(unsafe) let bin: UnsafeMutablePointer<GstElement>
    /// Where the decoded video arrives. The bin owns it.
    nonisolated(unsafe) let input: UnsafeMutablePointer<GstPad>

    /// The frames that came too late.
    var droppedFrames: Int { Int(gstreamer_dropped_frames(end)) }

    /// - Parameters:
    ///   - subtitles: are drawn on the frames.
    ///   - sizeChanged: called on GStreamer's thread when the size of the video is known, or changes.
    init?(_ subtitles: GStreamerSubtitles, sizeChanged: @escaping @Sendable () -> Void) {
        let rotation = GStreamerPlugins.has(.videoFilter) ? "videoconvert ! videoflip video-direction=auto ! " : ""
        let overlay = GStreamerPlugins.has(.subtitles) ? "textoverlay name=subtitles ! " : ""
        let description =
            "identity name=input ! " + rotation + "videoconvertscale name=scaler ! capsfilter name=format ! " + overlay
            + "appsink name=end qos=true"
        guard let bin = gst_parse_bin_from_description(description, 0, nil) else { return nil }
        let members = gstreamer_bin(bin)
        guard let first = gst_bin_get_by_name(members, "input"), let scaler = gst_bin_get_by_name(members, "scaler"),
            let format = gst_bin_get_by_name(members, "format"), let end = gst_bin_get_by_name(members, "end")
        else { return nil }
        defer { for element in [first, scaler, format, end] { gst_object_unref(element) } }
        // The overlay has an input too, which stays unused.
        let entry = gst_element_get_static_pad(first, "sink")
        defer { gst_object_unref(entry) }
        guard let input = gst_ghost_pad_new("sink", entry) else { return nil }
        gst_element_add_pad(bin, input)
        (self.bin, self.input, self.format, self.end) = (bin, input, format, end)
        self.sizeChanged = sizeChanged
        setFormat()
        if let overlay = gst_bin_get_by_name(members, "subtitles") {
            subtitles.draw(on: overlay)
            gst_object_unref(overlay)
        }
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_preroll = { sink, context in
            GStreamerFrameReceiver.of(context).receive(gst_app_sink_try_pull_preroll(sink, 0))
            return GST_FLOW_OK
        }
        callbacks.new_sample = { sink, context in
            GStreamerFrameReceiver.of(context).receive(gst_app_sink_try_pull_sample(sink, 0))
            return GST_FLOW_OK
        }
        gst_app_sink_set_callbacks(
            gstreamer_app_sink(end), &callbacks, retainedContext, releaseContext)
        let pad = gst_element_get_static_pad(scaler, "sink")
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, context in
                guard let event = gst_pad_probe_info_get_event(info), gstreamer_event_type(event) == GST_EVENT_CAPS
                else { return GST_PAD_PROBE_OK }
                var caps: UnsafeMutablePointer<GstCaps>?
                gst_event_parse_caps(event, &caps)
                if let size = caps.flatMap({ VideoSize($0) }) { GStreamerFrameReceiver.of(context).decoded(size) }
                return GST_PAD_PROBE_OK
            }, retainedContext, releaseContext)
        // Otherwise an element of `playbin` scales all video to the size of the first.
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, { _, info, _ in gstreamer_accept_any_size(info) }, nil, nil)
        gst_object_unref(pad)
    }

    /// - Parameter showsLast: `true` if the last frame is that of the current position.
    /// - Returns: `false` if the last frame has a format that the output does not take.
    func setOutput(_ output: GStreamerVideoOutput, showsLast: Bool) -> Bool {
        let isOther = state.withLock { state in
            let isOther = state.output != output
            state.output = output
            if isOther { (state.lastTime, state.pool) = (nil, VideoFramePool()) }
            return isOther
        }
        setFormat()
        // The frame that the output would have, if it had been set before.
        return isOther && showsLast ? receive(gstreamer_last_sample(end)) : true
    }

    // MARK: Format

    /// GStreamer's name for the format of `VideoFrame`.
    fileprivate static let pixels = "BGRA"

    private func decoded(_ size: VideoSize) {
        state.withLock { $0.videoSize = size }
        setFormat()
        sizeChanged()
    }

    /// Sets the format that the output needs.
    private func setFormat() {
        // Two threads may set a format. The lock keeps the order in which they have chosen it.
        state.withLock { state in
            var format = "video/x-raw,pixel-aspect-ratio=1/1"
            var limit: VideoSize?
            if case .sink(let sink) = state.output { limit = sink.maximumFrameSize }
            if case .window = state.output {} else { format += ",format=" + Self.pixels }
            if let size = state.videoSize?.fitted(into: limit) {
                format += ",width=\(size.width),height=\(size.height)"
            }
            guard format != state.format else { return }
            state.format = format
            gstreamer_set(self.format, "caps", format)
        }
    }

    // MARK: Frames

    /// Sends a frame to the output, unless it was the last one. Releases the sample.
    ///
    /// - Returns: `false` if the output does not take its format.
    @discardableResult
    private func receive(_ sample: OpaquePointer?) -> Bool {
        guard let sample else { return true }
        defer { gstreamer_unref(UnsafeMutableRawPointer(sample)) }
        guard let buffer = gst_sample_get_buffer(sample) else { return true }
        let time = buffer.pointee.pts
        let output = state.withLock { state in
            guard state.lastTime != time else { return GStreamerVideoOutput.none }
            state.lastTime = time
            return state.output
        }
        switch output {
        case .none: break
        case .window(let window): window.show(sample)
        case .sink(let sink):
            guard let frame = VideoFrame(buffer, gst_sample_get_caps(sample)) else {
                // A seek sends the same frame in another format.
                state.withLock { $0.lastTime = nil }
                return false
            }
            let shown = sink is any VideoFrameMemory ? copy(of: frame, for: sink) : frame
            delivery.withLock { _ in sink.receive(shown) }
        }
        return true
    }

    private func copy(of frame: VideoFrame, for sink: any VideoFrameSink) -> VideoFrame {
        let storage = state.withLock { $0.pool.storage(byteCount: frame.storage.bytes.count, for: sink) }
        storage.bytes.copyMemory(from: UnsafeRawBufferPointer(frame.storage.bytes))
        return VideoFrame(
            width: frame.width, height: frame.height, bytesPerRow: frame.bytesPerRow, storage: storage)
    }
}

extension VideoFrame {
    /// A frame that retains GStreamer's buffer. `nil` for another format.
    fileprivate init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>?) {
        guard let caps, let size = VideoSize(caps),
            let format = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format"),
            String(cString: format) == GStreamerFrameReceiver.pixels
        else { return nil }
        let map = UnsafeMutablePointer<GstMapInfo>.allocate(capacity: 1)
        guard gst_buffer_map(buffer, map, GST_MAP_READ) != 0, let data = map.pointee.data else {
            map.deallocate()
            return nil
        }
        let bytes = UnsafeMutableRawBufferPointer(start: data, count: Int(map.pointee.size))
        gst_buffer_ref(buffer)
        nonisolated(unsafe) let memory = (buffer: buffer, map: map)
        let storage = VideoFrameStorage(bytes) {
            gst_buffer_unmap(memory.buffer, memory.map)
            gst_buffer_unref(memory.buffer)
            memory.map.deallocate()
        }
        self.init(width: size.width, height: size.height, bytesPerRow: size.width * 4, storage: storage)
    }
}
#endif
