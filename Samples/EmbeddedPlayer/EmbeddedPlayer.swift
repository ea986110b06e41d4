// Plays a file in a loop, until Ctrl-C. The smallest program that embeds a player.
import FlowplayerSDK
import Foundation

@MainActor
final class Kiosk: FlowplayerDelegate {
    let view = FlowplayerView()

    func start(_ path: String) {
        view.delegate = self
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: path)))
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        print(state.name, player.position?.seconds ?? 0)
        if state == .complete { player.play() }  // from the beginning
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        print(error.playbackError?.message ?? "")
        exit(1)
    }
}

@main
struct EmbeddedPlayer {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: embedded-player FILE")
            exit(2)
        }
        let kiosk = Kiosk()
        kiosk.start(CommandLine.arguments[1])
        RunLoop.main.run()
    }
}
