import FlowplayerSDK
import Metrics
import Playback

/// Publishes the difference between the statistics of an item and those that it has published before.
@MainActor
final class StatisticsPublisher {
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private var metrics: [PlaybackType: PlaybackMetricSet] = [:]
    private var published = PlaybackStatistics()
    /// The number of the item that `published` belongs to; `nil` if there is none.
    private var item: Int?
    /// The metrics that show the bit rates of the item.
    private var shown: PlaybackMetricSet?

    init(dimensions: [(String, String)], factory: any MetricsFactory) {
        self.dimensions = dimensions
        self.factory = factory
    }

    func publish(_ snapshot: PlayerSnapshot) {
        if snapshot.item?.number != item {
            endItem()
            item = snapshot.item?.number
        }
        let statistics = snapshot.statistics
        guard statistics != published else { return }
        let metrics = metrics(for: snapshot.playbackType)
        if metrics !== shown { shown?.show(PlaybackStatistics()) }
        metrics.add(statistics, since: published)
        metrics.show(statistics)
        (published, shown) = (statistics, metrics)
    }

    /// The figures of the next item start again, and no bit rate is shown until then.
    func endItem() {
        shown?.show(PlaybackStatistics())
        (published, item, shown) = (PlaybackStatistics(), nil, nil)
    }

    private func metrics(for type: PlaybackType) -> PlaybackMetricSet {
        if let known = metrics[type] { return known }
        let new = PlaybackMetricSet(dimensions: dimensions + [("type", type.rawValue)], factory: factory)
        metrics[type] = new
        return new
    }
}

extension StatisticsPublisher: PlayerPlugin {
    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        publish(snapshot)
    }

    func detach() { endItem() }
}

/// The metrics of one type of items. The names follow the conventions of Prometheus.
@MainActor
final class PlaybackMetricSet {
    private let startup: Timer
    private let stalls, bytes, droppedFrames, retries: Counter
    private let stallTime: FloatingPointCounter
    private let indicatedBitRate, observedBitRate: Meter

    init(dimensions: [(String, String)], factory: any MetricsFactory) {
        func counter(_ label: String) -> Counter { Counter(label: label, dimensions: dimensions, factory: factory) }
        func meter(_ label: String) -> Meter { Meter(label: label, dimensions: dimensions, factory: factory) }
        startup = Timer(label: "playback_startup_seconds", dimensions: dimensions, factory: factory)
        stalls = counter("playback_stalls_total")
        stallTime = FloatingPointCounter(
            label: "playback_stall_seconds_total", dimensions: dimensions, factory: factory)
        bytes = counter("playback_received_bytes_total")
        droppedFrames = counter("playback_dropped_frames_total")
        retries = counter("playback_retries_total")
        indicatedBitRate = meter("playback_indicated_bits_per_second")
        observedBitRate = meter("playback_observed_bits_per_second")
    }

    func add(_ new: PlaybackStatistics, since old: PlaybackStatistics) {
        if let time = new.startupTime, old.startupTime == nil { startup.recordSeconds(time) }
        stalls.increment(by: new.stallCount - old.stallCount)
        stallTime.increment(by: new.stallTime - old.stallTime)
        bytes.increment(by: new.bytesReceived - old.bytesReceived)
        droppedFrames.increment(by: new.droppedFrames - old.droppedFrames)
        retries.increment(by: new.retries - old.retries)
    }

    /// Shows the bit rates, 0 if there is none.
    func show(_ statistics: PlaybackStatistics) {
        indicatedBitRate.set(statistics.indicatedBitRate ?? 0)
        observedBitRate.set(statistics.observedBitRate ?? 0)
    }
}
