import MediaTransport

extension [HLSPlaylist.Variant] {
    /// The options that keep libVLC below a bit rate.
    ///
    /// A limit of the height is used where it excludes the same variants, because libVLC then continues to adapt.
    /// Otherwise the rate is fixed.
    func vlcOptions(upTo peakBitRate: Double) -> [String] {
        let allowed = filter { $0.bandwidth <= peakBitRate }
        if allowed.count == count { return [] }
        let fixed = Self.fixedRate(peakBitRate)
        let heights = allowed.compactMap(\.height)
        let excess = filter { $0.bandwidth > peakBitRate }.map { $0.height ?? 0 }
        guard let highest = heights.max(), heights.count == allowed.count, excess.allSatisfy({ $0 > highest }) else {
            return fixed
        }
        return ["adaptive-maxheight=\(highest)"]
    }

    /// libVLC counts in units of 8192 bits a second.
    static func fixedRate(_ peakBitRate: Double) -> [String] {
        ["adaptive-logic=fixedrate", "adaptive-bw=\(Int(Swift.min(peakBitRate / 8192, 1e9)))"]
    }
}
