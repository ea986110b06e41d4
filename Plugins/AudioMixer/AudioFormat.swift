/// The sound between libVLC's players and the sound server: the one that libVLC 3 hands out to callbacks.
package enum AudioFormat {
    /// What libVLC calls samples of 16 bits, whatever else it is asked for.
    package static let code = "S16N"
    package static let rate = 48000
    package static let channels = 2

    /// In seconds.
    package static func seconds(_ frames: Int) -> Double { Double(frames) / Double(rate) }

    /// The frames of so many microseconds.
    package static func frames(_ microseconds: Int64) -> Int { Int(microseconds) * rate / 1_000_000 }

    /// In microseconds.
    package static func microseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000 / Int64(rate) }
}
