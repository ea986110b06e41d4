/// The format of the audio that the mixer writes: 32-bit float samples, left and right.
///
/// Engines push 16-bit samples with the same number of channels, at any rate.
package enum AudioFormat {
    /// In hertz.
    package static let rate = 48000
    package static let channels = 2

    /// The duration of a number of frames, in seconds.
    static func seconds(_ frames: Int) -> Double { Double(frames) / Double(rate) }

    /// The number of frames in a time.
    static func frames(_ microseconds: Int64) -> Int { Int(microseconds) * rate / 1_000_000 }

    /// The duration of a number of frames, in microseconds.
    static func microseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000 / Int64(rate) }
}
