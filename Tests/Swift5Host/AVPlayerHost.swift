import FlowplayerSDK
import Foundation

// A host in Swift 5 mode, as it is written for AVFoundation.

/// A controller of one player.
public class AVPlayerHost {
    public private(set) var lines: [String] = []
    private let player: AVPlayer
    private var timeObserver: Any?
    private var statusObservation: NSKeyValueObservation?
    private var endObserver: NSObjectProtocol?

    public init(player: AVPlayer) {
        self.player = player
        let interval = CMTime(seconds: 1, preferredTimescale: CMTimeScale(NSEC_PER_SEC))
        timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { [weak self] time in
            self?.lines.append("time \(CMTimeGetSeconds(time))")
        }
        statusObservation = player.observe(\.timeControlStatus, options: [.new]) { [weak self] player, _ in
            self?.lines.append(player.timeControlStatus == .playing ? "playing" : "not playing")
        }
    }

    public func show(_ url: URL) {
        let item = AVPlayerItem(asset: AVURLAsset(url: url, options: nil))
        endObserver = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
        ) { [weak self] _ in
            self?.lines.append("end")
            self?.player.seek(to: .zero) { finished in
                self?.lines.append("rewound \(finished)")
            }
        }
        player.replaceCurrentItem(with: item)
        player.actionAtItemEnd = .none
        player.play()
    }

    public func toggle() {
        if player.rate != 0 {
            player.pause()
        } else {
            player.playImmediately(atRate: 1)
        }
    }

    public func slide(to value: Float) {
        guard let duration = player.currentItem?.duration, duration.isValid, !duration.isIndefinite else { return }
        let seconds = Float64(value) * CMTimeGetSeconds(duration)
        player.seek(
            to: CMTimeMakeWithSeconds(seconds, preferredTimescale: 600), toleranceBefore: .zero, toleranceAfter: .zero)
    }

    public func close() {
        if let timeObserver = timeObserver { player.removeTimeObserver(timeObserver) }
        if let endObserver = endObserver { NotificationCenter.default.removeObserver(endObserver) }
        statusObservation?.invalidate()
        statusObservation = nil
    }
}
