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

    /// Also where `goToPreviousItem` goes to the beginning of the same item.
    public var canGoToPreviousItem: Bool {
        guard snapshot.item != nil else { return false }
        var behind = queue
        return canSeek || behind.goBack(from: 0)
    }

    public func goToNextItem() { advanceToNextItem() }

    public func goToPreviousItem() { returnToPreviousItem() }

    public func jump(toItemAt index: Int) { jump(to: index) }

    /// Setting it to what it is already leaves the order as it is.
    public var isShuffled: Bool {
        get { queue.isShuffled }
        set {
            guard newValue != queue.isShuffled else { return }
            if newValue { shuffle() } else { unshuffle() }
        }
    }
}
