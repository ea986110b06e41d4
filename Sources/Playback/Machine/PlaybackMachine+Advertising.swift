// Advertisements: the holds at the start and at the end of an item, and their events.
extension PlaybackMachine {
    mutating func suppressEnd(_ reason: SuppressionReason?) {
        guard snapshot.isOpen else { return }
        snapshot.endSuppression = reason
        // A preloaded item would start at the end of this one.
        if reason != nil { prepare(nil) }
    }

    mutating func unsuppress(_ reason: SuppressionReason) {
        let wasHeldAtEnd = snapshot.isHeldAtEnd
        guard wasHeldAtEnd, reason == snapshot.endSuppression else { return changeIntent { $0.holds.remove(reason) } }
        snapshot.holds.remove(reason)
        snapshot.endSuppression = nil
        finish(.ended)
    }

    mutating func setAdBreaks(_ breaks: [ClosedRange<Double>]) {
        guard snapshot.item != nil else { return }
        let finite = breaks.filter { $0.lowerBound.isFinite && $0.upperBound.isFinite && $0.lowerBound >= 0 }
        snapshot.adBreaks = finite.sorted { $0.lowerBound < $1.lowerBound }
    }

    mutating func report(_ event: AdEvent) {
        snapshot.adEvent = .init(number: (snapshot.adEvent?.number ?? 0) + 1, event: event)
    }

    mutating func forgetAdvertisements() {
        snapshot.advertisement = nil
        snapshot.adBreaks = []
        snapshot.hasShownAdvertisement = false
        snapshot.endSuppression = nil
    }
}
