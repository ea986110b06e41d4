import Foundation
import Playback

/// The information that remote controls show about a player. A field that is `nil` is not shown.
///
/// A field that the host sets replaces the player's own.
public struct NowPlayingInfo: Hashable, Sendable {
    /// The title of the item.
    public var title: String?
    /// The artist of the item.
    public var artist: String?
    /// The album of the item.
    public var albumTitle: String?
    /// The artwork: a local file, or a public URL.
    public var artworkURL: URL?
    /// The URL of the item. Shown without user, password, query and fragment.
    public var url: URL?
    /// The duration in seconds, positive.
    public var playbackDuration: Double?
    /// The position in seconds at the time at which this is set. Later it moves at `playbackRate`, or at the rate of the
    /// player.
    public var elapsedPlaybackTime: Double?
    /// The rate; 0 for a paused item.
    public var playbackRate: Double?
    /// The index of the item in the queue, from 0.
    public var playbackQueueIndex: Int?
    /// The number of items in the queue.
    public var playbackQueueCount: Int?
    /// `true` for a stream without an end.
    public var isLiveStream: Bool?
    /// The identifier of the item. Different items have different identifiers.
    public var contentIdentifier: String?
    /// The repeat mode of the queue.
    public var repeatMode: PlaybackQueue.RepeatMode?
    /// `true` if the queue is shuffled.
    public var isShuffled: Bool?
    /// The volume, in `0...1`.
    public var volume: Double?

    /// Creates information without any field.
    public init() {}

    /// Creates information about an item.
    public init(title: String?, artist: String? = nil, albumTitle: String? = nil, artworkURL: URL? = nil) {
        self.title = title
        self.artist = artist
        self.albumTitle = albumTitle
        self.artworkURL = artworkURL
    }

    /// Returns this information, with missing fields from another.
    public func completed(by other: NowPlayingInfo) -> NowPlayingInfo {
        var info = self
        info.complete(by: other, \.title, \.artist, \.albumTitle, \.artworkURL, \.url, \.contentIdentifier)
        info.complete(by: other, \.playbackDuration, \.elapsedPlaybackTime, \.playbackRate, \.volume, \.isLiveStream)
        info.complete(by: other, \.playbackQueueIndex, \.playbackQueueCount, \.repeatMode, \.isShuffled)
        return info
    }

    // A local function would be shorter. The compiler (6.3.1) crashes on it in release builds.
    private mutating func complete<each Value>(
        by other: NowPlayingInfo, _ fields: repeat WritableKeyPath<NowPlayingInfo, (each Value)?>
    ) {
        for field in repeat each fields { self[keyPath: field] = self[keyPath: field] ?? other[keyPath: field] }
    }
}
