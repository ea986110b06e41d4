#if VLC || GStreamer
import CPulse
import Playback
import Synchronization

/// A playback stream of the server that the environment names.
///
/// If a more important stream starts, the server asks this one to cork itself, and later to uncork. Both take effect at
/// once: audio that was written and not heard is heard after the uncork.
package final class PulseStream: Sendable {
    /// A change that the server made. Sent on a thread of libpulse.
    package enum Event: Equatable, Sendable {
        /// A more important stream has started.
        case corked
        case uncorked
        /// The server moved the stream to another device.
        case moved(from: String, to: String)
    }

    enum Readiness {
        /// The server has disconnected.
        case closed
        /// The stream has no room, is corked, or does not know its latency. It calls `wake` when that changes.
        case busy
        /// The time until a frame that is written now is heard, in microseconds.
        case ready(latency: Int64)
    }

    /// The duration of the audio that the stream buffers, in seconds.
    package static let buffer = 0.08
    private static let frameSize = MemoryLayout<Float>.size * AudioFormat.channels

    private let connection: PulseConnection
    // Unsafe: the pointer never changes, and the connection's lock guards the stream.
    nonisolated(unsafe) private let stream: OpaquePointer
    private let receive: @Sendable (Event) -> Void
    private let wake: @Sendable () -> Void
    private let device = Mutex<String?>(nil)

    /// Connects, and returns `nil` if no server accepts the stream.
    ///
    /// - Parameters:
    ///   - client: the client name that the server shows.
    ///   - role: the purpose of the audio.
    ///   - receive: called on a thread of libpulse with each event. It must not call the stream.
    ///   - wake: called on a thread of libpulse when `readiness` may have changed. It must not call the stream.
    package init?(
        client: String, role: AudioRole, receive: @escaping @Sendable (Event) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        guard let connection = PulseConnection(name: client) else { return nil }
        var format = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(AudioFormat.rate), channels: UInt8(AudioFormat.channels))
        let properties = Self.properties(role)
        defer { pa_proplist_free(properties) }
        let stream = connection.locked {
            pa_stream_new_with_proplist(connection.context, "audio stream", &format, nil, properties)
        }
        guard let stream else { return nil }
        self.connection = connection
        self.stream = stream
        self.receive = receive
        self.wake = wake
        let isReady = connection.locked {
            setCallbacks(self)
            guard connect() else { return false }
            // The server sends no cork request to a stream that it mutes from the start.
            if connection.silences(stream: pa_stream_get_index(stream)) { setCorked(true) }
            return true
        }
        if !isReady { return nil }
    }

    deinit {
        connection.locked {
            setCallbacks(nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
    }

    private static func properties(_ role: AudioRole) -> OpaquePointer? {
        let properties = pa_proplist_new()
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, role.rawValue)
        return properties
    }

    private func connect() -> Bool {
        let size = UInt32(Self.buffer * Double(AudioFormat.rate)) * UInt32(Self.frameSize)
        let serverDefault = UInt32.max
        var attributes = pa_buffer_attr(
            maxlength: serverDefault, tlength: size, prebuf: serverDefault, minreq: serverDefault,
            fragsize: serverDefault)
        let flags = [PA_STREAM_INTERPOLATE_TIMING, PA_STREAM_ADJUST_LATENCY, PA_STREAM_AUTO_TIMING_UPDATE]
            .reduce(0) { $0 | $1.rawValue }
        let status = pa_stream_connect_playback(stream, nil, &attributes, pa_stream_flags_t(flags), nil, nil)
        guard status >= 0 else { return false }
        while connection.isReady, pa_stream_get_state(stream) == PA_STREAM_CREATING { connection.wait() }
        updateDevice()
        return isReady
    }

    private var isReady: Bool { connection.isReady && pa_stream_get_state(stream) == PA_STREAM_READY }

    // MARK: From any thread

    /// `true` while the server asks for silence.
    package var isCorked: Bool { connection.locked { pa_stream_is_corked(stream) == 1 } }

    /// Plays although the server asked for silence.
    func override() {
        connection.locked {
            release(pa_stream_cork(stream, 0, nil, nil))
            // The server has muted the stream, and does not unmute it.
            release(pa_context_set_sink_input_mute(connection.context, pa_stream_get_index(stream), 0, nil, nil))
        }
    }

    func setRole(_ role: AudioRole) {
        let properties = Self.properties(role)
        defer { pa_proplist_free(properties) }
        connection.locked { release(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, properties, nil, nil)) }
    }

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    func readiness(for frames: Int) -> Readiness {
        connection.locked {
            guard isReady else { return .closed }
            guard pa_stream_writable_size(stream) >= frames * Self.frameSize else { return .busy }
            var time = pa_usec_t(0)
            var isNegative: Int32 = 0
            let status = pa_stream_get_latency(stream, &time, &isNegative)
            if status >= 0 { return .ready(latency: isNegative != 0 ? 0 : Int64(clamping: time)) }
            let isUnknown = status == -Int32(PA_ERR_NODATA.rawValue) && pa_stream_is_corked(stream) == 0
            return isUnknown ? .busy : .ready(latency: 0)
        }
    }

    /// Writes a chunk, for which the stream must be ready.
    func write(_ chunk: [Float]) {
        _ = chunk.withUnsafeBytes { bytes in
            connection.locked {
                pa_stream_write(stream, bytes.baseAddress, bytes.count, nil, 0, PA_SEEK_RELATIVE)
            }
        }
    }

    // MARK: Callbacks, under the lock

    /// - Parameter listener: `nil` to detach. A callback that waits for the lock meanwhile finds none.
    private func setCallbacks(_ listener: PulseStream?) {
        let context = listener.map { Unmanaged.passUnretained($0).toOpaque() }
        pa_stream_set_state_callback(stream, { PulseStream.of($1)?.signal() }, context)
        pa_stream_set_write_callback(stream, { PulseStream.of($2)?.signal() }, context)
        pa_stream_set_latency_update_callback(stream, { PulseStream.of($1)?.signal() }, context)
        pa_stream_set_event_callback(stream, { PulseStream.of($3)?.handle($1) }, context)
        pa_stream_set_moved_callback(stream, { PulseStream.of($1)?.moved() }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> PulseStream? {
        context.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func signal() {
        connection.signal()
        wake()
    }

    private func handle(_ event: UnsafePointer<CChar>?) {
        switch event.map({ String(cString: $0) }) {
        case PA_STREAM_EVENT_REQUEST_CORK: setCorked(true)
        case PA_STREAM_EVENT_REQUEST_UNCORK: setCorked(false)
        default: break
        }
    }

    private func setCorked(_ isCorked: Bool) {
        release(pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil))
        receive(isCorked ? .corked : .uncorked)
    }

    private func moved() {
        let old = device.withLock { $0 }
        updateDevice()
        if let old, let new = device.withLock({ $0 }), old != new { receive(.moved(from: old, to: new)) }
    }

    private func updateDevice() {
        let name = pa_stream_get_device_name(stream).map { String(cString: $0) }
        device.withLock { $0 = name }
    }
}
#endif
