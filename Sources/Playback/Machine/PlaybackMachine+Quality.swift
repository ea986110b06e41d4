// The selection of a quality.
extension PlaybackMachine {
    mutating func selectQuality(_ quality: VideoQuality?) {
        warnIfMissing(.qualitySelection, "This backend cannot select a quality: it chooses one automatically.")
        guard capabilities.can(.qualitySelection) else { return }
        let isKnown = quality.map { snapshot.qualities.contains($0) } ?? true
        // Before the item is open, the selection is a part of its opening.
        guard isKnown || !snapshot.isReady else { return warnAboutQuality() }
        guard snapshot.selectedQuality != quality else { return }
        snapshot.selectedQuality = quality
        if snapshot.isOpenInEngine { send(.selectQuality(snapshot.generation, quality)) }
    }

    /// The engine knows the qualities of the item. A selection from before may not be among them.
    mutating func qualitiesKnown(_ qualities: [VideoQuality]) {
        snapshot.qualities = qualities
        guard let selected = snapshot.selectedQuality, !qualities.contains(selected) else { return }
        snapshot.selectedQuality = nil
        warnAboutQuality()
    }

    private mutating func warnAboutQuality() { warn("noSuchQuality", "The item does not have the selected quality.") }
}
