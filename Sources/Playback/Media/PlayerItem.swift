import Foundation

/// An address to play, and its settings.
public struct PlayerItem: Codable, Hashable, Sendable, Identifiable {
    /// New for each item that is made: the same address twice is two items.
    public private(set) var id: UUID
    /// The address of the item. Its scheme is `deferred` while the item is not resolved.
    public var url: URL
    /// External subtitles. They are listed after the item's own subtitles.
    public var subtitles: [ExternalSubtitle]
    /// The limit of the bit rate, in bits a second; `nil` for none. Among several variants, the player chooses none
    /// above it. If all are above it, the player chooses the smallest.
    public var preferredPeakBitRate: Double? {
        didSet { preferredPeakBitRate = Self.limit(preferredPeakBitRate) }
    }
    /// The largest size of the video, in pixels; `nil` for none. The player requests no variant of a stream that is
    /// wider or higher. If all are, it requests the smallest.
    public var maximumResolution: VideoSize?
    /// Metadata from the host. They override the item's own.
    public var metadata: MediaMetadata
    /// `true` if this is an advertisement: `playbackState` is `ads` while it plays, and it resumes after the
    /// background.
    public var isAdvertisement: Bool
    /// The position at which the item starts, in seconds.
    public var startPosition: Double {
        didSet { startPosition = Self.start(startPosition) }
    }
    /// `false` to open the item only when its turn comes, so that something can play before it. In a queue, it then starts after a
    /// short gap. `true` by default.
    public var allowsPreloading = true
    /// The retries after network failures.
    public var retryPolicy = RetryPolicy.standard
    /// The addresses that the item may open.
    public var securityPolicy = MediaSecurityPolicy.standard
    /// HTTP header fields for the item's requests, such as `Authorization`, `Cookie` and `Referer`.
    ///
    /// They are sent with every request to the origin of `url`: playlists, segments, keys, subtitles and ranges of a
    /// file. An origin is a scheme, a host and a port. No other origin receives them, except those of
    /// `httpHeaderOrigins`. The player refuses fields that it sets itself, and invalid fields, with the notice
    /// `headerRefused`.
    public var httpHeaders: [String: String] = [:]
    /// The `User-Agent` of the item's requests; `nil` for the player's own. It is sent where `httpHeaders` are sent.
    public var userAgent: String?
    /// Addresses whose origins receive `httpHeaders` and `userAgent` too, such as a server of segments.
    public var httpHeaderOrigins: [URL] = []

    /// - Parameters:
    ///   - url: a local file or an address with a scheme that the backend plays.
    ///   - subtitles: external subtitles.
    ///   - preferredPeakBitRate: in bits a second. A value that is not a positive number means no limit.
    ///   - metadata: metadata from the host.
    ///   - isAdvertisement: `true` if this is an advertisement.
    ///   - startPosition: the position at which the item starts, in seconds.
    public init(
        url: URL, subtitles: [ExternalSubtitle] = [], preferredPeakBitRate: Double? = nil,
        metadata: MediaMetadata = MediaMetadata(),
        isAdvertisement: Bool = false, startPosition: Double = 0
    ) {
        id = UUID()
        self.url = url
        self.subtitles = subtitles
        self.preferredPeakBitRate = Self.limit(preferredPeakBitRate)
        self.metadata = metadata
        self.isAdvertisement = isAdvertisement
        self.startPosition = Self.start(startPosition)
    }

    private static func start(_ position: Double) -> Double { position.isFinite ? max(0, position) : 0 }

    /// A limit of the bit rate as it is kept: what limits nothing is none.
    package static func limit(_ bitRate: Double?) -> Double? {
        bitRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension PlayerItem {
    /// The same item with another identity, for a second player. Its events are not those of this item.
    package var duplicate: PlayerItem {
        var item = self
        item.id = UUID()
        return item
    }
}

// An item without an address: the player asks for it when its turn comes.
extension PlayerItem {
    private static let deferredScheme = "deferred"

    init(deferredWith metadata: MediaMetadata) {
        self.init(url: URL(filePath: "/"), metadata: metadata)
        url = URL(string: "\(Self.deferredScheme):\(id.uuidString)") ?? url
    }

    /// `true` if the item has no address yet.
    public var isDeferred: Bool { url.scheme == Self.deferredScheme }

    /// The item that a deferred one is resolved to: it has the identity of the deferred one.
    func replacing(_ deferred: PlayerItem?) -> PlayerItem {
        guard let deferred else { return self }
        var item = self
        item.id = deferred.id
        item.metadata = metadata.completed(by: deferred.metadata)
        return item
    }
}

extension PlayerItem: CustomReflectable {
    /// The item for logs: headers and the query of an address may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["url": url.redacted], displayStyle: .struct) }
}
