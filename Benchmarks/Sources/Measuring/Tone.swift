/// A tone whose pitch rises, so that it gives the position in the file. Its phase is continuous.
public enum Tone {
    /// The length of a sweep, in seconds. The next sweep begins at the lowest pitch.
    public static let sweep = 4.0
    /// The pitch at the start of a sweep, in hertz, and its rise, in hertz per second.
    public static let (lowest, climb) = (500.0, 1000.0)

    public enum Channel: Sendable { case left, right, both }

    /// The arguments with which ffmpeg makes the tone.
    ///
    /// - Parameter start: the position in the tone, in seconds.
    public static func input(_ channel: Channel, from start: Double = 0, seconds: Double) -> [String] {
        let time = "mod(t+\(start),\(sweep))"
        let tone = "0.4*sin(2*PI*(\(lowest)*\(time)+\(climb / 2)*\(time)^2))"
        let channels =
            switch channel {
            case .left: "\(tone)|0"
            case .right: "0|\(tone)"
            case .both: "\(tone)|\(tone)"
            }
        return ["-f", "lavfi", "-i", "aevalsrc='\(channels)':c=stereo:s=\(Recording.sampleRate):d=\(seconds)"]
    }
}
