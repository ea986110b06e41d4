/// The position of playback, between the points that an engine reports.
///
/// It never runs backwards except by `jump`, and never past `limit`. Without reports it runs no longer than a working
/// engine may be silent.
public struct Playhead: Codable, Hashable, Sendable {
    /// The position in seconds that was true at `hostTime`.
    public private(set) var anchor: Double
    /// The time of `anchor`, by the player's clock.
    public private(set) var hostTime: Duration
    /// Media seconds a second.
    public private(set) var rate: Double
    /// `true` if it moves with the clock.
    public private(set) var isAdvancing: Bool
    /// The last shown position. Later positions are not before it.
    private var floor: Double
    /// The longest time without a report after which the playhead still runs.
    package static let reportTimeout = Duration.seconds(1.5)
    /// The duration, or `nil` where there is no end.
    public private(set) var limit: Double?

    /// A paused playhead. Positions are in seconds.
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
        let silence = min(max(.zero, time - hostTime), Self.reportTimeout)
        let elapsed = isAdvancing ? silence.inSeconds : 0
        return bounded(max(floor, anchor + elapsed * rate))
    }

    /// The time at which it comes to a position ahead, if nothing changes meanwhile.
    package func hostTime(of position: Double) -> Duration {
        hostTime + .seconds((position - anchor) / rate) + .nanoseconds(1)
    }

    /// Takes a position from the engine. If it is behind the shown one, the playhead waits instead of stepping back.
    package mutating func sync(to position: Double, at time: Duration) {
        guard position.isFinite else { return }
        let shown = self.position(at: time)
        jump(to: position, at: time)
        floor = shown
    }

    /// Goes to a position, forwards or backwards.
    package mutating func jump(to position: Double, at time: Duration) {
        anchor = bounded(position)
        floor = anchor
        hostTime = time
    }

    package mutating func advance(at time: Duration) {
        jump(to: position(at: time), at: time)
        isAdvancing = true
    }

    package mutating func pause(at time: Duration) {
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

    private func bounded(_ position: Double) -> Double { max(0, min(position, limit ?? .infinity)) }
}
