import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Swift5Host
import Synchronization
import TestSupport
import Testing

/// Apple's names mean here what they mean there.
@MainActor
@Suite struct AVFoundationNamesTests {
    private let clock = ManualClock()
    private static let clip = URL(filePath: "/media/clip.mp4")

    private func player(_ media: SimulatedMedia = SimulatedMedia()) -> AVPlayer {
        AVPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
    }

    /// A player whose item is ready.
    private func ready(_ media: SimulatedMedia = SimulatedMedia()) async -> AVPlayer {
        let player = player(media)
        player.replaceCurrentItem(with: AVPlayerItem(url: Self.clip))
        await clock.advance(by: .seconds(1))
        return player
    }

    /// Without `await`, as in a function that is not `async`.
    private func seek(_ player: AVPlayer, to seconds: Double) {
        let time = CMTimeMakeWithSeconds(seconds, preferredTimescale: 600)
        player.seek(to: .zero)
        player.seek(to: time)
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    // MARK: One line each

    // `player.currentItem?.preferredPeakBitRate = 1_000_000` has no counterpart: set it before the item is loaded.
    @Test func theLinesOfEveryHostCompileAndMeanTheSame() async throws {
        _ = { @MainActor in AVPlayer(url: Self.clip) }
        _ = { @MainActor in AVPlayer(playerItem: AVPlayerItem(url: Self.clip)) }
        let layer = AVPlayerLayer(player: self.player())
        #expect(layer.videoGravity == AVLayerVideoGravity.resizeAspect)
        layer.videoGravity = .resizeAspectFill
        layer.videoGravity = .resize
        #expect(layer.videoGravity == .resize)
        _ = { @MainActor in AVQueuePlayer(items: [AVPlayerItem(url: Self.clip)]) }
        let asset = AVURLAsset(url: Self.clip, options: ["AVURLAssetHTTPHeaderFieldsKey": ["Authorization": "a"]])
        var item = AVPlayerItem(asset: asset)
        item.preferredPeakBitRate = 1_000_000
        #expect(item.httpHeaders == ["Authorization": "a"])
        #expect(item.asset == asset)
        let player = player()
        #expect(player.status == .unknown && player.timeControlStatus == .paused && player.currentItem == nil)
        player.replaceCurrentItem(with: item)
        #expect(player.currentItem === item)
        #expect(player.currentItem !== nil)
        #expect(player.currentItem?.status == .unknown)
        #expect(player.currentItem?.duration.isIndefinite == true)
        player.play()
        #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(player.reasonForWaitingToPlay == .evaluatingBufferingRate)
        await clock.advance(by: .seconds(2.1))
        #expect(player.status == .readyToPlay && player.timeControlStatus == .playing)
        #expect(player.error == nil && player.reasonForWaitingToPlay == nil)
        #expect(item.status == .readyToPlay && player.currentItem?.error == nil)
        #expect(player.currentItem?.duration == CMTimeMake(value: 10, timescale: 1))
        #expect(CMTimeGetSeconds(player.currentTime()) == 2)
        #expect(player.currentItem?.currentTime() == player.currentTime())
        player.pause()
        #expect(player.rate == 0)
        player.rate = 1.5 as Float
        player.volume = 0.3 as Float
        player.isMuted = true
        player.defaultRate = 2
        player.actionAtItemEnd = .pause
        #expect(player.rate == 1.5 && player.volume == 0.3 && player.timeControlStatus == .playing)
        player.playImmediately(atRate: 0.5)
        #expect(player.rate == 0.5)
        seek(player, to: 4)
        #expect(player.currentTime().seconds == 4)
        let loaded = item.loadedTimeRanges.first?.timeRangeValue
        #expect(loaded == CMTimeRange(start: .zero, end: CMTimeMake(value: 10, timescale: 1)))
        #expect(item.seekableTimeRanges.map(\.timeRangeValue) == [loaded])
        player.replaceCurrentItem(with: nil)
        #expect(player.currentItem == nil && item.status == .unknown)
        #expect(item.loadedTimeRanges.isEmpty && item.seekableTimeRanges.isEmpty)
    }

    @Test func aLiveStreamIsSeekableInItsWindow() async throws {
        let player = await ready(.live(window: 60))
        let window = try #require(player.snapshot.dvrWindow)
        let range = try #require(player.currentItem?.seekableTimeRanges.last?.timeRangeValue)
        #expect(abs(range.start.seconds - window.start) < 1e-5 && abs(range.end.seconds - window.end) < 1e-5)
        #expect(range.duration.seconds == 60)
        #expect(range.containsTime(range.start) && !range.containsTime(range.end))
    }

    @Test func timesCompareAsThoseOfCoreMedia() {
        let (one, half) = (CMTime(value: 600, timescale: 600), CMTime(seconds: 0.5, preferredTimescale: 600))
        #expect(one + half == CMTimeMake(value: 3, timescale: 2) && one - half == half && half < one)
        #expect(
            [CMTime.invalid, .positiveInfinity, one, .indefinite, .zero].sorted() == [
                .zero, one, .indefinite, .positiveInfinity, .invalid,
            ])
        #expect(!CMTime.invalid.isValid && CMTime.indefinite.isValid && one.isValid)
        #expect(CMTime.indefinite.isIndefinite && !CMTime.indefinite.isNumeric && !one.isIndefinite)
        #expect(CMTime.indefinite.seconds.isNaN && CMTime.positiveInfinity.seconds == .infinity)
        #expect(NSValue(time: one).timeValue == one)
        #expect(CMTime(seconds: 1, preferredTimescale: CMTimeScale(NSEC_PER_SEC)) == one)
    }

    @Test func anItemThatFailsHasTheError() async {
        let error = PlaybackError(.connectionFailed, url: nil)
        let player = player(SimulatedMedia(failure: .init(at: 3, error: error)))
        let item = AVPlayerItem(url: Self.clip)
        let posted = Posted(.AVPlayerItemFailedToPlayToEndTime, of: item)
        player.replaceCurrentItem(with: item)
        player.play()
        await clock.advance(by: .seconds(10))
        #expect(item.status == .failed && player.status == .failed)
        #expect(item.error as? PlaybackError == error && player.error as? PlaybackError == error)
        #expect(posted.errors == [error])
    }

    // MARK: Seeks

    @Test func aCompletionIsCalledOnceAndFalseIfItsSeekIsReplaced() async {
        let player = await ready()
        let finished = Mutex<[String]>([])
        player.seek(to: CMTime(seconds: 3, preferredTimescale: 600)) { done in
            finished.withLock { $0.append("3 \(done)") }
        }
        let tolerance = CMTime.positiveInfinity
        player.seek(to: .zero, toleranceBefore: tolerance, toleranceAfter: tolerance) { done in
            finished.withLock { $0.append("0 \(done)") }
        }
        let last = Task.immediate { await player.seek(to: CMTime(seconds: 5, preferredTimescale: 1)) }
        await clock.advance(by: .seconds(1))
        #expect(await last.value)
        #expect(await player.seek(to: .invalid) == false)
        #expect(await eventually { finished.withLock { $0.count } == 2 })
        #expect(Set(finished.withLock(\.self)) == ["3 false", "0 false"])
        #expect(player.currentTime().seconds == 5)
    }

    // MARK: Observers of times

    @Test func aPeriodicObserverIsExactAndHasNoTimerWhilePaused() async {
        let player = await ready()
        let times = Times()
        let observer = player.addPeriodicTimeObserver(
            forInterval: CMTime(value: 1, timescale: 1), queue: .main
        ) { time in times.append(time) }
        player.play()
        await clock.advance(by: .seconds(2.5))
        #expect(times.take() == [0, 1, 2])
        player.rate = 2
        await clock.advance(by: .seconds(0.5))
        #expect(times.take() == [3])
        player.pause()
        #expect(times.take() == [3.5])
        await clock.advance(by: .seconds(1))
        #expect(!clock.isAwaited, "there is no timer")
        seek(player, to: 8)
        #expect(times.take() == [0, 8], "two jumps")
        await clock.advance(by: .seconds(1))
        player.play()
        await clock.advance(by: .seconds(5))
        #expect(times.take() == [8, 9, 10])
        player.play()
        player.removeTimeObserver(observer)
        await clock.advance(by: .seconds(5))
        #expect(times.take() == [0], "playback starts from the beginning")
    }

    @Test func aPeriodicObserverWaitsWhilePlaybackStalls() async {
        let player = await ready(SimulatedMedia(stalls: [.init(at: 1.5, for: 10)]))
        let times = Times()
        player.addPeriodicTimeObserver(forInterval: CMTimeMake(value: 1, timescale: 1), queue: nil) { time in
            times.append(time)
        }
        player.play()
        await clock.advance(by: .seconds(5))
        #expect(times.take() == [0, 1, 1.5])
        await clock.advance(by: .seconds(7))
        #expect(times.take() == [1.5, 2])
    }

    @Test func aBoundaryIsPassedByPlaybackOnly() async {
        let player = await ready()
        let times = Times()
        let boundaries = [2.0, 5, 10].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 600)) }
        let observer = player.addBoundaryTimeObserver(forTimes: boundaries, queue: .main) { [weak player] in
            MainActor.assumeIsolated { times.append(player?.currentTime() ?? .invalid) }
        }
        player.play()
        await clock.advance(by: .seconds(3))
        #expect(times.take() == [2])
        seek(player, to: 6)
        await clock.advance(by: .seconds(1))
        #expect(times.take() == [], "a jump passes nothing")
        await clock.advance(by: .seconds(10))
        #expect(times.take() == [10])
        player.removeTimeObserver(observer)
        #expect(!clock.isAwaited)
    }

    @Test func anotherQueueIsCalledThere() async {
        let player = await ready()
        let queue = DispatchQueue(label: "observer")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let isThere = Mutex<[Bool]>([])
        player.addPeriodicTimeObserver(forInterval: CMTimeMake(value: 1, timescale: 1), queue: queue) { _ in
            isThere.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
        }
        player.play()
        await clock.advance(by: .seconds(2.5))
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(isThere.withLock(\.self) == [true, true, true])
    }

    // MARK: Observers of properties, and notifications

    @Test func aPropertyIsObservedUntilItsObservationIsReleased() async {
        let player = await ready()
        var rates: [Float?] = []
        var observation: NSKeyValueObservation? = player.observe(\.rate, options: [.initial, .new]) { _, change in
            rates.append(change.newValue)
        }
        player.play()
        player.play()
        player.pause()
        #expect(rates == [0, 1, 0])
        observation?.invalidate()
        player.play()
        observation = player.observe(\.currentItem?.status) { player, _ in rates.append(player.rate) }
        observation = nil
        player.replaceCurrentItem(with: nil)
        #expect(rates == [0, 1, 0] && observation == nil)
    }

    @Test func theEndIsPostedForItsItemOnly() async {
        let (first, second) = (AVPlayerItem(url: Self.clip), AVPlayerItem(url: Self.clip))
        let (ofFirst, ofAll) = (
            Posted(.AVPlayerItemDidPlayToEndTime, of: first), Posted(.AVPlayerItemDidPlayToEndTime, of: nil)
        )
        let queue = AVQueuePlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        queue.append([first, second])
        queue.play()
        await clock.advance(by: .seconds(15))
        #expect(ofFirst.items == [first])
        await clock.advance(by: .seconds(15))
        #expect(ofFirst.items == [first])
        #expect(ofAll.items.filter { [first.id, second.id].contains($0.id) } == [first, second])
    }

    @Test func aHostInSwift5ModeWorks() async {
        let player = player(SimulatedMedia(duration: 2))
        let host = AVPlayerHost(player: player)
        host.show(Self.clip)
        await clock.advance(by: .seconds(1))
        host.toggle()
        host.slide(to: 0.75)
        host.toggle()
        await clock.advance(by: .seconds(3))
        #expect(await eventually { host.lines.last == "rewound true" })
        #expect(
            host.lines.filter { !$0.hasPrefix("rewound") } == [
                "not playing", "time 0.0", "playing", "time 0.9", "not playing", "time 1.5", "time 1.5", "playing",
                "time 2.0", "time 2.0",
                "not playing", "end", "time 0.0",
            ])
        host.close()
    }

    #if VLC || GStreamer
    // MARK: Real media

    @Test(arguments: RealEngine.allCases) func theNamesWorkWithRealEngines(engine: RealEngine) async throws {
        let player = AVPlayer(backend: engine.makeBackend())
        let item = AVPlayerItem(url: try await MediaFixtures.shared.file("mp4"))
        let posted = Posted(.AVPlayerItemDidPlayToEndTime, of: item)
        let times = Times()
        player.addPeriodicTimeObserver(forInterval: CMTimeMake(value: 1, timescale: 10), queue: .main) { time in
            times.append(time)
        }
        player.replaceCurrentItem(with: item)
        player.play()
        #expect(await eventually { player.currentItem?.status == .readyToPlay })
        let half = CMTime(seconds: item.duration.seconds / 2)
        #expect(await player.seek(to: half, toleranceBefore: .zero, toleranceAfter: .zero))
        #expect(await eventually { posted.items == [item] })
        let reported = times.take()
        #expect(reported.count > 1)
        #expect(reported.contains { abs($0 - half.seconds) < 0.001 })
        #expect(player.rate == 0)
    }
    #endif
}

/// The times of an observer, in seconds.
private final class Times: Sendable {
    private let times = Mutex<[Double]>([])

    func append(_ time: CMTime) { times.withLock { $0.append(time.seconds) } }

    func take() -> [Double] {
        times.withLock { times in
            defer { times = [] }
            return times
        }
    }
}

/// The notifications about an item.
@MainActor private final class Posted {
    private(set) var items: [AVPlayerItem] = []
    private(set) var errors: [PlaybackError] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of item: AVPlayerItem?) {
        token = NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) {
            [weak self] notification in
            let item = notification.object as? AVPlayerItem
            let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? PlaybackError
            MainActor.assumeIsolated {
                if let item { self?.items.append(item) }
                if let error { self?.errors.append(error) }
            }
        }
    }

    isolated deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}
