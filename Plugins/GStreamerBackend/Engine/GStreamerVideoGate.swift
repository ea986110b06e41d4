#if GStreamer
import CGStreamer
import Foundation
import Synchronization

/// Keeps the decoders of one pipeline from decoding video that nobody sees.
///
/// Each buffer before a decoder becomes a gap event of the same time. The sink waits for gaps as for frames, so the pipeline pauses,
/// seeks and ends as with video. Queues take any number of events, so the gate lets a gap pass only when the sink has come near it.
///
/// The gate keeps the buffers since the last key frame. If the video is shown again, they are decoded at once, and the frames that
/// are late are dropped.
// Unchecked: `condition` guards the state.
final class GStreamerVideoGate: @unchecked Sendable, CallbackContext {
    /// A gap passes the decoder this long before the sink reaches it, in nanoseconds.
    private static let lead: GstClockTime = 200_000_000
    /// The thread of a decoder that is being stopped is not notified, so it looks after this time, in seconds.
    private static let longestWait = 0.1

    private let condition = NSCondition()
    private var isHidden = false
    private var isClosed = false
    /// `true` from the end of the hiding until a frame is in time.
    private var isCatchingUp = false
    /// The running time of the last frame or gap at the sink; `nil` after a seek.
    private var reached: GstClockTime?
    /// `true` from a gap or a seek to the next frame.
    private var awaitsFrame = false
    /// `true` from `setHidden` to the next frame, if it requested one.
    private var isFrameRequested = false

    /// `true` if the last frame is that of the current position.
    var hasCurrentFrame: Bool { condition.withLock { !awaitsFrame } }

    /// - Parameter requestsFrame: `true` if the output has no frame of the current position.
    func setHidden(_ isHidden: Bool, requestsFrame: Bool) {
        update {
            if self.isHidden, !isHidden { isCatchingUp = true }
            self.isHidden = isHidden
            isFrameRequested = requestsFrame
        }
    }

    /// - Returns: `true` once if a frame was requested and has not come.
    func takeFrameRequest() -> Bool {
        condition.withLock {
            defer { isFrameRequested = false }
            return isFrameRequested
        }
    }

    /// Lets all threads pass. Call it before the pipeline is stopped, which waits for them.
    func close() { update { isClosed = true } }

    private func update(_ body: () -> Void) {
        condition.lock()
        body()
        condition.broadcast()
        condition.unlock()
    }

    // MARK: The sink

    /// - Parameter pad: the entry of the last elements.
    func watch(_ pad: UnsafeMutablePointer<GstPad>) {
        let types = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
                | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
        gst_pad_add_probe(
            pad, types,
            { pad, info, context in
                let gate = GStreamerVideoGate.of(context)
                if let buffer = gstreamer_probed_buffer(info) {
                    return gate.receive(buffer, at: pad) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
                }
                if let event = gstreamer_probed_event(info) { gate.receive(event, at: pad) }
                return GST_PAD_PROBE_OK
            }, retainedContext, releaseContext)
    }

    /// - Returns: `false` to drop a frame that is late.
    private func receive(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>?) -> Bool {
        let time = gstreamer_running_time(pad, buffer.pointee.pts)
        condition.lock()
        defer { condition.unlock() }
        if isCatchingUp, let reached, time != .max, time < reached { return false }
        (isCatchingUp, awaitsFrame, isFrameRequested) = (false, false, false)
        if time != .max { reached = time }
        return true
    }

    private func receive(_ event: UnsafeMutablePointer<GstEvent>, at pad: UnsafeMutablePointer<GstPad>?) {
        switch gstreamer_event_type(event) {
        case GST_EVENT_GAP:
            var time: GstClockTime = 0
            gst_event_parse_gap(event, &time, nil)
            let reached = gstreamer_running_time(pad, time)
            update {
                awaitsFrame = true
                if reached != .max { self.reached = max(reached, self.reached ?? 0) }
            }
        case GST_EVENT_EOS: update { reached = .max }
        case GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP:
            update { (reached, isCatchingUp, awaitsFrame) = (nil, false, true) }
        default: break
        }
    }

    // MARK: Decoders

    /// Guards a decoder that a pipeline has added.
    func guardDecoder(_ decoder: UnsafeMutablePointer<GstElement>) {
        guard let entry = DecoderEntry(of: decoder, gate: self),
            let pad = gst_element_get_static_pad(decoder, "sink")
        else { return }
        let types = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
        gst_pad_add_probe(
            pad, types,
            { pad, info, context in
                let entry = DecoderEntry.of(context)
                guard let pad, let buffer = gstreamer_probed_buffer(info) else {
                    entry.flush()
                    return GST_PAD_PROBE_OK
                }
                return entry.receive(buffer, at: pad) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
            }, entry.retainedContext, releaseContext)
        gst_object_unref(pad)
    }

    fileprivate var hides: Bool { condition.withLock { isHidden && !isClosed } }

    /// Waits until the sink has come near a time, or the video is shown.
    ///
    /// - Parameter isForced: `true` to wait also if the video is shown.
    fileprivate func wait(for time: GstClockTime, at pad: UnsafeMutablePointer<GstPad>, isForced: Bool) {
        condition.lock()
        defer { condition.unlock() }
        while isHidden || isForced, !isClosed, !isNear(time), gstreamer_is_flushing(pad) == 0 {
            _ = condition.wait(until: Date(timeIntervalSinceNow: Self.longestWait))
        }
    }

    /// `true` if a gap of this time may pass. After a seek, the first one must arrive at the sink before others follow.
    private func isNear(_ time: GstClockTime) -> Bool {
        guard time != .max else { return true }
        guard let reached else { return false }
        return reached == .max || time <= reached + Self.lead
    }
}

/// The entry of one decoder. Used on the thread that decodes.
private final class DecoderEntry: CallbackContext {
    /// The most that is kept, in bytes. After more without a key frame, the video returns with the next one.
    private static let capacity = 32 << 20

    private let gate: GStreamerVideoGate
    private let output: UnsafeMutablePointer<GstPad>
    /// The hidden buffers since the last key frame.
    private var kept: [UnsafeMutablePointer<GstBuffer>] = []
    private var keptBytes = 0
    private var isHiding = false
    /// `true` if the decoder needs a key frame.
    private var lacksReference = false
    private var isReplaying = false
    private let isFlushed = Atomic(false)

    init?(of decoder: UnsafeMutablePointer<GstElement>, gate: GStreamerVideoGate) {
        guard let output = gst_element_get_static_pad(decoder, "src") else { return nil }
        (self.output, self.gate) = (output, gate)
    }

    deinit {
        drop()
        gst_object_unref(output)
    }

    /// Called on the thread of the seek. The thread that decodes drops the buffers.
    func flush() { isFlushed.store(true, ordering: .releasing) }

    private func drop() {
        for buffer in kept { gst_buffer_unref(buffer) }
        (kept, keptBytes) = ([], 0)
    }

    /// - Returns: `false` to drop the buffer.
    func receive(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) -> Bool {
        if isReplaying { return true }
        if isFlushed.exchange(false, ordering: .acquiring) {
            drop()
            lacksReference = isHiding
        }
        if gstreamer_is_key_frame(buffer) != 0 {
            drop()
            lacksReference = false
        }
        // The first frame is decoded for the size of the video. A decoder without a format sends no gaps.
        guard gate.hides && gst_pad_has_current_caps(output) != 0 || lacksReference else {
            replay(to: pad)
            return true
        }
        isHiding = true
        if !lacksReference { keep(buffer) }
        let time = buffer.pointee.pts == .max ? buffer.pointee.dts : buffer.pointee.pts
        guard time != .max else { return false }
        gst_pad_send_event(pad, gst_event_new_gap(time, buffer.pointee.duration))
        gate.wait(for: gstreamer_running_time(pad, time), at: pad, isForced: lacksReference)
        return false
    }

    private func keep(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        keptBytes += Int(gst_buffer_get_size(buffer))
        if keptBytes <= Self.capacity {
            kept.append(gst_buffer_ref(buffer))
        } else {
            drop()
            lacksReference = true
        }
    }

    /// Decodes what was kept.
    private func replay(to pad: UnsafeMutablePointer<GstPad>) {
        isHiding = false
        let buffers = kept
        (kept, keptBytes) = ([], 0)
        isReplaying = true
        for buffer in buffers { gst_pad_chain(pad, buffer) }
        isReplaying = false
    }
}
#endif
