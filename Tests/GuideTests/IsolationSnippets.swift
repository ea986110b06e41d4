import FlowplayerIsolation
import FlowplayerSDK
import Foundation

// The code of the guide to isolation.
@MainActor
private func playInAProcessOfItsOwn() {
    let view = FlowplayerView(backend: .isolated)
    view.load(external: MediaExternal(url: URL(filePath: "/srv/clip.mp4")))
}

@MainActor
private func playWithAProgramElsewhere() -> MediaPlayer {
    let backend = IsolatedBackend(program: URL(filePath: "/usr/libexec/flowplayer-engine"))
    let player = MediaPlayer(backend: backend)
    return player
}
