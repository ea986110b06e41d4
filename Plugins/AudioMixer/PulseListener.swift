#if VLC
import CPulse

/// What libpulse calls when the server does something with a stream. It has no part in keeping the stream alive.
// Unchecked: all of it is used with the connection's lock.
package final class PulseListener: @unchecked Sendable {
    private let stream: OpaquePointer
    private let loop: OpaquePointer
    private let told: @Sendable (PulseStream.Event) -> Void
    private var device: String?

    package init(stream: OpaquePointer, loop: OpaquePointer, told: @escaping @Sendable (PulseStream.Event) -> Void) {
        self.stream = stream
        self.loop = loop
        self.told = told
    }

    package func attach() {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { PulseListener.at($1)?.signal() }, pointer)
        pa_stream_set_write_callback(stream, { PulseListener.at($2)?.signal() }, pointer)
        pa_stream_set_latency_update_callback(stream, { PulseListener.at($1)?.signal() }, pointer)
        pa_stream_set_event_callback(
            stream, { PulseListener.at($3)?.asked($1.map { String(cString: $0) }) }, pointer)
        pa_stream_set_moved_callback(stream, { PulseListener.at($1)?.moved() }, pointer)
    }

    package func detach() {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_set_event_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
    }

    /// The stream is there.
    package func begin() { device = currentDevice }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseListener? {
        pointer.map { Unmanaged<PulseListener>.fromOpaque($0).takeUnretainedValue() }
    }

    private func signal() { pa_threaded_mainloop_signal(loop, 0) }

    private func asked(_ name: String?) {
        switch name {
        case PA_STREAM_EVENT_REQUEST_CORK: hold()
        case PA_STREAM_EVENT_REQUEST_UNCORK:
            cork(false)
            told(.uncorked)
        default: break
        }
    }

    /// Something more important sounds.
    package func hold() {
        cork(true)
        told(.corked)
    }

    private func cork(_ isCorked: Bool) {
        if let operation = pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil) { pa_operation_unref(operation) }
    }

    private func moved() {
        let before = device
        device = currentDevice
        if let before, let device, before != device { told(.moved(from: before, to: device)) }
    }

    private var currentDevice: String? { pa_stream_get_device_name(stream).map { String(cString: $0) } }
}
#endif
