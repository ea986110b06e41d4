import Playback

/// A queue that remote controls can show and control.
///
/// A `QueuePlayer` conforms. A host with its own queue passes it to `NowPlayingCenter.attach`.
@preconcurrency @MainActor
public protocol NowPlayingQueue: AnyObject {
    /// All items, in display order.
    var nowPlayingItems: [PlayerItem] { get }

    /// The index of the current item; `nil` if there is none.
    var nowPlayingIndex: Int? { get }

    /// `true` if there is a next item.
    var canGoToNextItem: Bool { get }

    /// `true` if `goToPreviousItem` goes to another item or to the start of the current one.
    var canGoToPreviousItem: Bool { get }

    /// Goes to the next item. It plays if the current item was playing.
    func goToNextItem()

    /// Goes to the previous item or to the start of the current one. It plays if the current item was playing.
    func goToPreviousItem()

    /// Goes to an item.
    ///
    /// - Parameter index: the index in `nowPlayingItems`.
    func jump(toItemAt index: Int)

    /// The repeat mode.
    var repeatMode: PlaybackQueue.RepeatMode { get set }

    /// `true` if the items play in another order than the display order.
    var isShuffled: Bool { get set }

    /// Calls the handler when a property above changes, until the token is cancelled.
    func observeQueue(_ changed: @escaping @MainActor () -> Void) -> ObservationToken
}
