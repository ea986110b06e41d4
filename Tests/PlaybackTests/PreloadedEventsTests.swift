import Foundation
import Testing

@testable import Playback

@Suite struct PreloadedEventsTests {
    private static let opened = BackendEvent.Body.opened(
        OpenedMedia(duration: 2, isSeekable: true, playbackType: .vod, tracks: MediaTracks()))

    private func take(_ events: inout PreloadedEvents, _ bodies: BackendEvent.Body...) -> [BackendEvent.Body] {
        bodies.enumerated().compactMap { number, body in events.take(body, at: .seconds(number)) }
    }

    @Test func anItemThatIsNotPreloadedSendsItsEvents() {
        var events = PreloadedEvents(isPreloaded: false)
        #expect(take(&events, Self.opened, .paused(position: 0)) == [Self.opened, .paused(position: 0)])
    }

    @Test func aPreloadedItemKeepsItsEventsUntilItIsOpened() {
        var events = PreloadedEvents(isPreloaded: true)
        #expect(take(&events, Self.opened, .paused(position: 0)) == [.prepared])
        let kept = events.open()
        #expect(kept.map(\.body) == [Self.opened, .paused(position: 0)])
        #expect(kept.map(\.time) == [.zero, .seconds(1)])
        #expect(!events.isPreloaded && events.open().isEmpty)
        #expect(take(&events, .playing(position: 0)) == [.playing(position: 0)])
    }

    @Test func thePreparationIsReportedOnce() {
        var events = PreloadedEvents(isPreloaded: true)
        #expect(take(&events, Self.opened, .playing(position: 1)) == [.prepared])
        events.restart()
        #expect(take(&events, Self.opened, .paused(position: 0)) == [])
        #expect(events.open().map(\.body) == [Self.opened, .paused(position: 0)])
    }

    @Test func aFailureIsSentAtOnce() {
        var events = PreloadedEvents(isPreloaded: true)
        let failure = BackendEvent.Body.failed(PlaybackError(.timedOut, url: nil), position: 0)
        #expect(take(&events, .paused(position: 0), failure) == [failure])
    }
}
