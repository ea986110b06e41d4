import Playback

/// Chooses the variants of a stream that may be played: by the limits of the item, and by the selected quality.
package struct HLSVariantFilter: Equatable, Sendable {
    /// In bits per second; `nil` for no limit.
    package var peakBitRate: Double?
    /// In pixels; `nil` for no limit.
    package var maximumResolution: VideoSize?
    /// The selected quality; `nil` for the engine's choice.
    package var selected: VideoQuality?

    package init(peakBitRate: Double? = nil, maximumResolution: VideoSize? = nil, selected: VideoQuality? = nil) {
        self.peakBitRate = peakBitRate
        self.maximumResolution = maximumResolution
        self.selected = selected
    }

    /// The limits of an item, and the selected quality.
    package init(_ item: PlayerItem, selected: VideoQuality?) {
        self.init(
            peakBitRate: item.preferredPeakBitRate, maximumResolution: item.maximumResolution, selected: selected)
    }

    /// The variants that may be played, in the order of the playlist. If all are above a limit, the smallest is left.
    func allowed(of variants: [HLSPlaylist.Variant]) -> [HLSPlaylist.Variant] {
        let indices = allowedIndices(of: variants)
        let chosen = qualities(of: variants).first { $0 == selected }
        return chosen.map { [variants[$0.id]] } ?? indices.map { variants[$0] }
    }

    /// The qualities within the limits, the best first. Empty if there is no choice.
    func qualities(of variants: [HLSPlaylist.Variant]) -> [VideoQuality] {
        let qualities = allowedIndices(of: variants).filter { !variants[$0].isAudioOnly }.map { index in
            let variant = variants[index]
            return VideoQuality(
                id: index, width: variant.width ?? 0, height: variant.height ?? 0, bitRate: variant.bandwidth,
                codecs: variant.codecs, frameRate: variant.frameRate)
        }
        return qualities.count > 1 ? qualities.bestFirst : []
    }

    private func allowedIndices(of variants: [HLSPlaylist.Variant]) -> [Int] {
        var indices = Array(variants.indices)
        func keep(_ isAllowed: (HLSPlaylist.Variant) -> Bool, orLeast size: (HLSPlaylist.Variant) -> Double) {
            let kept = indices.filter { isAllowed(variants[$0]) }
            let least = indices.min { size(variants[$0]) < size(variants[$1]) }
            indices = kept.isEmpty ? least.map { [$0] } ?? [] : kept
        }
        if let maximumResolution {
            keep({ $0.size.fits(in: maximumResolution) }, orLeast: { Double($0.size.width * $0.size.height) })
        }
        if let peakBitRate { keep({ $0.bandwidth <= peakBitRate }, orLeast: \.bandwidth) }
        return indices
    }
}
