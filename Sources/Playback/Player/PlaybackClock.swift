/// The clock of playback.
///
/// A player reads positions off this clock and waits by it, so a test can control the time.
public protocol PlaybackClock: Clock<Duration> {
    /// The time since a zero that is the same for everything that uses this clock. Never runs backwards.
    var hostTime: Duration { get }
    /// Calls an action on the main actor at a time, unless the token is cancelled before.
    @MainActor func schedule(at time: Duration, _ action: @escaping @MainActor @Sendable () -> Void) -> ObservationToken
}

extension PlaybackClock {
    @MainActor
    public func schedule(
        at time: Duration, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> ObservationToken {
        let task = Task { @MainActor in
            try await sleep(for: max(.zero, time - hostTime))
            if !Task.isCancelled { action() }
        }
        return ObservationToken { task.cancel() }
    }
}

extension ContinuousClock: PlaybackClock {
    private static let zero = ContinuousClock.now

    public var hostTime: Duration { Self.zero.duration(to: now) }
}

extension Duration {
    /// This duration in seconds, to the precision of a `Double`.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
