import Foundation
import Testing

@testable import Playback

/// The rate: 0 unless playback is wanted and nothing holds it.
@Suite struct MachineRateTests {
    private var story = Scenario()

    private var play: BackendCommand { .play(story.snapshot.generation) }
    private var pause: BackendCommand { .pause(story.snapshot.generation) }

    @Test mutating func aRatePlaysAndZeroPauses() {
        story.load(autoPlay: false)
        #expect(story.snapshot.rate == 0)
        #expect(story.command(.setRate(2)) == [.setRate(2), play])
        #expect(story.snapshot.rate == 2)
        #expect(story.command(.setRate(0)) == [pause])
        #expect(story.snapshot.rate == 0)
        #expect(story.command(.setRate(2)) == [play])
        #expect(story.command(.setRate(2)).isEmpty)
    }

    @Test mutating func playHasTheDefaultRate() {
        story.load(autoPlay: false)
        #expect(story.command(.setDefaultRate(1.5)).isEmpty)
        #expect(story.snapshot.rate == 0)
        #expect(story.command(.play) == [.setRate(1.5), play])
        #expect(story.command(.setDefaultRate(100)).isEmpty)
        #expect(story.snapshot.rate == 1.5)
        #expect(story.command(.play) == [.setRate(4)])
    }

    @Test mutating func anotherEngineTakesTheNearestOfItsRates() {
        story.load()
        story.command(.setRate(3))
        story.command(.setDefaultRate(0.25))
        let few = BackendCapabilities(rates: 0.5...2)
        #expect(story.backend(.capabilitiesChanged(few)) == [.setRate(2)])
        #expect(story.snapshot.rate == 2)
        #expect(story.snapshot.defaultRate == 0.5)
        #expect(story.machine.capabilities == few)
        #expect(story.backend(.capabilitiesChanged(few)).isEmpty)
        let one = BackendCapabilities(rates: 1...1)
        let earlier = Generation(rawValue: story.snapshot.generation.rawValue - 1)
        #expect(story.backend(.capabilitiesChanged(one), generation: earlier) == [.setRate(1)])
        #expect(story.machine.capabilities == one, "an event about the backend is not late")
    }

    /// As a pipe and a camera on GStreamer.
    @Test mutating func anItemMayHaveItsOwnRate() {
        story.command(.setDefaultRate(2))
        story.command(.load(PlayerItem(url: Scenario.url), autoPlay: true))
        let media = OpenedMedia(
            duration: nil, isSeekable: false, hasFixedRate: true, playbackType: .live, tracks: MediaTracks())
        #expect(story.backend(.opened(media)).contains(.setRate(1)))
        #expect(story.snapshot.rate == 1 && story.snapshot.notices.map(\.notice.code) == ["rateUnavailable"])
        #expect(story.command(.setRate(3)).isEmpty && story.command(.play).isEmpty)
        #expect(story.snapshot.rate == 1 && story.snapshot.defaultRate == 2)
        let opening = story.command(.load(PlayerItem(url: Scenario.url), autoPlay: true))
        #expect(opening.contains(.setRate(2)) == (story.snapshot.rate == 2))
        story.command(.setRate(3))
        #expect(story.snapshot.rate == 3, "The next item has all rates.")
    }

    @Test mutating func pauseAndPlaySendTheRateBeforeTheState() {
        story.load()
        story.events = []
        story.command(.pause)
        story.command(.play)
        #expect(story.reported == [.rate(0), .state(.pause), .rate(1), .state(.play)])
    }

    @Test(arguments: [SuppressionReason.interruption, .background])
    mutating func suppressionKeepsTheRate(reason: SuppressionReason) {
        story.load()
        story.command(.setRate(2))
        story.command(.suppress(reason))
        #expect(story.snapshot.rate == 0)
        story.command(.unsuppress(reason))
        #expect(story.snapshot.rate == 2)
    }

    @Test mutating func theRateIsPositiveWhilePlaybackWaits() {
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.snapshot.rate == 1)
        story.opened()
        #expect(story.snapshot.rate == 1)
        story.backend(.playing(position: 0))
        story.backend(.stalled(position: 0))
        #expect(story.snapshot.state == .buffer)
        #expect(story.snapshot.rate == 1)
    }

    @Test(arguments: [BackendEvent.Body.ended(position: 10), .failed(.test, position: 3)])
    mutating func theRateIsZeroAfterTheEnd(end: BackendEvent.Body) {
        story.load()
        story.events = []
        story.backend(end)
        #expect(story.snapshot.rate == 0)
        #expect(story.events.first == .rate(0))
        story.command(.setRate(2))
        #expect(story.snapshot.phase == .opening)
        #expect(story.snapshot.rate == 2)
    }

    @Test mutating func anItemThatPlaysAutomaticallyKeepsTheRate() {
        story.load()
        story.command(.setRate(2))
        story.load()
        #expect(story.snapshot.rate == 2)
        story.command(.pause)
        story.load()
        #expect(story.snapshot.rate == 1, "the item before was paused")
    }

    @Test mutating func aRateStartsAQueue() {
        story.command(.queue(.load([Scenario.item, PlayerItem(url: Scenario.url)], autoPlay: false)))
        story.command(.setRate(2))
        story.opened()
        story.backend(.playing(position: 0))
        story.backend(.ended(position: 10))
        story.command(.queue(.itemIsOver))
        #expect(story.snapshot.rate == 2, "the next item plays at the rate of the one before")
        story.command(.stop)
        #expect(story.snapshot.rate == 0)
        story.command(.setRate(3))
        #expect(story.snapshot.rate == 3)
    }
}
