import FlowplayerTesting
import Foundation
import Playback
import Testing

/// The event of the current chapter.
@MainActor
@Suite struct ChapterTests {
    private let clock = ManualClock()
    private static let url = URL(filePath: "/media/book.m4b")
    private static let one = Chapter(start: 1, title: "One")
    private static let two = Chapter(start: 3, title: "Two")

    private func player(failure: SimulatedMedia.Failure? = nil) -> (MediaPlayer, EventRecorder) {
        let metadata = MediaMetadata(chapters: [Self.one, Self.two])
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(metadata: metadata, failure: failure))
        let player = MediaPlayer(backend: backend, clock: clock)
        return (player, EventRecorder(player))
    }

    private func chapters(_ recorder: EventRecorder) -> [Chapter?] {
        recorder.events.compactMap { if case .chapter(let chapter) = $0 { .some(chapter) } else { nil } }
    }

    @Test func eachChapterIsReportedOnceAfterItsPosition() async throws {
        let (player, recorder) = player()
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(20))
        #expect(chapters(recorder) == [Self.one, Self.two])
        for chapter in [Self.one, Self.two] {
            let before = try #require(recorder.events.prefix { $0 != .chapter(chapter) }.last)
            #expect(before.isPosition)
            let position = try #require(recorder.positions.first { $0 >= chapter.start })
            #expect(before == .position(position))
        }
        #expect(player.snapshot.state == .complete && player.snapshot.currentChapter == Self.two)
    }

    @Test func aSeekReportsTheChapterOfItsTarget() async {
        let (player, recorder) = player()
        player.load(Self.url)
        await clock.advance(by: .seconds(1))
        player.startSeek(to: 5)
        await clock.advance(by: .seconds(1))
        player.startSeek(to: 1)
        await clock.advance(by: .seconds(1))
        player.startSeek(to: 0)
        await clock.advance(by: .seconds(1))
        #expect(chapters(recorder) == [Self.two, Self.one, nil])
    }

    @Test func aNewLoadReportsItsChapterWhenItIsReady() async {
        let (player, recorder) = player()
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(2))
        player.load(Self.url, autoPlay: true)
        #expect(player.snapshot.currentChapter == nil)
        await clock.advance(by: .seconds(2))
        #expect(chapters(recorder) == [Self.one, Self.one])
    }

    @Test func aFailureReportsNoChapter() async {
        let (player, recorder) = player(failure: .init(at: 2, error: PlaybackError(.connectionFailed, url: nil)))
        player.load(Self.url, autoPlay: true)
        await clock.advance(by: .seconds(20))
        #expect(player.snapshot.state == .failure)
        #expect(chapters(recorder) == [Self.one])
        player.stop()
        #expect(chapters(recorder) == [Self.one])
    }
}
