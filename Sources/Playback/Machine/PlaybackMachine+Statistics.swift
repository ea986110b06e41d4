import Foundation

// The start-up and the stalls, measured by the times of the inputs.
extension PlaybackMachine {
    /// Called after each input.
    ///
    /// - Parameter state: the state before the input.
    mutating func measure(since state: PlayerState) {
        measureStartup()
        let isWaiting = snapshot.state == .buffer && snapshot.seek.state != .seeking
        if let start = stallStart, !isWaiting {
            snapshot.statistics.stallTime += time(since: start)
            stallStart = nil
        }
        if isWaiting, state == .play {
            snapshot.statistics.stallCount += 1
            stallStart = now
        }
    }

    private mutating func measureStartup() {
        if snapshot.hasStarted, let startRequest, snapshot.statistics.startupTime == nil {
            snapshot.statistics.startupTime = time(since: startRequest)
        }
        let isStarting = snapshot.isOpen && snapshot.shouldPlay && !snapshot.hasStarted
        startRequest = isStarting ? startRequest ?? now : nil
    }

    private func time(since start: Duration) -> Double { max(0, (now - start) / .seconds(1)) }

    mutating func forgetStatistics() {
        snapshot.statistics = PlaybackStatistics()
        (startRequest, stallStart) = (nil, nil)
    }
}
