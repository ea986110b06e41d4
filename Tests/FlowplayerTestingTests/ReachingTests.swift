import FlowplayerTesting
import Foundation
import Playback
import Testing

@MainActor
@Suite struct ReachingTests {
    private static let url = URL(filePath: "/media/clip.mp4")

    @Test func theClockIsMovedToTheMomentOfTheState() async {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        player.load(Self.url, autoPlay: true)
        #expect(await player.reaches(.load))
        #expect(clock.hostTime == .zero)
        #expect(await player.reaches(.ready), "a state that passes in a moment counts")
        #expect(clock.hostTime == .milliseconds(100))
        #expect(await player.reaches(.complete, within: .seconds(60)))
        #expect(abs(clock.hostTime.inSeconds - 10.1) < 0.001)
    }

    @Test func theBoundIsOfVirtualTime() async {
        let clock = ManualClock()
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        player.load(Self.url)
        #expect(!(await player.reaches(.play, within: .seconds(3600))))
        #expect(clock.hostTime == .seconds(3600))
    }

    @Test func inRealTimeItIsWaitedFor() async {
        let media = SimulatedMedia(duration: 0.1, loadDelay: 0.01)
        let player = MediaPlayer(backend: SimulatedBackend(media: media))
        player.load(Self.url, autoPlay: true)
        #expect(await player.reaches(.complete))
        #expect(!(await player.reaches(.play, within: .milliseconds(10))))
    }

    @Test func aTestThatIsCancelledDoesNotWait() async {
        let player = MediaPlayer(backend: SimulatedBackend())
        let waiting = Task { await player.reaches(.play, within: .seconds(3600)) }
        waiting.cancel()
        #expect(await waiting.value == false)
    }
}
