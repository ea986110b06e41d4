#if GStreamer
import AudioMixer
import CGStreamer
import Synchronization

/// Sends the decoded audio of one pipeline to an input of the mixer, a moment before it is due.
final class GStreamerAudioReceiver: Sendable, CallbackContext {
    /// The mixer needs the audio this long before it is heard, in nanoseconds. The pipeline's clock is late by this time.
    static let latency: GstClockTime = 100_000_000
    /// The audio of a file arrives this long before it is due, in nanoseconds, so that a busy machine causes no gap. A live stream
    /// is late by this time, so it has the shortest.
    private static let (lead, liveLead): (GstClockTime, GstClockTime) = (500_000_000, latency)

    /// The elements, for a pipeline.
    nonisolated(unsafe) let bin: UnsafeMutablePointer<GstElement>
    private let input: MixerInputQueue
    /// The rate of the last audio, in hertz.
    private let rate = Atomic(0)
    private let drained: @Sendable () -> Void

    /// - Parameters:
    ///   - isLive: `true` if the source delivers in real time.
    ///   - drained: called on GStreamer's thread after the last audio.
    init?(_ input: MixerInputQueue, isLive: Bool, drained: @escaping @Sendable () -> Void) {
        let description =
            "audioconvert ! capsfilter caps=audio/x-raw,format=S16LE,layout=interleaved,channels=2,rate=[1,192000]"
            + " ! appsink name=output render-delay=\(isLive ? Self.liveLead : Self.lead)"
        guard let bin = gst_parse_bin_from_description(description, 1, nil),
            let output = gst_bin_get_by_name(gstreamer_bin(bin), "output")
        else { return nil }
        defer { gst_object_unref(output) }
        (self.bin, self.input, self.drained) = (bin, input, drained)
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, context in
            GStreamerAudioReceiver.of(context).receive(gst_app_sink_try_pull_sample(sink, 0), of: sink)
            return GST_FLOW_OK
        }
        callbacks.eos = { _, context in
            let receiver = GStreamerAudioReceiver.of(context)
            receiver.input.drain()
            receiver.drained()
        }
        gst_app_sink_set_callbacks(
            gstreamer_app_sink(output), &callbacks, retainedContext, releaseContext)
        let pad = gst_element_get_static_pad(output, "sink")
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
            { _, info, context in
                if let event = gst_pad_probe_info_get_event(info), gstreamer_event_type(event) == GST_EVENT_FLUSH_STOP {
                    GStreamerAudioReceiver.of(context).input.discard()
                }
                return GST_PAD_PROBE_OK
            }, retainedContext, releaseContext)
        gst_object_unref(pad)
    }

    /// Copies a sample to the mixer. Releases it.
    private func receive(_ sample: OpaquePointer?, of sink: UnsafeMutablePointer<GstAppSink>?) {
        guard let sample else { return }
        defer { gstreamer_unref(UnsafeMutableRawPointer(sample)) }
        var rate: gint = 0
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
            gst_structure_get_int(gst_caps_get_structure(caps, 0), "rate", &rate) != 0
        else { return }
        let time = gstreamer_due_time(sink, sample)
        guard time != .max else { return }
        if self.rate.exchange(Int(rate), ordering: .relaxed) != Int(rate) { input.begin(rate: Int(rate)) }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).withMemoryRebound(to: Int16.self) {
            input.push($0, at: Int64(time / 1000))
        }
    }
}
#endif
