import FlowplayerSDK
import Foundation

// The code of the migration guides, word for word. `MigratedHost.swift` has the host of the original SDK.

@MainActor
final class Film {
    private let player = MediaPlayer(backend: .default)

    func run() async {
        var item = PlayerItem(url: URL(string: "https://media.example/film.mp4")!, startPosition: 30)
        item.userAgent = "Kiosk/1.0"
        player.volume = 0.5
        let events = player.events()
        player.load(item, autoPlay: true)
        for await event in events {
            switch event {
            case .state(.complete): return
            case .error(let error): print(error.message)
            default: break
            }
        }
    }
}
