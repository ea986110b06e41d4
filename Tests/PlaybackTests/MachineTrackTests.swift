import Foundation
import Testing

@testable import Playback

/// Tracks, size, window, buffer and metadata of an item, and items that have to be found out first.
@Suite struct MachineTrackTests {
    private func playing(subtitle: Int? = nil) -> Scenario {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        story.opened(tracks: Scenario.tracks, subtitle: subtitle)
        story.backend(.playing(position: 0))
        return story
    }

    @Test func automaticTracksAreReportedWithReady() {
        let story = playing(subtitle: 12)
        let ready = story.reported.firstIndex(of: .state(.ready)) ?? 0
        #expect(
            story.reported[..<ready].suffix(4) == [
                .tracks(Scenario.tracks), .selectedAudio(Scenario.tracks.audio[0]),
                .selectedSubtitle(Scenario.tracks.subtitles[1]), .buffer(.keepUp),
            ])
    }

    @Test func aSelectionActsAtOnceAndIsReportedOnce() {
        var story = playing()
        let commands = story.command(.selectAudio(2))
        #expect(commands == [.selectAudio(story.snapshot.generation, id: 2)])
        #expect(story.snapshot.currentAudio?.lang == "de")
        #expect(story.command(.selectAudio(2)).isEmpty)
        story.backend(.audioSelected(id: 2))
        #expect(story.reported.count { $0 == .selectedAudio(Scenario.tracks.audio[1]) } == 1)
        #expect(story.command(.selectSubtitle(11)) == [.selectSubtitle(story.snapshot.generation, id: 11)])
        #expect(
            story.command(.selectSubtitle(SubtitleTrack.off.id)) == [
                .selectSubtitle(story.snapshot.generation, id: nil)
            ])
        #expect(story.reported.last == .selectedSubtitle(nil))
    }

    @Test func anUnknownTrackIsAWarning() {
        var story = playing()
        #expect(story.command(.selectAudio(99)).isEmpty)
        #expect(story.command(.selectSubtitle(99)).isEmpty)
        var empty = Scenario()
        #expect(empty.command(.selectAudio(1)).isEmpty)
        let codes = (story.reported + empty.reported).compactMap {
            if case .log(let notice) = $0 { notice.code } else { nil }
        }
        #expect(codes == ["noSuchTrack", "noSuchTrack", "noTracksYet"])
    }

    @Test func aSelectionIsRepeatedWhenTheItemPlaysAgain() {
        var story = playing(subtitle: 12)
        story.command(.selectAudio(2))
        story.command(.selectSubtitle(nil))
        story.backend(.ended(position: 10))
        story.command(.play)
        let commands = story.opened(tracks: Scenario.tracks, subtitle: 12)
        let generation = story.snapshot.generation
        #expect(commands == [.selectAudio(generation, id: 2), .selectSubtitle(generation, id: nil)])
        #expect(story.reported.count { if case .selectedAudio = $0 { true } else { false } } == 2)
    }

    @Test func anotherItemForgetsTheSelection() {
        var story = playing()
        story.command(.selectAudio(2))
        story.command(.load(Scenario.item, autoPlay: true))
        #expect(story.snapshot.currentAudio == nil)
        #expect(story.opened(tracks: Scenario.tracks).isEmpty)
        #expect(story.snapshot.currentAudio?.id == 1)
    }

    @Test func aRemovedTrackIsNotSelected() {
        var story = playing(subtitle: 12)
        story.backend(.tracksChanged(MediaTracks(audio: Scenario.tracks.audio)))
        #expect(story.snapshot.currentSubtitle == nil)
        #expect(story.reported.last == .selectedSubtitle(nil))
    }

    @Test func theQualityIsReportedWhenItsClassChanges() {
        var story = playing()
        for size in [(320, 180), (330, 182), (1280, 720)] {
            story.backend(.videoSizeChanged(VideoSize(width: size.0, height: size.1)))
        }
        story.backend(.videoSizeChanged(nil))
        let reported = story.reported.compactMap { if case .quality(let quality) = $0 { quality } else { nil } }
        #expect(reported == [.sd144, .hd])
        #expect(story.snapshot.quality == nil)
    }

    @Test(arguments: [
        (0, PlayerQuality.unknown), (90, .sd144), (144, .sd144), (240, .sd240), (352, .sd360), (480, .sd480),
        (576, .sd480), (720, .hd), (1080, .fullHD), (1088, .fullHD), (1440, .qhd), (1536, .twoKVideo),
        (2160, .fourKVideo), (4320, .eightKVideo), (9000, .eightKVideo),
    ])
    func aHeightHasItsClass(height: Int, quality: PlayerQuality) {
        #expect(PlayerQuality(height: height) == quality)
    }

    @Test func theBufferAgreesWithTheState() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        story.backend(.buffered(BufferLevel(percentage: 40)))
        #expect(story.snapshot.bufferState == .empty)
        #expect(story.snapshot.bufferLevel.percentage == 40)
        story.backend(.buffered(BufferLevel(percentage: 100)))
        story.opened()
        story.backend(.playing(position: 0))
        story.backend(.buffered(.empty))
        story.backend(.stalled(position: 1))
        story.backend(.playing(position: 1))
        story.backend(.ended(position: 10))
        let reported = story.reported.compactMap { if case .buffer(let state) = $0 { state } else { nil } }
        #expect(reported == [.keepUp, .empty, .keepUp, .full])
    }

    @Test func theFirstPositionShowsWhereAnEngineHasJoinedALiveStream() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        story.opened(duration: nil, dvrWindow: DVRWindow(start: 0, end: 80), position: 0)
        story.backend(.playing(position: 0))
        story.wait(1)
        story.backend(.time(position: 65))
        #expect(story.snapshot.liveDelay == 15)
        story.wait(1)
        story.backend(.time(position: 66))
        #expect(story.snapshot.liveDelay == 15, "only the first one counts")
        story.command(.seek(30))
        story.backend(.seeked(position: 30))
        #expect(!story.snapshot.isAtLiveEdge)
    }

    @Test func aSeekInALiveStreamStaysInItsWindow() {
        var story = Scenario()
        story.command(.load(Scenario.item, autoPlay: true))
        story.opened(duration: nil, dvrWindow: DVRWindow(start: 20, end: 80), position: 70)
        story.backend(.playing(position: 70))
        #expect(story.snapshot.playbackType == .live)
        #expect(story.command(.seek(5)) == [.seek(story.snapshot.generation, to: 20)])
        story.backend(.seeked(position: 20))
        story.backend(.dvrWindowChanged(DVRWindow(start: 30, end: 90)))
        #expect(story.command(.seek(500)) == [.seek(story.snapshot.generation, to: 90)])
        #expect(story.reported.contains(.dvrWindow(DVRWindow(start: 30, end: 90))))
    }

    @Test func metadataOfTheHostHavePriority() {
        var story = Scenario()
        let item = PlayerItem(url: Scenario.url, metadata: MediaMetadata(title: "Mine"))
        story.command(.load(item, autoPlay: true))
        #expect(story.snapshot.metadata.title == "Mine")
        story.opened()
        story.backend(.metadataChanged(MediaMetadata(title: "Theirs", artist: "Somebody")))
        #expect(story.snapshot.metadata == MediaMetadata(title: "Mine", artist: "Somebody"))
    }

    // MARK: Items that have to be found out

    @Test func aDeferredLoadIsOpenedOnceItIsResolved() {
        var story = Scenario()
        #expect(story.command(.load(Scenario.deferred, autoPlay: true)).isEmpty)
        #expect(story.reported == [.media(nil), .rate(1), .state(.load)])
        #expect(story.command(.resolve(story.snapshot.generation.next, Scenario.item)).isEmpty, "another load's")
        let commands = story.command(.resolve(story.snapshot.generation, Scenario.item))
        #expect(
            commands == [
                .open(
                    OpenRequest(
                        generation: story.snapshot.generation, item: Scenario.item.replacing(Scenario.deferred),
                        playsWhenReady: true))
            ])
        #expect(story.reported.last == .resolved(Scenario.url))
    }

    @Test func commandsDuringAResolutionCount() {
        var story = Scenario()
        story.command(.load(Scenario.deferred, autoPlay: false))
        #expect(story.command(.play).isEmpty, "no engine knows of it yet")
        #expect(story.command(.seek(4)).isEmpty)
        guard case .open(let request) = story.command(.resolve(story.snapshot.generation, Scenario.item)).first else {
            Issue.record("nothing was opened")
            return
        }
        #expect(request.playsWhenReady)
        #expect(request.startPosition == 4)
    }

    @Test func aSeekToTheStartDuringAResolutionCounts() {
        var story = Scenario()
        story.command(.load(Scenario.deferred, autoPlay: true))
        var item = Scenario.item
        item.startPosition = 30
        for isSought in [false, true] {
            var story = story
            if isSought { story.command(.seek(0)) }
            guard case .open(let request) = story.command(.resolve(story.snapshot.generation, item)).first else {
                Issue.record("nothing was opened")
                return
            }
            #expect(request.startPosition == (isSought ? 0 : 30))
        }
    }

    @Test func aFailedResolutionCanBeRetried() {
        var story = Scenario()
        story.command(.load(Scenario.deferred, autoPlay: true))
        story.command(.failResolving(story.snapshot.generation, .test))
        story.command(.failResolving(story.snapshot.generation, .test))
        #expect(story.reported.suffix(2) == [.error(.test), .state(.failure)])
        #expect(story.states == [.load, .failure])
        story.command(.play)
        #expect(story.snapshot.isResolving)
    }

    @Test func stopDuringAResolutionClosesNothing() {
        var story = Scenario()
        story.command(.load(Scenario.deferred, autoPlay: true))
        #expect(story.command(.stop).isEmpty)
        #expect(story.command(.resolve(story.snapshot.generation, Scenario.item)).isEmpty)
        #expect(story.states == [.load, .idle])
    }

    @Test func simultaneousWarningsAreAllReported() {
        var story = Scenario()
        story.machine = PlaybackMachine(capabilities: BackendCapabilities())
        let item = PlayerItem(
            url: Scenario.url, subtitles: [ExternalSubtitle(url: Scenario.url)], preferredPeakBitRate: 1e6)
        story.command(.load(item, autoPlay: true))
        story.command(.selectAudio(1))
        let codes = story.reported.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes == ["externalSubtitlesUnavailable", "peakBitRateUnavailable", "trackSelectionUnavailable"])
    }
}
