import FlowplayerSDK
import Foundation

// The code of the guide to queues.

@MainActor
func loadQueue(_ urls: [URL]) -> FlowplayerView {
    let view = FlowplayerView()
    view.autoPlay = true
    view.load(queue: urls.map { MediaExternal(url: $0) })
    view.append(MediaOVP(mediaId: "m", playerId: "p"))
    return view
}

@MainActor
func changeQueue(of view: FlowplayerView, _ item: PlayerItem, _ more: [PlayerItem]) {
    guard let queue = view.queue else { return }
    queue.append(more)
    queue.insert(item, after: queue.currentItem)  // plays next
    queue.move(from: 7, to: 2)
    queue.remove(item)  // if it is the current item, the next one plays
    queue.advanceToNextItem()
    queue.returnToPreviousItem()  // after 3 s of an item: restarts it
    queue.jump(to: 4)
    queue.repeatMode = .all
    queue.isShuffled = true  // the current item stays; false restores the order
    queue.replaceCurrentItem(with: item)  // the rest of the queue stays
    queue.crossfade = 4
}

final class EndlessQueue: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        guard state == .complete, let ended = player.queue?.allItems.first else { return }
        player.queue?.insert(ended, after: nil)
    }

    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
        print(transition.index, transition.reason, transition.item.url)
    }
}

@MainActor
func appendLater(to queue: QueuePlayer, address: @escaping @Sendable () async throws(PlaybackError) -> URL) {
    let item = queue.deferredItem(metadata: MediaMetadata(title: "Live")) { () async throws(PlaybackError) in
        PlayerItem(url: try await address())
    }
    queue.append(item)
}
