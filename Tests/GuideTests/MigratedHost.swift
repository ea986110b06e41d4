import FlowplayerSDK
import Foundation

@MainActor
final class PlayController: FlowplayerDelegate {
    private let flowplayerView = FlowplayerView()

    func start() {
        flowplayerView.delegate = self
        flowplayerView.autoPlay = true
        flowplayerView.enableBackgroundPlayback = true
        Flowplayer.current.platformURL = URL(string: "https://platform.example/configs")
        Flowplayer.current.accessToken = "token"
        flowplayerView.load(ovp: MediaOVP(mediaId: "film", playerId: "lobby"))
    }

    func player(_ player: FlowplayerAPI, didChangeState state: PlayerState) {
        print("state", state)
    }

    func player(_ player: FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        if player.playbackStateList.prefix(2) == [.playing, .background], player.state == .pause {
            player.play()
        }
    }

    func player(_ player: FlowplayerAPI, didFailWith error: PlayerError) {
        print("error", error.localizedDescription)
    }
}
