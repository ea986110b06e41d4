/// The events of an item that may be preloaded while another one plays.
///
/// A preloaded item reports only that it can be played, or not. Its other events are kept until it is opened.
package struct PreloadedEvents {
    /// `true` until the item is opened.
    package private(set) var isPreloaded: Bool
    private var kept: [(body: BackendEvent.Body, time: Duration)] = []
    private var hasReportedPrepared = false

    package init(isPreloaded: Bool) { self.isPreloaded = isPreloaded }

    /// Takes an event of the item.
    ///
    /// - Returns: the event to send; `nil` if there is none now.
    package mutating func take(_ body: BackendEvent.Body, at time: Duration) -> BackendEvent.Body? {
        guard isPreloaded else { return body }
        switch body {
        case .failed, .addressRefused, .closed: return body
        case .opened:
            kept.append((body, time))
            // The item is opened again after `restart`.
            defer { hasReportedPrepared = true }
            return hasReportedPrepared ? nil : .prepared
        default:
            kept.append((body, time))
            return nil
        }
    }

    /// The item is opened.
    ///
    /// - Returns: the events to send now, with their times.
    package mutating func open() -> [(body: BackendEvent.Body, time: Duration)] {
        isPreloaded = false
        defer { kept = [] }
        return kept
    }

    /// The item has started too early, and returns to its start.
    package mutating func restart() { kept = [] }
}
