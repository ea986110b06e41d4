import Playback

extension QueuePlayer: NowPlayingQueue {
    public var nowPlayingItems: [PlayerItem] { queue.items }

    public var nowPlayingIndex: Int? { queue.currentIndex }

    public var canGoToNextItem: Bool {
        guard snapshot.item != nil else { return false }
        var ahead = queue
        ahead.advance()
        return ahead.currentIndex != nil
    }

    /// Also `true` if `goToPreviousItem` goes to the start of the current item.
    public var canGoToPreviousItem: Bool {
        guard snapshot.item != nil else { return false }
        var behind = queue
        return canSeek || behind.goBack(from: 0)
    }

    public func goToNextItem() { advanceToNextItem() }

    public func goToPreviousItem() { returnToPreviousItem() }

    public func jump(toItemAt index: Int) { jump(to: index) }
}
