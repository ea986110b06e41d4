import FlowplayerSDK
import Metrics
import Playback

/// Publishes the statistics of a player through swift-metrics.
///
/// ```swift
/// let metrics = PlayerMetrics(of: view)
/// ```
///
/// The figures of an item count from its load, and are published with the events of the player. Each metric has the dimension
/// `type`: `file`, `vod` or `live`. No metric contains an address. Keep the object: its release closes it.
@preconcurrency @MainActor
public final class PlayerMetrics {
    private let publisher: StatisticsPublisher
    private let token: ObservationToken

    /// Publishes the statistics of a view or a manager, until `close()`.
    ///
    /// - Parameters:
    ///   - player: the view or the manager. If its player is replaced, the metrics follow the new one.
    ///   - dimensions: added to each metric. Two players with the same dimensions share their metrics.
    ///   - factory: the metrics backend; that of the process by default, which the program sets with
    ///     `MetricsSystem.bootstrap` before.
    public init(
        of player: any FlowplayerAPI, dimensions: [(String, String)] = [],
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        let publisher = StatisticsPublisher(dimensions: dimensions, factory: factory)
        self.publisher = publisher
        token = player.attach(publisher)
    }

    /// Publishes the statistics of a player without a view, until `close()`.
    ///
    /// - Parameters:
    ///   - player: the player.
    ///   - dimensions: added to each metric. Two players with the same dimensions share their metrics.
    ///   - factory: the metrics backend; that of the process by default, which the program sets with
    ///     `MetricsSystem.bootstrap` before.
    public init(
        of player: MediaPlayer, dimensions: [(String, String)] = [],
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        let publisher = StatisticsPublisher(dimensions: dimensions, factory: factory)
        self.publisher = publisher
        token = player.observe { publisher.publish($1) }
    }

    isolated deinit { close() }

    /// Stops publishing. The bit rates are 0 then, and the counters keep their values. Closing twice is harmless.
    public func close() {
        token.cancel()
        publisher.endItem()
    }
}
