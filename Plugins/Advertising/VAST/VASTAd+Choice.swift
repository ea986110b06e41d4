import Foundation
import Playback

/// The properties of the player by which a media file is chosen.
public struct AdMediaLimits: Codable, Hashable, Sendable {
    /// The highest bit rate, in bit/s; `nil` for no limit.
    public var bitRate: Double?
    /// The largest size, in pixels; `nil` for no limit.
    public var size: VideoSize?
    /// The MIME types that the player supports, the most preferred first.
    public var types: [String]

    /// The types that every engine of this package plays.
    public static let standardTypes = [
        "video/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml", "video/webm",
        "audio/mp4", "audio/mpeg", "audio/ogg", "video/ogg", "video/x-matroska", "video/quicktime", "audio/aac",
        "audio/wav", "video/x-m4v", "video/mp2t", "audio/x-m4a", "audio/mp3", "audio/webm", "audio/flac",
    ]

    /// - Parameters:
    ///   - bitRate: in bit/s.
    ///   - size: in pixels.
    ///   - types: MIME types in lower case, the most preferred first.
    public init(bitRate: Double? = nil, size: VideoSize? = nil, types: [String] = standardTypes) {
        (self.bitRate, self.size, self.types) = (bitRate, size, types)
    }

    fileprivate func fits(_ file: VASTLinear.MediaFile) -> Bool {
        if let bitRate, let rate = file.bitrate, Double(rate) * 1000 > bitRate { return false }
        guard let size, let width = file.width, let height = file.height else { return true }
        return width <= size.width && height <= size.height
    }
}

extension VASTLinear {
    /// The files that the player supports, the best first: within the limits the one with the highest bit rate; beyond them, the
    /// one with the lowest.
    ///
    /// - Throws: `programNotSupported` if all files are programs; `noSupportedMedia` if the player supports none.
    public func playableFiles(within limits: AdMediaLimits) throws(VASTError) -> [MediaFile] {
        let files = mediaFiles.filter { $0.apiFramework == nil }
        let playable = files.filter { limits.types.contains($0.type) }
        guard !playable.isEmpty else {
            throw files.isEmpty && !mediaFiles.isEmpty ? .programNotSupported : .noSupportedMedia
        }
        func order(_ file: MediaFile) -> (Int, Int) {
            let rate = file.bitrate ?? 0
            let rank = limits.types.firstIndex(of: file.type) ?? limits.types.count
            return limits.fits(file) ? (0, -rate * 100 + rank) : (1, rate * 100 + rank)
        }
        let bounded = playable.map { file in
            var file = file
            file.bitrate = file.bitrate.map { min(max($0, 0), 10_000_000) }
            return file
        }
        return bounded.sorted { order($0) < order($1) }
    }
}

extension VASTDocument {
    /// The advertisements that play in a break, in their order, and those that replace one that fails.
    ///
    /// A pod plays whole, by `sequence`. Without a pod, one advertisement plays. All others are replacements.
    public var pod: (ads: [VASTAd], replacements: [VASTAd]) {
        let numbered = ads.filter { $0.sequence != nil }
        let others = ads.filter { $0.sequence == nil }
        guard numbered.isEmpty else {
            let sorted = numbered.enumerated().sorted {
                ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset)
            }
            return (sorted.map(\.element), others)
        }
        return (Array(others.prefix(1)), Array(others.dropFirst()))
    }

    /// The one advertisement of a break that may have no others, preferably one outside of a pod, and those that replace it.
    var single: (ads: [VASTAd], replacements: [VASTAd]) {
        let others = ads.filter { $0.sequence == nil }
        return others.isEmpty ? (Array(pod.ads.prefix(1)), []) : (Array(others.prefix(1)), Array(others.dropFirst()))
    }
}
