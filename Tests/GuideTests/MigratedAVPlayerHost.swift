import FlowplayerSDK
import Foundation

@MainActor
final class FilmPlayer {
    let player = AVPlayer()
    private var timeObserver: Any?
    private var endObserver: (any NSObjectProtocol)?

    func show(_ url: URL) {
        player.videoOutput = .window
        let item = AVPlayerItem(asset: AVURLAsset(url: url))
        player.replaceCurrentItem(with: item)
        timeObserver = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: 0.5, preferredTimescale: 600), queue: .main
        ) { time in
            print("at", time.seconds)
        }
        endObserver = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.playAgain() }
        }
        player.play()
    }

    private func playAgain() {
        player.seek(to: .zero)
        player.play()
    }
}
