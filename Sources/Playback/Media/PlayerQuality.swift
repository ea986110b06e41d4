/// The quality of the current video, in common classes.
public enum PlayerQuality: String, Codable, Hashable, Sendable, CaseIterable {
    /// Up to 192 lines.
    case sd144
    /// About 240 lines.
    case sd240
    /// About 360 lines.
    case sd360
    /// About 480 lines.
    case sd480
    /// About 720 lines.
    case hd
    /// About 1080 lines.
    case fullHD
    /// About 1440 lines.
    case qhd
    /// About 1536 lines: 2048 × 1536.
    case twoKVideo
    /// About 2160 lines.
    case fourKVideo
    /// About 4320 lines, or more.
    case eightKVideo
    /// The height of the video is not known.
    case unknown

    /// The class whose height is nearest; of two, the lower one.
    ///
    /// - Parameter height: in pixels. Less than 1: `unknown`.
    public init(height: Int) {
        let classes: [(PlayerQuality, Int)] = [
            (.sd144, 144), (.sd240, 240), (.sd360, 360), (.sd480, 480), (.hd, 720), (.fullHD, 1080), (.qhd, 1440),
            (.twoKVideo, 1536), (.fourKVideo, 2160), (.eightKVideo, 4320),
        ]
        let nearest = classes.min { abs($0.1 - height) < abs($1.1 - height) }
        self = height < 1 ? .unknown : nearest?.0 ?? .unknown
    }
}
