#if VLC
    import CPulse
    import CVLC

    /// A stream to the sound server that the environment names.
    final class PulseStream {
        /// In seconds: so much of what is written is not heard yet.
        static let buffer = 0.08

        private let stream: OpaquePointer

        /// `nil` if no server takes it.
        init?() {
            var format = pa_sample_spec(
                format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundFormat.rate), channels: UInt8(SoundFormat.channels))
            let frame = UInt32(MemoryLayout<Float>.size * SoundFormat.channels)
            let size = UInt32(Self.buffer * Double(SoundFormat.rate)) * frame
            let whatever = UInt32.max
            var attributes = pa_buffer_attr(
                maxlength: whatever, tlength: size, prebuf: whatever, minreq: whatever, fragsize: whatever)
            // As libVLC calls itself: one program for whoever sets its volume.
            let version = libvlc_get_version().map { String(cString: $0) } ?? "3"
            let name = "VLC media player (LibVLC \(version.prefix { $0 != " " }))"
            let stream = pa_simple_new(
                nil, name, PA_STREAM_PLAYBACK, nil, "audio stream", &format, nil, &attributes, nil)
            guard let stream else { return nil }
            self.stream = stream
        }

        deinit { pa_simple_free(stream) }

        /// In microseconds: after so long it is heard what is written now.
        var latency: Int64 { Int64(clamping: pa_simple_get_latency(stream, nil)) }

        /// Returns when there is room for the next chunk.
        ///
        /// - Returns: whether the server is still there.
        func write(_ chunk: [Float]) -> Bool {
            chunk.withUnsafeBytes { pa_simple_write(stream, $0.baseAddress, $0.count, nil) } >= 0
        }
    }
#endif
