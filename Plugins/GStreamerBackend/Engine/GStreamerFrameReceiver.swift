#if GStreamer
import CGStreamer
import Playback
import Synchronization

/// Converts the decoded video of one pipeline to frames, and sends them to a sink.
final class GStreamerFrameReceiver: Sendable {
    private struct State {
        var sink: (any VideoFrameSink)?
        /// The size of the video, upright and with square pixels; `nil` until it is decoded.
        var videoSize: VideoSize?
        /// The size of the frames; `nil` until the video is decoded.
        var frameSize: VideoSize?
        /// The time stamp of the last frame, to detect repetitions.
        var lastTime: GstClockTime?
    }

    private let state = Mutex(State())
    /// Held while the sink receives a frame.
    private let delivery = Mutex(())
    private let sizeChanged: @Sendable () -> Void
    /// The element that limits the size of the frames, and the last element. The bin owns them.
    private nonisolated(unsafe) let format: UnsafeMutablePointer<GstElement>
    private nonisolated(unsafe) let output: UnsafeMutablePointer<GstElement>
    /// The elements, for a pipeline.
    nonisolated(unsafe) let bin: UnsafeMutablePointer<GstElement>

    /// The frames that came too late.
    var droppedFrames: Int { Int(gstreamer_dropped_frames(output)) }

    /// - Parameters:
    ///   - subtitles: are drawn on the frames.
    ///   - sizeChanged: called on GStreamer's thread when the size of the video is known, or changes.
    init?(_ subtitles: GStreamerSubtitles, sizeChanged: @escaping @Sendable () -> Void) {
        let rotation = GStreamerPlugins.has(.videoFilter) ? "videoconvert ! videoflip video-direction=auto ! " : ""
        let overlay = GStreamerPlugins.has(.subtitles) ? "textoverlay name=subtitles ! " : ""
        let description =
            "identity name=input ! " + rotation + "videoconvertscale name=scaler ! capsfilter name=format ! " + overlay
            + "appsink name=output qos=true"
        guard let bin = gst_parse_bin_from_description(description, 0, nil) else { return nil }
        let members = gstreamer_bin(bin)
        guard let input = gst_bin_get_by_name(members, "input"), let scaler = gst_bin_get_by_name(members, "scaler"),
            let format = gst_bin_get_by_name(members, "format"), let output = gst_bin_get_by_name(members, "output")
        else { return nil }
        defer { for element in [input, scaler, format, output] { gst_object_unref(element) } }
        (self.bin, self.format, self.output) = (bin, format, output)
        self.sizeChanged = sizeChanged
        gstreamer_set(format, "caps", Self.caps(nil))
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
            gstreamer_app_sink(output), &callbacks, Unmanaged.passRetained(self).toOpaque(), Self.release)
        // The overlay has an input too, which stays unused.
        let entry = gst_element_get_static_pad(input, "sink")
        gst_element_add_pad(bin, gst_ghost_pad_new("sink", entry))
        gst_object_unref(entry)
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
            }, Unmanaged.passRetained(self).toOpaque(), Self.release)
        gst_object_unref(pad)
    }

    /// Reports the progress of the video to the gate of the decoders.
    func watch(by gate: GStreamerVideoGate) {
        guard let pad = gst_element_get_static_pad(bin, "sink") else { return }
        gate.watch(pad)
        gst_object_unref(pad)
    }

    /// - Parameters:
    ///   - sink: `nil` to drop the frames.
    ///   - showsLast: `true` if the last frame is that of the current position.
    func setSink(_ sink: (any VideoFrameSink)?, showsLast: Bool) {
        let isOther = state.withLock { state in
            let isOther = state.sink !== sink
            state.sink = sink
            if isOther { state.lastTime = nil }
            return isOther
        }
        limitSize()
        // The frame that the sink would have, if it had been set before.
        if isOther, showsLast, sink != nil { receive(gstreamer_last_sample(output)) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> GStreamerFrameReceiver {
        Unmanaged<GStreamerFrameReceiver>.fromOpaque(context!).takeUnretainedValue()
    }

    private static let release: GDestroyNotify = { context in
        if let context { Unmanaged<GStreamerFrameReceiver>.fromOpaque(context).release() }
    }

    // MARK: Size

    private static func caps(_ size: VideoSize?) -> String {
        let size = size.map { ",width=\($0.width),height=\($0.height)" } ?? ""
        return "video/x-raw,format=BGRA,pixel-aspect-ratio=1/1" + size
    }

    private func decoded(_ size: VideoSize) {
        state.withLock { $0.videoSize = size }
        limitSize()
        sizeChanged()
    }

    private func limitSize() {
        let limit = state.withLock(\.sink)?.maximumFrameSize
        let size: VideoSize? = state.withLock { state in
            let size = state.videoSize?.fitted(into: limit)
            guard size != state.frameSize else { return nil }
            state.frameSize = size
            return size
        }
        if let size { gstreamer_set(format, "caps", Self.caps(size)) }
    }

    // MARK: Frames

    /// Sends a frame to the sink, unless it was the last one. Releases the sample.
    private func receive(_ sample: OpaquePointer?) {
        guard let sample else { return }
        defer { gstreamer_unref(UnsafeMutableRawPointer(sample)) }
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
            let size = VideoSize(caps)
        else { return }
        let time = buffer.pointee.pts
        let sink = state.withLock { state -> (any VideoFrameSink)? in
            guard state.lastTime != time else { return nil }
            state.lastTime = time
            return state.sink
        }
        guard let sink, let frame = VideoFrame(buffer, size, for: sink) else { return }
        delivery.withLock { _ in sink.receive(frame) }
    }
}

extension VideoFrame {
    /// A frame that retains GStreamer's buffer, or a copy if the sink has its own memory.
    fileprivate init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ size: VideoSize, for sink: any VideoFrameSink) {
        let map = UnsafeMutablePointer<GstMapInfo>.allocate(capacity: 1)
        guard gst_buffer_map(buffer, map, GST_MAP_READ) != 0, let data = map.pointee.data else {
            map.deallocate()
            return nil
        }
        let bytes = UnsafeMutableRawBufferPointer(start: data, count: Int(map.pointee.size))
        gst_buffer_ref(buffer)
        nonisolated(unsafe) let memory = (buffer: buffer, map: map)
        var storage = VideoFrameStorage(bytes) {
            gst_buffer_unmap(memory.buffer, memory.map)
            gst_buffer_unref(memory.buffer)
            memory.map.deallocate()
        }
        if sink is any VideoFrameMemory {
            let copy = sink.storage(byteCount: bytes.count)
            copy.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
            storage = copy
        }
        self.init(width: size.width, height: size.height, bytesPerRow: size.width * 4, storage: storage)
    }
}
#endif
