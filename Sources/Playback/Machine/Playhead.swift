/// Where playback is in the medium, between the points that an engine tells.
///
/// Never runs backwards but by `jump`, never past `limit`, and no further on its own than an engine can be silent for while
/// all is well.
public struct Playhead: Codable, Hashable, Sendable {
    /// The position in seconds that was true at `hostTime`.
    public private(set) var anchor: Double
    /// When it was at `anchor`, by the player's clock.
    public private(set) var hostTime: Duration
    /// Media seconds a second.
    public private(set) var rate: Double
    /// Whether it moves with the clock.
    public private(set) var isAdvancing: Bool
    /// What was shown last: later positions are not before it.
    private var floor: Double
    /// An engine that has told nothing for so long is not believed to run.
    package static let longestSilence = Duration.seconds(1.5)
    /// The duration, or `nil` where there is no end.
    public private(set) var limit: Double?

    /// A playhead that stands. Positions are in seconds.
    public init(position: Double = 0, hostTime: Duration = .zero, rate: Double = 1, limit: Double? = nil) {
        anchor = position
        floor = position
        self.hostTime = hostTime
        self.rate = rate
        self.limit = limit
        isAdvancing = false
    }

    /// The position in seconds at a time not before `hostTime`.
    public func position(at time: Duration) -> Double {
        let silence = min(max(.zero, time - hostTime), Self.longestSilence)
        let elapsed = isAdvancing ? silence.inSeconds : 0
        return bounded(max(floor, anchor + elapsed * rate))
    }

    /// The engine tells where it is. A point behind what was shown makes the playhead wait, not step back.
    package mutating func sync(to position: Double, at time: Duration) {
        guard position.isFinite else { return }
        moveAnchor(to: position, at: time, notBefore: self.position(at: time))
    }

    /// Goes to a position, forwards or backwards.
    package mutating func jump(to position: Double, at time: Duration) {
        moveAnchor(to: position, at: time, notBefore: bounded(position))
    }

    package mutating func advance(at time: Duration) {
        jump(to: position(at: time), at: time)
        isAdvancing = true
    }

    package mutating func stand(at time: Duration) {
        jump(to: position(at: time), at: time)
        isAdvancing = false
    }

    package mutating func setRate(_ rate: Double, at time: Duration) {
        jump(to: position(at: time), at: time)
        self.rate = rate
    }

    package mutating func setLimit(_ limit: Double?) {
        self.limit = limit
        floor = bounded(floor)
    }

    private mutating func moveAnchor(to position: Double, at time: Duration, notBefore floor: Double) {
        anchor = bounded(position)
        self.floor = floor
        hostTime = time
    }

    private func bounded(_ position: Double) -> Double { max(0, min(position, limit ?? .infinity)) }
}
