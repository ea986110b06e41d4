// The parts of the item that the engine has received.
extension PlayerSnapshot {
    /// The parts of the item that the engine has received, in seconds: sorted, disjoint, and within `0...duration`.
    ///
    /// A local file is one range. Empty while the item is opened, after a failure, and if the backend does not report
    /// them. For a file from a server the range is an estimate: the share of the rest of the bytes that has arrived is
    /// taken for the share of the rest of the duration. For HLS it consists of the segments that were received. After a
    /// seek the range is around the new position.
    public var bufferedRanges: [ClosedRange<Double>] {
        guard isReady else { return [] }
        if bufferLevel.isWhole, let duration { return [0...duration] }
        return reportedRanges.normalized(in: 0...(duration ?? .infinity))
    }

    /// `true` if something besides the position and the statistics differs, so that observers are called without an event.
    func hasSilentChange(since old: PlayerSnapshot) -> Bool {
        var old = old
        (old.playhead, old.statistics) = (playhead, statistics)
        return self != old
    }
}

extension [ClosedRange<Double>] {
    /// The ranges within the bounds: sorted and joined, without those that are not finite.
    fileprivate func normalized(in bounds: ClosedRange<Double>) -> Self {
        let valid = filter { $0.lowerBound.isFinite && $0.upperBound.isFinite && $0.overlaps(bounds) }
        let sorted = valid.map { $0.clamped(to: bounds) }.sorted { $0.lowerBound < $1.lowerBound }
        return sorted.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
    }
}
