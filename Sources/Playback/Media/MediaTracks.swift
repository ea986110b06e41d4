/// The tracks of an item. Each list has the item's order.
public struct MediaTracks: Codable, Hashable, Sendable {
    /// No tracks.
    public static let none = MediaTracks()

    /// The audio tracks.
    public var audio: [AudioTrack]
    /// The subtitle tracks.
    public var subtitles: [SubtitleTrack]
    /// The video tracks; seldom more than one.
    public var video: [VideoTrack]

    /// Lists in the item's order.
    public init(audio: [AudioTrack] = [], subtitles: [SubtitleTrack] = [], video: [VideoTrack] = []) {
        self.audio = audio
        self.subtitles = subtitles
        self.video = video
    }
}

/// An audio track that a listener can choose.
public struct AudioTrack: Codable, Hashable, Sendable, Identifiable {
    /// Unique among the tracks of its item; chosen by the backend.
    public let id: Int
    /// The name to show to the user.
    public let name: String
    /// The language of the track (ISO 639), or `nil` if the item does not name it.
    public let lang: String?
    /// The name of the codec, to show to the user; `nil` if the backend does not know it.
    public let codec: String?

    /// A track that a backend reports.
    public init(id: Int, name: String, lang: String? = nil, codec: String? = nil) {
        self.id = id
        self.name = name
        self.lang = lang
        self.codec = codec
    }
}

/// A subtitle track that a viewer can choose.
public struct SubtitleTrack: Codable, Hashable, Sendable, Identifiable {
    /// The track that delegates receive when subtitles are off. Selecting its `id` turns subtitles off.
    public static let off = SubtitleTrack(id: -1, name: "Off")

    /// Unique among the tracks of its item, and not negative; chosen by the backend.
    public let id: Int
    /// The name to show to the user.
    public let name: String
    /// The language of the track (ISO 639), or `nil` if the item does not name it.
    public let lang: String?
    /// The name of the codec, to show to the user; `nil` if the backend does not know it.
    public let codec: String?

    /// A track that a backend reports.
    public init(id: Int, name: String, lang: String? = nil, codec: String? = nil) {
        self.id = id
        self.name = name
        self.lang = lang
        self.codec = codec
    }
}

/// A video track of an item.
public struct VideoTrack: Codable, Hashable, Sendable, Identifiable {
    /// Unique among the tracks of its item; chosen by the backend.
    public let id: Int
    /// The width of the upright video in square pixels; 0 while it is not known.
    public let width: Int
    /// The height of the upright video in square pixels; 0 while it is not known.
    public let height: Int
    /// The name of the codec, to show to the user; `nil` if the backend does not know it.
    public let codec: String?
    /// Frames per second; `nil` if it is not known.
    public let frameRate: Double?

    /// A track that a backend reports. Sizes are in pixels.
    public init(id: Int, width: Int, height: Int, codec: String? = nil, frameRate: Double? = nil) {
        self.id = id
        self.width = width
        self.height = height
        self.codec = codec
        self.frameRate = frameRate
    }
}

/// The size of a video as it is shown: upright, in square pixels.
public struct VideoSize: Codable, Hashable, Sendable {
    /// 0 while it is not known.
    public let width: Int
    /// 0 while it is not known.
    public let height: Int

    /// Both in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the size with the same proportions that fits into another one; the size itself if it fits already.
    ///
    /// - Parameter limit: the largest size; `nil` for none. Neither side of the result is less than one pixel.
    package func fitted(into limit: VideoSize?) -> VideoSize {
        guard let limit, width > 0, height > 0 else { return self }
        let scale = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        return VideoSize(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())))
    }
}

extension VideoSize {
    /// The plausible aspect ratios of a pixel. Media with another one would need too much memory.
    private static let pixelAspectRatios = 0.25...4.0

    /// Converts the pixels of an aspect ratio to square ones. The shorter side of a pixel grows.
    package func withSquarePixels(numerator: UInt32, denominator: UInt32) -> VideoSize {
        let ratio = Double(numerator) / Double(denominator)
        guard Self.pixelAspectRatios.contains(ratio) else { return self }
        return VideoSize(
            width: Int((Double(width) * max(1, ratio)).rounded()),
            height: Int((Double(height) / min(1, ratio)).rounded()))
    }
}
