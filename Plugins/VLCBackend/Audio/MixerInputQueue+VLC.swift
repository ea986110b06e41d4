#if VLC
import AudioMixer
import CVLC

/// Connects libVLC's audio callbacks with an input of the mixer.
///
/// libVLC delivers the audio in order, about a second ahead of its time. It calls `drain` after the last block, and
/// `flush` once more after its end event, without a meaning.
extension MixerInputQueue {
    /// Call it before the player plays. The input must outlive the player.
    func attach(to player: OpaquePointer) {
        libvlc_audio_set_callbacks(
            player,
            { context, samples, count, time in
                guard let samples, let context else { return }
                let buffer = UnsafeBufferPointer(
                    start: samples.assumingMemoryBound(to: Int16.self), count: Int(count) * AudioFormat.channels)
                MixerInputQueue.of(context).push(buffer, at: time)
            }, nil, nil,
            { context, _ in if let context { MixerInputQueue.of(context).flush() } },
            { context in if let context { MixerInputQueue.of(context).drain() } },
            Unmanaged.passUnretained(self).toOpaque())
        // The mixer applies the volume. libVLC would apply it a second ahead.
        libvlc_audio_set_volume_callback(player) { _, _, _ in }
        libvlc_audio_set_format_callbacks(
            player,
            { context, format, rate, channels in
                guard let format, let rate, let channels, let source = context?.pointee else { return 1 }
                for (index, byte) in AudioFormat.code.utf8.enumerated() { format[index] = CChar(byte) }
                channels.pointee = UInt32(AudioFormat.channels)
                // libVLC accepts no higher rate.
                rate.pointee = min(rate.pointee, 192_000)
                MixerInputQueue.of(source).begin(rate: Int(rate.pointee))
                return 0
            }, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> MixerInputQueue {
        Unmanaged<MixerInputQueue>.fromOpaque(context).takeUnretainedValue()
    }
}
#endif
