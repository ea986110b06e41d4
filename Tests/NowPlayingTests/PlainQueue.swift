import NowPlaying
import Playback

/// A queue that does what it must.
@MainActor final class PlainQueue: NowPlayingQueue {
    private(set) var nowPlayingItems: [PlayerItem]
    private(set) var nowPlayingIndex: Int?
    private weak var player: MediaPlayer?
    private var observers: [Int: @MainActor () -> Void] = [:]

    var repeatMode = PlaybackQueue.RepeatMode.off { didSet { changed() } }
    var isShuffled = false { didSet { changed() } }

    init(_ items: [PlayerItem], for player: MediaPlayer) {
        nowPlayingItems = items
        self.player = player
    }

    var canGoToNextItem: Bool { nowPlayingIndex.map { $0 + 1 < nowPlayingItems.count } ?? false }
    var canGoToPreviousItem: Bool { nowPlayingIndex.map { $0 > 0 } ?? false }
    func goToNextItem() { jump(toItemAt: (nowPlayingIndex ?? -1) + 1) }
    func goToPreviousItem() { jump(toItemAt: (nowPlayingIndex ?? 1) - 1) }

    func jump(toItemAt index: Int) {
        nowPlayingIndex = index
        player?.load(nowPlayingItems[index], autoPlay: true)
        changed()
    }

    func append(_ item: PlayerItem) {
        nowPlayingItems.append(item)
        changed()
    }

    func observeQueue(_ changed: @escaping @MainActor () -> Void) -> ObservationToken {
        let id = (observers.keys.max() ?? 0) + 1
        observers[id] = changed
        return ObservationToken { [weak self] in self?.observers[id] = nil }
    }

    private func changed() { for observer in observers.values { observer() } }
}
