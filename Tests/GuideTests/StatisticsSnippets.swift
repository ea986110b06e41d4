import FlowplayerSDK
import PlaybackMetrics

// The code of the guide to statistics, word for word.

@MainActor
func printFigures(of view: FlowplayerView) {
    let statistics = view.statistics
    print(statistics.startupTime ?? 0, statistics.stallCount, statistics.bytesReceived)
}

@MainActor
func printBuffer(of view: FlowplayerView) -> ObservationToken {
    let token = view.observe(\.bufferedRanges) { _, ranges in
        print("received up to", ranges.last?.upperBound ?? 0)
    }
    return token
}

@MainActor
final class LobbyScreen {
    private let view = FlowplayerView()
    private let metrics: PlayerMetrics

    init() {
        metrics = PlayerMetrics(of: view, dimensions: [("screen", "lobby")])
    }

    func leave() {
        metrics.close()
    }
}
