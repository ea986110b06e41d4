import Playback

/// An elementary stream as libVLC lists it.
struct VLCTrack: Equatable, Sendable {
    let id: Int
    let kind: VLCEvent.StreamKind
    var lang: String?
    var description: String?
    /// The name of the codec.
    var codec: String?
    /// The size of the video as it is shown, upright and with square pixels; 0 if it is unknown.
    var size = VideoSize(width: 0, height: 0)
}

extension VideoSize {
    /// The plausible aspect ratios of a pixel. Media with another one would need too much memory.
    private static let pixelAspectRatios = 0.25...4.0

    /// Converts the pixels of an aspect ratio to square ones. The shorter side of a pixel grows, as in libVLC.
    func withSquarePixels(numerator: UInt32, denominator: UInt32) -> VideoSize {
        let ratio = Double(numerator) / Double(denominator)
        guard Self.pixelAspectRatios.contains(ratio) else { return self }
        return VideoSize(
            width: Int((Double(width) * max(1, ratio)).rounded()),
            height: Int((Double(height) / min(1, ratio)).rounded()))
    }
}
