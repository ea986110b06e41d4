// Plays music files in order, also in the background of the shell. Lines on standard input edit the queue.
import FlowplayerSDK
import Foundation

@MainActor
final class MusicQueue: FlowplayerDelegate {
    private let view = FlowplayerView()

    init(_ paths: some Sequence<String>) {
        view.delegate = self
        view.enableBackgroundPlayback = true
        view.autoPlay = true
        view.load(queue: paths.map { MediaExternal(url: URL(filePath: $0)) })
    }

    private var queue: QueuePlayer { view.queue! }

    /// Runs a command. Returns `false` if it is unknown.
    func run(_ line: String) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let places = words.dropFirst().compactMap { Int($0) }.map { $0 - 1 }
        switch words.first {
        case "add" where words.count > 1: queue.append([item(words[1])])
        case "insert" where words.count > 1: queue.insert(item(words[1]), after: queue.currentItem)
        case "remove" where places.first.map(queue.queue.items.indices.contains) == true:
            queue.remove(queue.queue.items[places[0]])
        case "move" where places.count == 2: queue.move(from: places[0], to: places[1])
        case "jump" where places.count == 1: queue.jump(to: places[0])
        case "next": queue.advanceToNextItem()
        case "previous": queue.returnToPreviousItem()
        case "shuffle": queue.shuffle()
        case "repeat": queue.repeatMode = .all
        case "list": list()
        case "quit": exit(0)
        default: return false
        }
        return true
    }

    private func item(_ path: String) -> PlayerItem { PlayerItem(url: URL(filePath: path)) }

    private func list() {
        for (index, item) in queue.queue.items.enumerated() {
            print(index == queue.queue.currentIndex ? ">" : " ", index + 1, item.url.lastPathComponent)
        }
    }

    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
        print(transition.reason.rawValue, transition.index + 1, transition.item.url.lastPathComponent)
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        print("skipped:", error.localizedDescription)
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        // The queue may already be past this event: an item that could not be preloaded fails at once.
        guard queue.isOver, state == player.state else { return }
        print("over")
        exit(state == .failure ? 1 : 0)
    }
}

@main
struct Main {
    @MainActor
    static func main() async {
        let paths = CommandLine.arguments.dropFirst()
        guard !paths.isEmpty else {
            print("usage: music-queue FILE...")
            print(
                "Commands: add FILE, insert FILE, remove N, move N M, jump N, next, previous, shuffle, repeat, list, quit"
            )
            exit(2)
        }
        let music = MusicQueue(paths)
        // A separate thread waits for lines, so that the main actor does not block.
        let lines = AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
            }
        }
        for await line in lines where !music.run(line) { print("?", line) }
    }
}
