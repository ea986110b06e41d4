import FlowplayerSDK
import Foundation

// Forty lines of code for AVFoundation that many hosts have. The lines that are comments have no counterpart:
// see Docs/Migrating/FromAVPlayer.md.

/// The lines about a player and its item.
public func linesAboutPlayers(_ url: URL) -> AVPlayer {
    let asset = AVURLAsset(url: url, options: ["AVURLAssetHTTPHeaderFieldsKey": ["Authorization": "Bearer abc"]])  // 1
    let item = AVPlayerItem(asset: asset)  // 2
    let player = AVPlayer(playerItem: item)  // 3
    player.replaceCurrentItem(with: AVPlayerItem(url: url))  // 4
    let queue = AVQueuePlayer(items: [item])  // 5
    queue.insert(item, after: nil)  // 6
    let layer = AVPlayerLayer(player: player)  // 7
    layer.videoGravity = .resizeAspect  // 8
    let isCurrent = player.currentItem === item  // 9
    let isReady = player.status == .readyToPlay && player.error == nil  // 10
    let isLoaded = player.currentItem?.status == .readyToPlay  // 11
    if let error = player.currentItem?.error { print(error.localizedDescription, isCurrent, isReady, isLoaded) }  // 12
    let duration = player.currentItem?.duration ?? .indefinite  // 13
    let limit: Double = player.currentItem?.preferredPeakBitRate ?? 0  // 14
    let ranges = player.currentItem?.loadedTimeRanges.map { $0.timeRangeValue.end.seconds }  // 15
    print(duration, limit, ranges ?? [])
    // player.currentItem?.preferredPeakBitRate = 1_000_000                                                         // 16
    // player.allowsExternalPlayback = false                                                                        // 17
    return player
}

/// The lines about playback.
public func linesAboutPlayback(_ player: AVPlayer) {
    player.play()  // 18
    player.pause()  // 19
    player.rate = 1.5 as Float  // 20
    player.volume = 0.5 as Float  // 21
    player.isMuted = true  // 22
    player.defaultRate = 2  // 23
    player.playImmediately(atRate: 1)  // 24
    player.actionAtItemEnd = .pause  // 25
    if player.timeControlStatus == .waitingToPlayAtSpecifiedRate { print(player.reasonForWaitingToPlay as Any) }  // 26
    player.seek(to: .zero)  // 27
    player.seek(to: CMTime(seconds: 5, preferredTimescale: 600)) { finished in print(finished) }  // 28
    player.seek(to: CMTimeMake(value: 5, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)  // 29
    player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .positiveInfinity) { _ in }  // 30
    let seconds = CMTimeGetSeconds(player.currentTime())  // 31
    let half = CMTimeMakeWithSeconds(seconds / 2, preferredTimescale: CMTimeScale(NSEC_PER_SEC))  // 32
    if half.isValid, !half.isIndefinite { print(half.value, half.timescale) }  // 33
    // player.automaticallyWaitsToMinimizeStalling = false                                                          // 34
}

/// The lines about observation.
public func linesAboutObservation(_ player: AVPlayer) -> [Any] {
    let interval = CMTime(value: 1, timescale: 2)
    let periodic = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { time in print(time) }  // 35
    let boundary = player.addBoundaryTimeObserver(forTimes: [NSValue(time: interval)], queue: .main) {}  // 36
    player.removeTimeObserver(boundary)  // 37
    let status = player.observe(\.currentItem?.status, options: [.initial, .new]) { _, change in
        print(change.newValue as Any)
    }  // 38
    let end = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: player.currentItem, queue: nil
    ) { _ in }  // 39
    let failure = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemFailedToPlayToEndTime, object: nil, queue: nil
    ) { notification in
        print(notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as Any)
    }  // 40
    return [periodic, status, end, failure]
}
