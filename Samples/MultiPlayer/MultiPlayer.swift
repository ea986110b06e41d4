// Plays two files at once. One delegate serves both players and distinguishes them by their ids.
import FlowplayerSDK
import Foundation

@MainActor
final class Stage: FlowplayerDelegate {
    private let main = FlowplayerView()
    private let secondary = FlowplayerView()
    private var running: Set<String> = []
    private var hasFailed = false

    func start(_ mainPath: String, _ secondaryPath: String) {
        main.id = "main"
        secondary.id = "secondary"
        // Only the main player is audible.
        secondary.isMuted = true
        running = [main.id, secondary.id]
        for (view, path) in [(main, mainPath), (secondary, secondaryPath)] {
            view.delegate = self
            view.autoPlay = true
            view.load(external: MediaExternal(url: URL(filePath: path)))
        }
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        print(player.id, state.name, player.position?.seconds ?? 0)
        if state == .complete || state == .failure { end(player.id) }
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        hasFailed = true
        let message = "multi-player: \(player.id): \(error.localizedDescription)\n"
        FileHandle.standardError.write(Data(message.utf8))
    }

    private func end(_ id: String) {
        running.remove(id)
        guard running.isEmpty else { return }
        print("both have ended")
        exit(hasFailed ? 1 : 0)
    }
}

@main
struct Main {
    static func main() {
        guard CommandLine.arguments.count == 3 else {
            print("usage: multi-player FILE FILE")
            exit(2)
        }
        let stage = Stage()
        stage.start(CommandLine.arguments[1], CommandLine.arguments[2])
        withExtendedLifetime(stage) { RunLoop.main.run() }
    }
}
