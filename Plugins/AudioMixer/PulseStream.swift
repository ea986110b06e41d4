#if VLC
import CPulse
import Playback

/// A stream to the sound server that the environment names.
///
/// The server asks it to be silent when something more important sounds, and says when that is over. It does so at once: what has
/// been written and not been heard yet is heard afterwards.
// Unchecked: the pointer is only read, the rest is used with the connection's lock.
package final class PulseStream: @unchecked Sendable {
    /// What the server does with the stream. Told on a thread of libpulse's.
    package enum Event: Equatable, Sendable {
        /// Something more important sounds.
        case corked
        /// It sounds no more.
        case uncorked
        /// The stream goes to another device.
        case moved(from: String, to: String)
    }

    /// In seconds: so much of what is written is not heard yet.
    package static let buffer = 0.08

    private let connection: PulseConnection
    private let stream: OpaquePointer
    private let listener: PulseListener
    private var isCancelled = false

    /// `nil` if no server takes it.
    ///
    /// - Parameters:
    ///   - client: the client name that the server shows.
    ///   - role: what the audio is for.
    ///   - told: must not call back.
    package init?(client: String, role: AudioRole, told: @escaping @Sendable (Event) -> Void) {
        guard let connection = PulseConnection(name: client) else { return nil }
        var format = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(AudioFormat.rate), channels: UInt8(AudioFormat.channels))
        let properties = Self.properties(role)
        defer { pa_proplist_free(properties) }
        let stream = connection.locked {
            pa_stream_new_with_proplist(connection.context, "audio stream", &format, nil, properties)
        }
        guard let stream else { return nil }
        (self.connection, self.stream) = (connection, stream)
        listener = PulseListener(stream: stream, loop: connection.loop, told: told)
        let isReady = connection.locked {
            listener.attach()
            return connect()
        }
        if !isReady { return nil }
        // What the server has asked for before there was a stream to ask has not come.
        if connection.locked({ connection.givesWay(pa_stream_get_index(stream)) }) {
            connection.locked(listener.hold)
        }
    }

    deinit {
        connection.locked {
            listener.detach()
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
        let frame = UInt32(MemoryLayout<Float>.size * AudioFormat.channels)
        let size = UInt32(Self.buffer * Double(AudioFormat.rate)) * frame
        let whatever = UInt32.max
        var attributes = pa_buffer_attr(
            maxlength: whatever, tlength: size, prebuf: whatever, minreq: whatever, fragsize: whatever)
        let flags = [PA_STREAM_INTERPOLATE_TIMING, PA_STREAM_ADJUST_LATENCY, PA_STREAM_AUTO_TIMING_UPDATE]
            .reduce(0) { $0 | $1.rawValue }
        let status = pa_stream_connect_playback(stream, nil, &attributes, pa_stream_flags_t(flags), nil, nil)
        guard status >= 0 else { return false }
        while connection.isThere, pa_stream_get_state(stream) == PA_STREAM_CREATING { connection.wait() }
        listener.begin()
        return isThere
    }

    private var isThere: Bool { connection.isThere && pa_stream_get_state(stream) == PA_STREAM_READY }

    /// Whether the server has asked for silence.
    package var isCorked: Bool { connection.locked { pa_stream_is_corked(stream) == 1 } }

    // MARK: What is asked of it. From any thread

    private func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    /// Sounds although it was asked to be silent.
    package func override() {
        connection.locked {
            release(pa_stream_cork(stream, 0, nil, nil))
            // The server has muted it meanwhile, and does not take that back by itself.
            release(pa_context_set_sink_input_mute(connection.context, pa_stream_get_index(stream), 0, nil, nil))
        }
    }

    /// The sound is for something else now.
    package func setRole(_ role: AudioRole) {
        let properties = Self.properties(role)
        defer { pa_proplist_free(properties) }
        connection.locked { release(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, properties, nil, nil)) }
    }

    /// Lets nobody wait any more who writes.
    package func cancel() {
        connection.locked {
            isCancelled = true
            connection.signal()
        }
    }

    /// In microseconds: after so long it is heard what is written now.
    package var latency: Int64 {
        connection.locked {
            var (time, isNegative) = (pa_usec_t(0), Int32(0))
            while isThere, !isCancelled {
                let status = pa_stream_get_latency(stream, &time, &isNegative)
                if status >= 0 { return isNegative != 0 ? 0 : Int64(clamping: time) }
                guard status == -Int32(PA_ERR_NODATA.rawValue), pa_stream_is_corked(stream) == 0 else { return 0 }
                connection.wait()
            }
            return 0
        }
    }

    /// Returns when there is room for the next chunk: not while the stream has to be silent.
    ///
    /// - Returns: whether the server is still there.
    package func write(_ chunk: [Float]) -> Bool {
        chunk.withUnsafeBytes { bytes in
            connection.locked {
                var rest = bytes[...]
                while !rest.isEmpty {
                    guard isThere, !isCancelled else { return false }
                    let room = min(pa_stream_writable_size(stream), rest.count)
                    guard room > 0 else {
                        connection.wait()
                        continue
                    }
                    let part = UnsafeRawBufferPointer(rebasing: rest.prefix(room))
                    guard pa_stream_write(stream, part.baseAddress, room, nil, 0, PA_SEEK_RELATIVE) >= 0 else {
                        return false
                    }
                    rest = rest.dropFirst(room)
                }
                return true
            }
        }
    }
}
#endif
