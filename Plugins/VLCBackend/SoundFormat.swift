/// The sound between libVLC's players and the sound server: the one that libVLC 3 hands out to callbacks.
enum SoundFormat {
    /// What libVLC calls samples of 16 bits, whatever else it is asked for.
    static let code = "S16N"
    static let rate = 48000
    static let channels = 2

    /// In seconds.
    static func seconds(_ frames: Int) -> Double { Double(frames) / Double(rate) }

    /// The frames of so many microseconds.
    static func frames(_ microseconds: Int64) -> Int { Int(microseconds) * rate / 1_000_000 }

    /// In microseconds.
    static func microseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000 / Int64(rate) }
}
