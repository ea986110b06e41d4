import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// Views that are closed, and views of players that are closed.
@MainActor
@Suite struct ClosingViewTests {
    private let clock = ManualClock()

    private func view() -> FlowplayerView {
        let player = MediaPlayer(
            backend: SimulatedBackend(clock: clock), clock: clock, audioSession: AudioSession(focus: AudioFocus()))
        return FlowplayerView(
            avPlayer: player, lifecycle: ApplicationLifecycle(), notificationCenter: NotificationCenter())
    }

    @Test(arguments: [false, true]) func theStreamsEndWithTheLastEvents(isViewClosed: Bool) async {
        let view = view()
        let events = view.events()
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: "/clip.mp4")))
        await clock.advance(by: .seconds(1))
        #expect(view.state == .play)
        if isViewClosed { view.close() } else { view.avPlayer?.close() }
        var last: PlayerEvent?
        for await event in events { last = event }
        #expect(last == .playbackState(.idle))
        #expect(view.state == .idle && view.sourceURL == nil)
        view.load(external: MediaExternal(url: URL(filePath: "/clip.mp4")))
        await clock.advance(by: .seconds(1))
        #expect(view.state == .idle)
    }

    @Test func anotherPlayerContinuesTheView() async {
        let (view, other) = (view(), view())
        let first = view.avPlayer
        var states: [PlayerState] = []
        let observation = view.observe(\.state) { _, state in states.append(state) }
        view.avPlayer = other.avPlayer
        first?.close()
        view.load(external: MediaExternal(url: URL(filePath: "/clip.mp4")))
        await clock.advance(by: .seconds(1))
        #expect(states.contains(.ready), "\(states)")
        observation.cancel()
    }
}
