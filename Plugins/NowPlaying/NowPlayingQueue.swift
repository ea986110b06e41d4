import Playback

/// What a player plays one after another, as far as a remote control has to do with it.
///
/// A `QueuePlayer` is one. A host with a queue of its own gives it to `NowPlayingCenter.attach`.
@MainActor
public protocol NowPlayingQueue: AnyObject {
    /// All items, in the order in which they are shown.
    var nowPlayingItems: [PlayerItem] { get }

    /// Which of the items is played; `nil`: none.
    var nowPlayingIndex: Int? { get }

    /// Whether `goToNextItem` finds one.
    var canGoToNextItem: Bool { get }

    /// Whether `goToPreviousItem` finds one, be it the same one from its beginning.
    var canGoToPreviousItem: Bool { get }

    /// Plays the next item, if playback was wanted.
    func goToNextItem()

    /// Plays the previous item, or the same one from its beginning, if playback was wanted.
    func goToPreviousItem()

    /// Plays one of the items.
    ///
    /// - Parameter index: in `nowPlayingItems`.
    func jump(toItemAt index: Int)

    /// What comes after the last item, or after every one.
    var repeatMode: PlaybackQueue.RepeatMode { get set }

    /// Whether the items play in another order than that in which they are shown.
    var isShuffled: Bool { get set }

    /// Calls the handler whenever something of the above has changed, until the token is cancelled.
    func observeQueue(_ changed: @escaping @MainActor () -> Void) -> ObservationToken
}
