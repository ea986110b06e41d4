/// A tone that climbs, so that its pitch tells the position in the medium. Its phase makes no leap.
public enum Tone {
    /// Seconds in which it climbs, to begin again from below.
    public static let sweep = 4.0
    /// In hertz: at the beginning of a sweep, and so many more after each second.
    public static let (lowest, climb) = (500.0, 1000.0)

    public enum Channel: Sendable { case left, right, both }

    /// What makes ffmpeg give the tone.
    ///
    /// - Parameter start: where in the tone to begin, in seconds.
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

/// Something without which there is nothing to measure.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
