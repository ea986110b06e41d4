/// A version of the video that a host can select, such as a variant of an HLS stream.
public struct VideoQuality: Codable, Hashable, Sendable, Identifiable {
    /// Unique and stable within the item; chosen by the backend.
    public let id: Int
    /// Width in pixels; 0 if it is not known.
    public let width: Int
    /// Height in pixels; 0 if it is not known.
    public let height: Int
    /// The declared peak bit rate, in bits per second.
    public let bitRate: Double
    /// The codecs (RFC 6381); empty if they are not known.
    public let codecs: [String]
    /// Frames per second; `nil` if it is not known.
    public let frameRate: Double?

    /// A quality that a backend reports. Sizes are in pixels, the bit rate is in bits per second.
    public init(
        id: Int, width: Int, height: Int, bitRate: Double, codecs: [String] = [], frameRate: Double? = nil
    ) {
        self.id = id
        self.width = width
        self.height = height
        self.bitRate = bitRate
        self.codecs = codecs
        self.frameRate = frameRate
    }
}

extension [VideoQuality] {
    /// The qualities, the best first: the highest, and among those of one height that with the highest bit rate.
    package var bestFirst: Self {
        sorted { ($0.height, $0.bitRate) > ($1.height, $1.bitRate) }
    }
}

extension VideoSize {
    /// `true` if neither side is longer than that of the other size. An unknown size fits.
    package func fits(in maximum: VideoSize) -> Bool { width <= maximum.width && height <= maximum.height }
}
