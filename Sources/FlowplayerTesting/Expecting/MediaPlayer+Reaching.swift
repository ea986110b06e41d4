import Playback

extension MediaPlayer {
    /// Waits until the player has a state, be it for a moment only.
    ///
    /// A `ManualClock` is moved to that moment; with any other clock, real time passes.
    ///
    /// - Parameter bound: how long to wait at most, by the player's clock. By default ten seconds of a `ManualClock`, or two minutes of
    ///   real time.
    /// - Returns: `true` at once if it is the state now; `false` if it did not come within the bound.
    public func reaches(_ state: PlayerState, within bound: Duration? = nil) async -> Bool {
        if snapshot.state == state { return true }
        let isReached = Flag()
        let token = observe { event, _ in if event == .state(state) { isReached.raise() } }
        defer { token.cancel() }
        let bound = bound ?? (clock is ManualClock ? .seconds(10) : .seconds(120))
        return await isReached.wait(upTo: bound, by: clock)
    }
}
