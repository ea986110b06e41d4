/// The part of a live stream that can be played: it moves on while the stream does.
public struct DVRWindow: Codable, Hashable, Sendable {
    /// The earliest position to seek to, in seconds.
    public let start: Double
    /// The live edge, in seconds.
    public let end: Double

    /// Both in seconds, on the same axis as positions. An end before the start is taken for the start.
    public init(start: Double, end: Double) {
        self.start = start
        self.end = max(start, end)
    }

    /// How much can be played, in seconds.
    public var availableLength: Double { end - start }
}
