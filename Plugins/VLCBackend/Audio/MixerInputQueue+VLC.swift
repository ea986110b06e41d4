#if VLC
import AudioMixer
import CVLC

/// libVLC hands its sound to a source: about a second ahead of its time, in the order in which it is heard.
///
/// `drain` comes as soon as the last sound has been handed out, and once the end has been told, a `flush` that means nothing.
extension MixerInputQueue {
    /// Not to be called while the player plays. The source must outlive it.
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
        // The mixer sees to it; without this libVLC would, a second ahead.
        libvlc_audio_set_volume_callback(player) { _, _, _ in }
        libvlc_audio_set_format_callbacks(
            player,
            { context, format, rate, channels in
                guard let format, let rate, let channels, let source = context?.pointee else { return 1 }
                for (index, byte) in AudioFormat.code.utf8.enumerated() { format[index] = CChar(byte) }
                channels.pointee = UInt32(AudioFormat.channels)
                // libVLC takes no higher one.
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
