// The program of the tutorial "Your first player".
import FlowplayerSDK
import Foundation

/// Plays one file and receives its events.
@MainActor
final class Screen: FlowplayerDelegate {
    let view = FlowplayerView()

    func show(_ path: String) {
        view.delegate = self
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: path)))
    }
}

@main
struct FirstPlayer {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: first-player FILE")
            exit(2)
        }
        let screen = Screen()
        screen.show(CommandLine.arguments[1])
        RunLoop.main.run()
    }
}

extension Screen {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        print("state", state.name)
        if state == .complete { exit(0) }
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        print(error.localizedDescription)
        exit(1)
    }
}

extension Screen {
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) {
        // Sent when the file is ready, and again if a more exact value is known.
        if player.state == .ready { player.seek(duration / 2) }
    }

    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        print(state.rawValue, position)
    }
}

extension Screen {
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) {
        print("subtitles", tracks.map { $0.lang ?? $0.name })
        guard let german = tracks.first(where: { ["de", "deu", "ger"].contains($0.lang) }) else { return }
        player.selectTrack(subtitle: german.id)
    }

    func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack) {
        print("subtitle", track.lang ?? track.name)
    }
}
