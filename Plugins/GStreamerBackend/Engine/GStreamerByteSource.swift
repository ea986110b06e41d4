#if GStreamer
import CGStreamer
import Foundation
import MediaTransport
import Playback
import Synchronization

/// Provides bytes that we have opened to a pipeline, in place of its `appsrc`.
///
/// Most demuxers pull the bytes that they need. They do not get them from the queue of the `appsrc`: a buffer that is pushed
/// while a seek begins stays there, and a demuxer would take it for the bytes of its next request. The others receive the bytes
/// in their order, through the queue. Both happens on the thread of the pipeline, which waits for the bytes.
final class GStreamerByteSource: Sendable, CallbackContext {
    private struct State {
        var reader: any MediaReader
        var readerPosition: UInt64 = 0
        /// The position of the next bytes for the queue of the `appsrc`.
        var position: UInt64 = 0
        /// When the running read began.
        var readStart: ContinuousClock.Instant?
        /// `true` while a demuxer seeks. It waits for the thread that reads.
        var isFlushing = false
        var hasFailed = false
        var size: UInt64?
        /// `true` after the last byte was read. A pipeline that knows the size does not read on.
        var hasEnded = false
        var isClosed = false
        var addedDuration = 0.0
        var chaptersFound: @Sendable ([Chapter]) -> Void = { _ in }
    }

    /// The size of a buffer if the pipeline wants no certain size, in bytes.
    private static let bufferSize = 64 << 10
    /// The most bytes that a demuxer may pull at once. Damaged files ask for up to 4 GB.
    private static let largestPull = 256 << 20
    /// A read of this duration waits for the network.
    private static let longestRead = Duration.milliseconds(100)

    private let bytes: any MediaBytes
    private let state: Mutex<State>

    /// - Returns: `nil` if the bytes cannot be read.
    init?(_ bytes: any MediaBytes) {
        guard let reader = bytes.open() else { return nil }
        self.bytes = bytes
        state = Mutex(State(reader: reader))
    }

    /// `false` if the bytes can only be read in order.
    var isSeekable: Bool { bytes.isSeekable }

    /// `true` if the pipeline waits for bytes for longer than a moment.
    var isWaiting: Bool { state.withLock { $0.readStart.map { .now - $0 > Self.longestRead } ?? false } }

    /// `true` if the bytes have ended before the end of the file.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// `true` if the pipeline has received the last byte.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// The time by which the duration in the file was made longer, in seconds.
    var addedDuration: Double { state.withLock(\.addedDuration) }

    /// Provides the bytes to an `appsrc`. Call it once.
    ///
    /// - Parameter chaptersFound: called on GStreamer's thread with the chapters of an mp4 file, which GStreamer does not report.
    func attach(to element: UnsafeMutablePointer<GstElement>, chaptersFound: @escaping @Sendable ([Chapter]) -> Void) {
        state.withLock { $0.chaptersFound = chaptersFound }
        let source = gstreamer_app_src(element)
        let type = bytes.isSeekable ? GST_APP_STREAM_TYPE_RANDOM_ACCESS : GST_APP_STREAM_TYPE_STREAM
        gst_app_src_set_stream_type(source, type)
        if let size = state.withLock(\.reader).size {
            gst_app_src_set_size(source, gint64(size))
            state.withLock { $0.size = size }
        }
        gstreamer_set(element, "blocksize", "\(Self.bufferSize)")
        var callbacks = GstAppSrcCallbacks()
        callbacks.need_data = { source, count, context in GStreamerByteSource.of(context).push(count, to: source) }
        callbacks.seek_data = { _, offset, context in
            GStreamerByteSource.of(context).state.withLock { $0.position = UInt64(offset) }
            return 1
        }
        gst_app_src_set_callbacks(source, &callbacks, retainedContext, releaseContext)
        let pad = gst_element_get_static_pad(element, "src")
        gst_pad_set_getrange_function_full(
            pad,
            { pad, _, offset, count, buffer in
                GStreamerByteSource.of(pad?.pointee.getrangedata).pull(count, at: UInt64(offset), into: buffer)
            }, retainedContext, releaseContext)
        gst_pad_add_probe(
            pad, GstPadProbeType(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue),
            { _, info, context in
                if let event = gst_pad_probe_info_get_event(info) {
                    GStreamerByteSource.of(context).setFlushing(gstreamer_event_type(event) == GST_EVENT_FLUSH_START)
                }
                return GST_PAD_PROBE_OK
            }, retainedContext, releaseContext)
        // An `appsrc` of unknown size answers with -1, from which the demuxer of MPEG-TS calculates a duration.
        if state.withLock(\.size) == nil {
            gst_pad_add_probe(
                pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
                { _, info, _ in
                    let query = gst_pad_probe_info_get_query(info)
                    return query?.pointee.type == GST_QUERY_DURATION ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
                }, nil, nil)
        }
        gst_object_unref(pad)
    }

    private func setFlushing(_ isFlushing: Bool) {
        state.withLock { $0.isFlushing = isFlushing }
        if isFlushing { interrupt() }
    }

    /// Ends the running read. The pipeline must seek after that: a seek waits for the pipeline's thread.
    func interrupt() {
        let interrupted: (any MediaReader)? = state.withLock { state in
            guard state.readStart != nil, !state.isClosed, let reader = bytes.open() else { return nil }
            defer { (state.reader, state.readerPosition) = (reader, 0) }
            return state.reader
        }
        interrupted?.cancel()
    }

    /// Ends all reading. Call it before the pipeline is stopped, which waits for its bytes.
    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.reader
        }
        reader.cancel()
    }

    /// Reads what a demuxer pulls. Some demuxers, for example that of Ogg, provide the buffer.
    private func pull(
        _ count: guint, at position: UInt64, into buffer: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>?
    ) -> GstFlowReturn {
        let end = state.withLock(\.size) ?? .max
        guard position < end else { return GST_FLOW_EOS }
        let count = min(UInt64(count), end - position)
        guard count > 0 else {
            // An empty chunk of the file.
            if let provided = buffer?.pointee {
                gst_buffer_set_size(provided, 0)
            } else {
                buffer?.pointee = gst_buffer_new()
            }
            return GST_FLOW_OK
        }
        guard count <= Self.largestPull else { return GST_FLOW_ERROR }
        switch read(Int(count), at: position) {
        case .bytes(let memory, let count):
            if let provided = buffer?.pointee {
                gst_buffer_fill(provided, 0, memory, gsize(count))
                gst_buffer_set_size(provided, gssize(count))
                g_free(memory)
            } else {
                buffer?.pointee = Self.buffer(memory, count, at: position)
            }
            return GST_FLOW_OK
        case .end: return GST_FLOW_EOS
        case .interrupted: return GST_FLOW_FLUSHING
        }
    }

    /// Reads the next bytes for an `appsrc`.
    private func push(_ count: guint, to source: UnsafeMutablePointer<GstAppSrc>?) {
        let position = state.withLock(\.position)
        switch read(count == .max ? Self.bufferSize : Int(count), at: position) {
        case .bytes(let memory, let count): gst_app_src_push_buffer(source, Self.buffer(memory, count, at: position))
        case .end: gst_app_src_end_of_stream(source)
        case .interrupted: if state.withLock(\.isClosed) { gst_app_src_end_of_stream(source) }
        }
    }

    /// - Parameter memory: from `g_malloc`; the buffer frees it.
    private static func buffer(
        _ memory: gpointer, _ count: Int, at position: UInt64
    ) -> UnsafeMutablePointer<GstBuffer>? {
        let buffer = gst_buffer_new_wrapped(memory, gsize(count))
        // The demuxer of MPEG-TS needs it.
        buffer?.pointee.offset = guint64(position)
        return buffer
    }

    private enum ReadResult {
        /// The memory is from `g_malloc`; the receiver frees it.
        case bytes(gpointer, count: Int)
        /// Also after an error.
        case end
        case interrupted
    }

    /// Blocks until the bytes have arrived.
    private func read(_ needed: Int, at position: UInt64) -> ReadResult {
        guard let memory = g_try_malloc(gsize(needed)) else { return .end }
        let source: (reader: any MediaReader, position: UInt64)? = state.withLock { state in
            guard !state.isFlushing else { return nil }
            state.readStart = .now
            return (state.reader, state.readerPosition)
        }
        guard let (reader, readerPosition) = source else {
            g_free(memory)
            return .interrupted
        }
        var (count, hasFailed) = (0, position != readerPosition && !reader.seek(to: position))
        while count < needed, !hasFailed {
            let part = reader.read(into: .init(start: memory + count, count: needed - count))
            hasFailed = part == nil
            count += part ?? 0
            if part == 0 || !bytes.isSeekable { break }
        }
        let isInterrupted = state.withLock { state in
            state.readStart = nil
            guard state.reader === reader, !state.isClosed else { return true }
            state.readerPosition = position + UInt64(count)
            state.position = state.readerPosition
            state.hasFailed = hasFailed
            state.hasEnded = count == 0 || state.size.map { state.position >= $0 } ?? false
            return false
        }
        guard !isInterrupted, count > 0 else {
            g_free(memory)
            return isInterrupted ? .interrupted : .end
        }
        reportChapters(of: .init(start: memory, count: count))
        let added = MP4Edits.addSkippedTime(to: .init(start: memory, count: count))
        if added > 0 { state.withLock { $0.addedDuration = added } }
        return .bytes(memory, count: count)
    }

    /// The demuxer of mp4 reads the whole index at once.
    private func reportChapters(of bytes: UnsafeRawBufferPointer) {
        let chapters = MP4Chapters.list(of: bytes)
        if !chapters.isEmpty { state.withLock(\.chaptersFound)(chapters) }
    }
}
#endif
