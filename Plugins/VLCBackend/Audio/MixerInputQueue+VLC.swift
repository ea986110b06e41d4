#if VLC
import AudioMixer
import CVLC

/// The audio callbacks of libVLC.
///
/// libVLC hands out audio about one second ahead of its time, in order. `drain` comes after the last block. After the
/// end of the item libVLC calls `flush`, which has no meaning then.
extension MixerInputQueue {
    /// libVLC's name for 16-bit samples. Its callbacks deliver no other format.
    private static let sampleFormat = "S16N"
    /// The highest rate that libVLC accepts, in hertz.
    private static let highestRate: UInt32 = 192_000

    /// Sends a player's audio to this input. Call it before playback starts. The input must outlive the player.
    func attach(to player: OpaquePointer) {
        libvlc_audio_set_callbacks(
            player,
            { context, samples, count, time in
                guard let samples else { return }
                let block = UnsafeBufferPointer(
                    start: samples.assumingMemoryBound(to: Int16.self), count: Int(count) * AudioFormat.channels)
                MixerInputQueue.of(context)?.push(block, at: time)
            }, nil, nil,
            { context, _ in MixerInputQueue.of(context)?.flush() },
            { context in MixerInputQueue.of(context)?.drain() },
            Unmanaged.passUnretained(self).toOpaque())
        // Without this callback libVLC applies the volume, one second ahead.
        libvlc_audio_set_volume_callback(player) { _, _, _ in }
        libvlc_audio_set_format_callbacks(
            player,
            { context, format, rate, channels in
                guard let format, let rate, let channels, let input = MixerInputQueue.of(context?.pointee) else {
                    return 1
                }
                for (index, byte) in MixerInputQueue.sampleFormat.utf8.enumerated() { format[index] = CChar(byte) }
                channels.pointee = UInt32(AudioFormat.channels)
                rate.pointee = min(rate.pointee, MixerInputQueue.highestRate)
                input.begin(rate: Int(rate.pointee))
                return 0
            }, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MixerInputQueue? {
        context.map { Unmanaged<MixerInputQueue>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
