import Foundation
import Playback

/// What is shown of a player where it is controlled from elsewhere. What is `nil` is not said.
///
/// Set by a host, each field that is not `nil` counts for more than what the player says of itself.
public struct NowPlayingInfo: Hashable, Sendable {
    /// What is played.
    public var title: String?
    /// Who made it.
    public var artist: String?
    /// What it was published on.
    public var albumTitle: String?
    /// A picture: a local file, or an address that everybody can fetch.
    public var artworkURL: URL?
    /// Where the medium is. Shown without user, password, query and fragment.
    public var url: URL?
    /// In seconds, positive.
    public var playbackDuration: Double?
    /// Seconds into the medium at the moment at which this is set. From then on it moves at `playbackRate`; without one, as
    /// the player does.
    public var elapsedPlaybackTime: Double?
    /// Media seconds a second; 0 stands still.
    public var playbackRate: Double?
    /// Which item of the queue is played, from 0.
    public var playbackQueueIndex: Int?
    /// How many items the queue has.
    public var playbackQueueCount: Int?
    /// Whether the stream has no end.
    public var isLiveStream: Bool?
    /// Distinguishes what is played from everything else: another medium, another text.
    public var contentIdentifier: String?
    /// What comes after the last item, or after every one.
    public var repeatMode: PlaybackQueue.RepeatMode?
    /// Whether the queue plays in another order than its own.
    public var isShuffled: Bool?
    /// In `0...1`.
    public var volume: Double?

    /// Says nothing.
    public init() {}

    /// Says what it is.
    public init(title: String?, artist: String? = nil, albumTitle: String? = nil, artworkURL: URL? = nil) {
        self.title = title
        self.artist = artist
        self.albumTitle = albumTitle
        self.artworkURL = artworkURL
    }

    /// This, and what it does not say from another.
    public func completed(by other: NowPlayingInfo) -> NowPlayingInfo {
        var info = NowPlayingInfo()
        func take<Value>(_ field: WritableKeyPath<NowPlayingInfo, Value?>) {
            info[keyPath: field] = self[keyPath: field] ?? other[keyPath: field]
        }
        take(\.title)
        take(\.artist)
        take(\.albumTitle)
        take(\.artworkURL)
        take(\.url)
        take(\.playbackDuration)
        take(\.elapsedPlaybackTime)
        take(\.playbackRate)
        take(\.playbackQueueIndex)
        take(\.playbackQueueCount)
        take(\.isLiveStream)
        take(\.contentIdentifier)
        take(\.repeatMode)
        take(\.isShuffled)
        take(\.volume)
        return info
    }
}
