import Foundation
import Playback
import Testing

/// The commands for a new engine, and the events for the player.
@Suite struct EngineRecoveryTests {
    private static let tracks = MediaTracks(
        audio: [AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Deutsch", lang: "de")])
    private static let notice = PlaybackNotice(code: "engineRestarted", message: "The engine crashed.")

    private let first = Generation(rawValue: 1)
    private let second = Generation(rawValue: 2)
    private let media = OpenedMedia(duration: 60, isSeekable: true, playbackType: .file, tracks: tracks)
    private var recovery = EngineRecovery()

    private func request(_ generation: Generation, plays: Bool = true, at position: Double = 0) -> OpenRequest {
        OpenRequest(
            generation: generation, item: PlayerItem(url: URL(filePath: "/clip\(generation.rawValue).mp4")),
            startPosition: position, playsWhenReady: plays)
    }

    private mutating func receive(_ body: BackendEvent.Body, _ generation: Generation? = nil) -> EngineRecovery.Reaction
    {
        recovery.handle(BackendEvent(body, generation: generation ?? first, hostTime: .zero))
    }

    private mutating func play() {
        recovery.record(.open(request(first)))
        _ = receive(.opened(media))
        _ = receive(.playing(position: 0))
        _ = receive(.time(position: 12.5))
    }

    /// Interrupts the engine, and returns the names of the events for the player.
    private mutating func crash() -> [String] { recovery.interrupt(Self.notice, at: .zero).map(\.1.name) }

    private mutating func reopening() throws -> OpenRequest {
        let commands = recovery.commands()
        guard case .open(let request)? = commands.first(where: { $0.name == "open" }) else {
            throw CocoaError(.coderValueNotFound)
        }
        return request
    }

    @Test mutating func aPlayingItemContinuesAtItsPosition() throws {
        play()
        #expect(crash() == ["notice", "stalled"])
        let request = try reopening()
        #expect(request.startPosition == 12.5 && request.playsWhenReady)
        #expect(receive(.opened(media)).events.isEmpty)
        #expect(receive(.playing(position: 12.5)).events == [.playing(position: 12.5)])
    }

    /// The engine has played on since it reported 12.5 s, for half a second at most, because it may have hung.
    @Test(arguments: [(0.2, 12.7), (7, 13), (-1, 12.5)])
    mutating func theTimeSinceTheLastReportIsNotPlayedAgain(elapsed: Double, position: Double) throws {
        play()
        recovery.record(.setRate(1))
        _ = recovery.interrupt(Self.notice, at: .seconds(elapsed))
        #expect(abs(try reopening().startPosition - position) < 0.001)
    }

    @Test mutating func theTimeSinceTheLastReportCountsAtItsRateAndNotBeyondTheEnd() throws {
        play()
        recovery.record(.setRate(2))
        _ = recovery.interrupt(Self.notice, at: .seconds(0.2))
        #expect(abs(try reopening().startPosition - 12.9) < 0.001)
        _ = receive(.opened(media))
        _ = receive(.playing(position: 59.4))
        _ = recovery.interrupt(Self.notice, at: .seconds(9))
        #expect(abs(try reopening().startPosition - 59.5) < 0.001)
    }

    @Test mutating func whatStandsOrStallsStaysWhereItIs() throws {
        play()
        _ = receive(.stalled(position: 20))
        _ = recovery.interrupt(Self.notice, at: .seconds(1))
        #expect(try reopening().startPosition == 20)
        _ = receive(.opened(media))
        _ = receive(.playing(position: 20))
        _ = receive(.paused(position: 21))
        _ = recovery.interrupt(Self.notice, at: .seconds(1))
        #expect(try reopening().startPosition == 21)
    }

    @Test mutating func aPausedItemStaysPaused() throws {
        play()
        recovery.record(.pause(first))
        _ = receive(.paused(position: 13))
        #expect(crash() == ["notice"])
        let request = try reopening()
        #expect(request.startPosition == 13 && !request.playsWhenReady)
        #expect(receive(.opened(media)).events.isEmpty)
    }

    @Test mutating func anItemThatIsNotOpenReportsItsOpening() throws {
        recovery.record(.open(request(first, at: 5)))
        #expect(crash() == ["notice"])
        #expect(try reopening().startPosition == 5)
        #expect(receive(.opened(media)).events == [.opened(media)])
    }

    @Test mutating func commandsWithoutAnswerAreAnswered() throws {
        play()
        recovery.record(.seek(first, to: 40))
        recovery.record(.pause(first))
        _ = crash()
        #expect(try reopening().startPosition == 40)
        let media = OpenedMedia(
            duration: 60, isSeekable: true, playbackType: .file, tracks: Self.tracks, position: 40)
        #expect(receive(.opened(media)).events == [.seeked(position: 40), .paused(position: 40)])
    }

    @Test mutating func settingsAndSelectionsAreRestored() {
        play()
        recovery.record(.setRate(1.5))
        recovery.record(.setRate(2))
        recovery.record(.setVolume(0.5))
        recovery.record(.selectAudio(first, id: 2))
        recovery.record(.selectSubtitle(first, id: nil))
        _ = crash()
        #expect(recovery.commands().map(\.name) == ["setRate", "setVolume", "open"])
        #expect(recovery.commands().contains(.setRate(2)))
        #expect(receive(.opened(media)).commands == [.selectAudio(first, id: 2), .selectSubtitle(first, id: nil)])
    }

    @Test mutating func eachChangedSettingIsRestored() {
        let changes: [BackendCommand] = [
            .setRate(2), .setVolume(0.5), .setVideoVisible(false), .setMuted(true), .setRole(.music),
            .setSubtitleDelay(1),
        ]
        for change in changes { recovery.record(change) }
        #expect(recovery.commands() == changes)
        // Back to what a new engine has anyway.
        for command in [BackendCommand.setVolume(1), .setMuted(false), .setRole(nil)] { recovery.record(command) }
        #expect(recovery.commands() == [.setRate(2), .setVideoVisible(false), .setSubtitleDelay(1)])
    }

    @Test mutating func aPreparedItemKeepsItsTurn() throws {
        play()
        recovery.record(.prepare(request(second), crossfade: 2))
        #expect(receive(.prepared, second).events == [.prepared])
        _ = crash()
        #expect(recovery.commands().map(\.name) == ["open", "prepare"])
        #expect(receive(.prepared, second).events.isEmpty, "it is reported once")
        _ = receive(.ended(position: 60))
        recovery.record(
            .open(OpenRequest(generation: second, item: PlayerItem(url: URL(filePath: "/")), playsWhenReady: true)))
        _ = crash()
        #expect(try reopening().url == URL(filePath: "/clip2.mp4"), "the engine has prepared it from there")
    }

    @Test mutating func whatWasReplacedIsClosed() {
        play()
        recovery.record(.open(request(second)))
        let events = recovery.interrupt(Self.notice, at: .zero)
        #expect(events.map(\.0) == [first, second])
        #expect(events.map(\.1.name) == ["closed", "notice"])
        #expect(!recovery.isCurrent(BackendEvent(.closed, generation: first, hostTime: .zero)))
    }

    @Test mutating func anInterruptionOfTheAudioEndsWithTheEngine() {
        play()
        _ = receive(.interruptionBegan)
        recovery.record(.pause(first))
        _ = receive(.paused(position: 14))
        #expect(crash() == ["notice", "interruptionEnded"])
    }

    @Test mutating func aLiveStreamStartsAtItsEdge() throws {
        recovery.record(.open(request(first)))
        _ = receive(.opened(OpenedMedia(duration: nil, isSeekable: true, playbackType: .live, tracks: Self.tracks)))
        _ = receive(.playing(position: 900))
        _ = crash()
        #expect(try reopening().startPosition == 0)
    }

    @Test mutating func theLastFailureEndsEverythingOnce() {
        play()
        recovery.record(.prepare(request(second)))
        let events = recovery.fail { PlaybackError(.engineCrashed, url: $0) }
        #expect(events.map(\.0) == [second, first])
        #expect(events.map(\.1.name) == ["failed", "failed"])
        #expect(!recovery.hasOpenings)
        #expect(recovery.fail { PlaybackError(.engineCrashed, url: $0) }.isEmpty)
    }

    /// Another engine numbers the tracks in another way.
    @Test mutating func selectionsMoveToTheTracksWithTheSameNameAndLanguage() throws {
        let texts = [
            SubtitleTrack(id: 5, name: "English", lang: "en"), SubtitleTrack(id: 6, name: "English", lang: "en"),
        ]
        let old = MediaTracks(audio: Self.tracks.audio, subtitles: texts)
        recovery.record(.open(request(first)))
        _ = receive(.opened(OpenedMedia(duration: 60, isSeekable: true, playbackType: .file, tracks: old)))
        recovery.record(.selectAudio(first, id: 2))
        recovery.record(.selectSubtitle(first, id: 6))
        _ = recovery.interrupt(Self.notice, at: .zero)
        _ = try reopening()
        let tracks = MediaTracks(
            audio: [AudioTrack(id: 20, name: "Deutsch", lang: "de"), AudioTrack(id: 21, name: "English", lang: "en")],
            subtitles: [
                SubtitleTrack(id: 30, name: "English", lang: "en"), SubtitleTrack(id: 31, name: "English", lang: "en"),
            ])
        let reaction = receive(
            .opened(OpenedMedia(duration: 61, isSeekable: false, playbackType: .file, tracks: tracks)))
        #expect(
            reaction.events == [
                .durationChanged(61), .seekabilityChanged(false), .tracksChanged(tracks), .audioSelected(id: 20),
                .subtitleSelected(id: 31),
            ])
        #expect(reaction.commands == [.selectAudio(first, id: 20), .selectSubtitle(first, id: 31)])
    }

    @Test mutating func aSelectionWithoutACounterpartIsLeftToTheEngine() throws {
        play()
        recovery.record(.selectAudio(first, id: 2))
        _ = crash()
        _ = try reopening()
        let tracks = MediaTracks(audio: [AudioTrack(id: 2, name: "English", lang: "en")])
        let reaction = receive(
            .opened(OpenedMedia(duration: 60, isSeekable: true, playbackType: .file, tracks: tracks)))
        #expect(reaction.events == [.tracksChanged(tracks), .audioSelected(id: 2), .subtitleSelected(id: nil)])
        #expect(reaction.commands.isEmpty)
    }
}
