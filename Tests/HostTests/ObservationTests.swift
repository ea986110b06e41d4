import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// Observations end with their tokens.
@MainActor
@Suite struct ObservationTests {
    private let clock = ManualClock()

    private func manager() -> FlowplayerManager {
        FlowplayerManager(avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock))
    }

    /// An object of a host that observes a player and never cancels.
    @MainActor private final class Display {
        private(set) var volumes: [Double] = []
        private var observations: Set<ObservationToken> = []

        init(_ player: FlowplayerManager, _ engine: MediaPlayer) {
            player.observe(\.volume) { [weak self] _, volume in self?.volumes.append(volume) }
                .store(in: &observations)
            engine.observe { [weak self] event, _ in
                if case .volume(let volume) = event { self?.volumes.append(volume) }
            }.store(in: &observations)
        }
    }

    @Test func anObservationEndsWithTheObjectThatKeepsItsToken() throws {
        let player = manager()
        var display: Display? = Display(player, try #require(player.avPlayer))
        player.volume = 0.5
        #expect(display?.volumes == [0.5, 0.5])
        weak let released = display
        display = nil
        #expect(released == nil)
    }

    @Test func aReleasedTokenEndsItsObservation() {
        let player = manager()
        var volumes: [Double] = []
        var token: ObservationToken? = player.observe(\.volume) { _, volume in volumes.append(volume) }
        player.volume = 0.5
        token = nil
        player.volume = 0.25
        #expect(volumes == [0.5] && token == nil)
    }

    @Test func aHandlerThatReleasesOtherTokensIsRemovedSafely() {
        let player = manager()
        var volumes: [Double] = []
        let inner = player.observe(\.volume) { _, volume in volumes.append(volume) }
        var outer: ObservationToken? = player.observe(\.volume) { [inner] _, _ in withExtendedLifetime(inner) {} }
        outer?.cancel()
        outer = nil
        player.volume = 0.5
        #expect(volumes == [0.5] && outer == nil)
        inner.cancel()
        inner.cancel()
        player.volume = 0.25
        #expect(volumes == [0.5])
    }

    private final class Plugin: PlayerPlugin {
        var events = 0
        var isAttached = false

        func attach(to player: any FlowplayerAPI) { isAttached = true }
        func detach() { isAttached = false }
        func player(_: any FlowplayerAPI, didEmit _: PlayerEvent, snapshot _: PlayerSnapshot) { events += 1 }
    }

    @Test func aPluginStaysUntilItsTokenIsCancelled() {
        let (player, kept, removed) = (manager(), Plugin(), Plugin())
        player.attach(kept)
        player.attach(removed).cancel()
        player.volume = 0.5
        #expect(kept.events == 1 && kept.isAttached)
        #expect(removed.events == 0 && !removed.isAttached)
    }
}
