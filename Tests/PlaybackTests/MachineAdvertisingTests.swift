import FlowplayerTesting
import Foundation
import Synchronization
import Testing

@testable import Playback

/// The holds for advertisements.
@Suite struct MachineAdvertisingTests {
    @Test func anAdvertisementHoldsTheItemAndNotTheIntent() {
        var story = Scenario()
        story.load()
        #expect(story.command(.suppress(.adBreak)) == [.pause(story.snapshot.generation)])
        #expect(story.snapshot.playbackState == .ads && story.snapshot.state == .pause)
        #expect(story.snapshot.isPlaybackWanted && !story.snapshot.shouldPlay)
        story.command(.pause)
        #expect(!story.snapshot.isPlaybackWanted)
        story.command(.play)
        story.command(.suppress(.interruption))
        #expect(!story.snapshot.isPlaybackWanted)
        story.command(.unsuppress(.interruption))
        #expect(story.command(.unsuppress(.adBreak)) == [.play(story.snapshot.generation)])
        #expect(story.snapshot.playbackState == .playing)
    }

    @Test func anItemThatHasNotStartedIsPlayingAfterItsAdvertisement() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        story.command(.suppress(.adBreak))
        story.opened()
        #expect(story.snapshot.state == .ready && story.snapshot.playbackState == .ads)
        story.command(.unsuppress(.adBreak))
        #expect(story.snapshot.playbackState == .playing)
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.snapshot.playbackState == .idle)
    }

    @Test func anAdvertisementInTheItemHoldsNothing() {
        var story = Scenario()
        story.load()
        #expect(story.command(.advertise(Advertisement(type: .midRoll))) == [])
        #expect(story.snapshot.playbackState == .ads && story.snapshot.state == .play)
        story.command(.advertise(nil))
        #expect(story.snapshot.playbackState == .playing)
    }

    @Test func marksBelongToTheirItemAndAreBounded() {
        var story = Scenario()
        let marks = (0..<600).map { StreamMarker(id: "\($0)", kind: .event, start: Double($0)) }
        story.command(.load(Scenario.item, autoPlay: true))
        story.backend(.markersChanged(marks))
        #expect(story.snapshot.markers == [], "Nothing is open.")
        story.opened()
        story.backend(.markersChanged(marks))
        #expect(story.snapshot.markers == marks.suffix(500))
        let old = story.snapshot.generation
        story.load()
        #expect(story.snapshot.markers == [])
        story.backend(.markersChanged(marks), generation: old)
        #expect(story.snapshot.markers == [])
    }

    @Test func theEndWaitsForItsReason() {
        var story = Scenario()
        story.load()
        story.command(.suppressEnd(.adLoading))
        story.backend(.ended(position: 10))
        #expect(story.snapshot.state == .pause && story.snapshot.position == 10 && story.snapshot.isHeldAtEnd)
        #expect(story.snapshot.playbackState == .ads && story.snapshot.isPlaybackWanted)
        story.command(.pause)
        story.command(.play)
        #expect(story.snapshot.isHeldAtEnd, "The advertisement plays, not the item.")
        story.command(.suppress(.adBreak))
        story.command(.unsuppress(.adBreak))
        #expect(story.snapshot.isHeldAtEnd)
        story.command(.unsuppress(.adLoading))
        #expect(story.snapshot.state == .complete && story.snapshot.playbackState == .ended)
        #expect(!story.snapshot.wantsToPlay && story.states == [.load, .ready, .play, .pause, .complete])
    }

    @Test func aSeekLeavesTheEnd() {
        var story = Scenario()
        story.load()
        story.command(.suppressEnd(.adLoading))
        story.backend(.ended(position: 10))
        story.command(.seek(3))
        #expect(story.snapshot.phase == .opening && story.snapshot.wantsToPlay && !story.snapshot.shouldPlay)
        story.opened(position: 3)
        story.command(.unsuppress(.adLoading))
        story.backend(.playing(position: 3))
        #expect(story.snapshot.state == .play && story.snapshot.position == 3)
    }

    @Test func theNextItemOfAQueueFollowsTheBreak() {
        var story = Scenario()
        let items = [Scenario.item, PlayerItem(url: Scenario.url)]
        story.command(.queue(.load(items, autoPlay: true)))
        story.opened()
        story.command(.suppressEnd(.adLoading))
        story.backend(.playing(position: 0))
        #expect(story.snapshot.next == nil, "It would start at the end.")
        story.backend(.ended(position: 10))
        #expect(story.snapshot.queue.currentIndex == 0)
        let effects = story.machine.handle(.command(.unsuppress(.adLoading), at: .zero))
        #expect(effects == [.perform(.queue(.itemIsOver))])
    }

    @Test func anItemWithoutPreloadingIsOpenedAtItsTurn() {
        var next = PlayerItem(url: Scenario.url)
        next.allowsPreloading = false
        var story = Scenario()
        story.command(.queue(.load([Scenario.item, next], autoPlay: true)))
        story.opened()
        let commands = story.backend(.playing(position: 0))
        #expect(commands.isEmpty && story.snapshot.next == nil)
    }

    @Test func breaksAreSortedAndFinite() {
        var story = Scenario()
        story.command(.setAdBreaks([1...2]))
        #expect(story.snapshot.adBreaks == [])
        story.load()
        story.command(.setAdBreaks([8...9, 1...2, 3...(.infinity)]))
        #expect(story.snapshot.adBreaks == [1...2, 8...9])
        story.command(.stop)
        #expect(story.snapshot.adBreaks == [])
    }

    @Test func eachReportIsOneEvent() {
        var story = Scenario()
        story.load()
        story.command(.reportAd(.state(.start, .midRoll)))
        story.command(.reportAd(.state(.start, .midRoll)))
        #expect(story.events.filter { $0 == .ad(.state(.start, .midRoll)) }.count == 2)
    }
}

/// The player of the items that play in place of others.
@MainActor
@Suite struct InterstitialPlayerTests {
    private let clock = ManualClock()

    private func player(_ media: SimulatedMedia = SimulatedMedia()) -> (MediaPlayer, SimulatedBackend) {
        let backend = SimulatedBackend(clock: clock, media: media)
        return (MediaPlayer(backend: backend, clock: clock, audioSession: AudioSession(focus: AudioFocus())), backend)
    }

    @Test func itFollowsThePrimaryPlayer() async {
        let (primary, _) = player()
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 2))
        let interstitial = InterstitialPlayer(for: primary, backend: backend)
        primary.load(Scenario.url, autoPlay: true)
        interstitial.player.load([PlayerItem(url: Scenario.url)])
        await clock.advance(by: .seconds(1))
        #expect(interstitial.player.snapshot.state == .ready && primary.snapshot.state == .play)
        primary.volume = 0.5
        primary.isMuted = true
        interstitial.begin()
        await clock.advance(by: .seconds(1))
        #expect(interstitial.player.snapshot.state == .play && primary.snapshot.state == .pause)
        #expect(interstitial.player.volume == 0.5 && interstitial.player.isMuted)
        primary.pause()
        #expect(interstitial.player.snapshot.state == .pause)
        primary.play()
        primary.isVideoAttached = false
        #expect(!interstitial.player.isVideoAttached)
        primary.enterBackground(.pause)
        #expect(interstitial.player.snapshot.state == .pause)
        primary.leaveBackground()
        await clock.advance(by: .seconds(0.5))
        #expect(interstitial.player.snapshot.state == .play)
        interstitial.end()
        await clock.advance(by: .seconds(1))
        #expect(primary.snapshot.state == .play && interstitial.player.snapshot.state == .idle)
    }

    /// A host may end it in the first callback, for example with another item.
    @Test func theFramesOfThePrimaryPlayerReturnIfACallbackEndsIt() async {
        let ((primary, _), sink) = (player(), WidthSink())
        primary.videoOutput = .frames(sink)
        let interstitial = InterstitialPlayer(for: primary, backend: SimulatedBackend(clock: clock))
        let observation = primary.observe { event, _ in
            if case .playbackState(.ads) = event { interstitial.end() }
        }
        primary.load(Scenario.url, autoPlay: true)
        await clock.advance(by: .seconds(1))
        interstitial.begin()
        #expect(!interstitial.isPresenting && primary.snapshot.suppression == [])
        primary.newest?.receive(frame(1))
        #expect(sink.widths == [1])
        observation.cancel()
    }

    @Test func framesOfOnePlayerAreShown() throws {
        let (frameSwitch, sink) = (FrameSwitch(), WidthSink())
        let primary = NewestFrame(for: sink, through: frameSwitch, as: .primary)
        let interstitial = NewestFrame(for: sink, through: frameSwitch, as: .interstitial)
        primary.receive(frame(1))
        interstitial.receive(frame(2))
        #expect(sink.widths == [1])
        frameSwitch.show(.interstitial, beginningWith: interstitial)
        primary.receive(frame(3))
        interstitial.receive(frame(4))
        #expect(sink.widths == [1, 2, 4])
        frameSwitch.show(.primary, beginningWith: primary)
        #expect(sink.widths == [1, 2, 4, 3])
    }

    private func frame(_ width: Int) -> VideoFrame {
        VideoFrame(
            width: width, height: 1, bytesPerRow: 4 * width, storage: VideoFrameStorage(byteCount: 4 * width))
    }
}

private final class WidthSink: VideoFrameSink {
    private let received = Mutex<[Int]>([])
    var widths: [Int] { received.withLock(\.self) }
    func receive(_ frame: VideoFrame) { received.withLock { $0.append(frame.width) } }
}
