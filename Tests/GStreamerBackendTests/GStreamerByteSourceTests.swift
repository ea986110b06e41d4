#if GStreamer
import CGStreamer
import Foundation
import MediaTransport
import Synchronization
import Testing

@testable import GStreamerBackend

/// The bytes that a demuxer pulls.
@Suite struct GStreamerByteSourceTests {
    /// A file of 1000 bytes, whose readers can wait for ever.
    private struct TestBytes: MediaBytes {
        let isSeekable = true
        let started = DispatchSemaphore(value: 0)
        var isSlow = false

        func open() -> (any MediaReader)? { isSlow ? SlowReader(started) : FastReader() }
    }

    private final class FastReader: MediaReader {
        let size: UInt64? = 1 << 40

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { buffer.count }

        func seek(to offset: UInt64) -> Bool { true }

        func cancel() {}
    }

    /// Waits until it is cancelled.
    private final class SlowReader: MediaReader {
        let size: UInt64? = 1000
        private let started: DispatchSemaphore
        private let cancelled = DispatchSemaphore(value: 0)

        init(_ started: DispatchSemaphore) { self.started = started }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
            started.signal()
            cancelled.wait()
            return nil
        }

        func seek(to offset: UInt64) -> Bool { true }

        func cancel() { cancelled.signal() }
    }

    /// The pad of a source, in pull mode.
    private final class Pad: Sendable {
        private nonisolated(unsafe) let element: UnsafeMutablePointer<GstElement>
        private nonisolated(unsafe) let pad: UnsafeMutablePointer<GstPad>

        init(_ bytes: any MediaBytes) throws {
            try #require(GStreamerPlugins.areLoaded)
            let source = try #require(GStreamerByteSource(bytes))
            element = try #require(gst_element_factory_make("appsrc", nil))
            source.attach(to: element, chaptersFound: { _ in })
            pad = try #require(gst_element_get_static_pad(element, "src"))
            gst_element_set_state(element, GST_STATE_READY)
            gst_pad_activate_mode(pad, GST_PAD_MODE_PULL, 1)
        }

        deinit {
            gst_object_unref(pad)
            gst_element_set_state(element, GST_STATE_NULL)
            gst_object_unref(element)
        }

        /// - Returns: the number of bytes; `nil` if there are none.
        func pull(_ count: guint) -> (result: GstFlowReturn, count: Int?) {
            var buffer: UnsafeMutablePointer<GstBuffer>?
            let result = gst_pad_get_range(pad, 0, count, &buffer)
            defer { if let buffer { gst_buffer_unref(buffer) } }
            return (result, buffer.map { Int(gst_buffer_get_size($0)) })
        }

        func send(_ event: UnsafeMutablePointer<GstEvent>) { gst_pad_send_event(pad, event) }
    }

    /// Damaged files name sizes of gigabytes.
    @Test func aPullIsLimited() throws {
        let pad = try Pad(TestBytes())
        #expect(pad.pull(1000) == (GST_FLOW_OK, 1000))
        #expect(pad.pull((256 << 20) + 1) == (GST_FLOW_ERROR, nil))
    }

    /// A WAV file may have empty chunks.
    @Test func anEmptyPullIsAnEmptyBuffer() throws {
        #expect(try Pad(TestBytes()).pull(0) == (GST_FLOW_OK, 0))
    }

    /// A demuxer that seeks waits for the thread that reads.
    @Test func aSeekInterruptsAPull() async throws {
        let bytes = TestBytes(isSlow: true)
        let pad = try Pad(bytes)
        async let result = Self.pull(pad)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                bytes.started.wait()
                pad.send(gst_event_new_flush_start())
                continuation.resume()
            }
        }
        #expect(await result == GST_FLOW_FLUSHING)
        #expect(pad.pull(100).result == GST_FLOW_FLUSHING)
    }

    private static func pull(_ pad: Pad) async -> GstFlowReturn {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: pad.pull(100).result) }
        }
    }
}
#endif
