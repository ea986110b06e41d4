import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

@testable import ResumePositions

/// Positions that one session keeps and the next one reads.
@MainActor
@Suite struct ResumeStoreTests {
    private let clock = ManualClock()
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "positions-\(UUID().uuidString)", directoryHint: .isDirectory)
    private let film = URL(filePath: "/media/film.mp4")

    private func player(_ media: SimulatedMedia = SimulatedMedia(duration: 3600)) -> FlowplayerManager {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock, media: media), clock: clock)
        let manager = FlowplayerManager(avPlayer: player)
        manager.autoPlay = true
        return manager
    }

    private func store() -> ResumeStore { ResumeStore(folder: folder) { Issue.record("\($0)") } }

    /// Plays an item up to a position in one session.
    private func play(
        _ url: URL, from start: Double = 0, for seconds: Double,
        _ media: SimulatedMedia = SimulatedMedia(duration: 3600)
    ) async {
        let (player, store) = (player(media), store())
        player.attach(store)
        player.load(external: MediaExternal(url: url), startPosition: start)
        // Opening takes a tenth of a second.
        await clock.advance(by: .seconds(seconds + 0.1))
        player.stop()
        store.flush(within: .longestWait)
    }

    /// The position that another session finds.
    private func stored(_ url: URL) async -> Double? { await store().position(of: url)?.rounded() }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [] }

    // MARK: Kept positions

    @Test func aLaterSessionFindsThePosition() async {
        await play(film, for: 90)
        #expect(await stored(film) == 90)
        #expect(await stored(URL(filePath: "/media/other.mp4")) == nil)
        await play(film, from: 90, for: 30)
        #expect(await stored(film) == 120)
    }

    @Test func thePositionIsWrittenDuringPlayback() async {
        let (player, store) = (player(), store())
        player.attach(store)
        player.load(external: MediaExternal(url: film))
        await clock.advance(by: .seconds(61))
        store.flush(within: .longestWait)
        let position = await stored(film) ?? 0
        #expect((55...61).contains(position), "a crash now loses 5 s at most")
    }

    @Test func aPauseWritesThePosition() async {
        let (player, store) = (player(), store())
        player.attach(store)
        player.load(external: MediaExternal(url: film))
        await clock.advance(by: .seconds(33.1))
        player.pause()
        await clock.advance(by: .seconds(1))
        #expect(await store.position(of: film)?.rounded() == 33)
    }

    /// A server has inserted it into the stream.
    @Test func anAdvertisementInTheStreamLeavesThePosition() async {
        let (player, store) = (player(), store())
        player.attach(store)
        player.load(external: MediaExternal(url: film))
        await clock.advance(by: .seconds(33.1))
        player.queue?.advertisement = Advertisement(type: .midRoll, number: 1, count: 1)
        await clock.advance(by: .seconds(20))
        player.stop()
        #expect(await store.position(of: film)?.rounded() == 33)
    }

    @Test func theNextItemLeavesThePositionOfTheOneBefore() async {
        let (player, store) = (player(), store())
        let other = URL(filePath: "/media/other.mp4")
        player.attach(store)
        player.load(external: MediaExternal(url: film))
        await clock.advance(by: .seconds(12.1))
        player.load(external: MediaExternal(url: other))
        await clock.advance(by: .seconds(24.1))
        player.stop()
        #expect(await store.position(of: film)?.rounded() == 12)
        #expect(await store.position(of: other)?.rounded() == 24)
    }

    @Test(arguments: [
        (4.0, nil), (6.0, 6.0), (3400.0, 3400.0), (3430.0, nil), (3700.0, nil),
    ])
    func theStartAndTheEndOfAnItemAreNotKept(seconds: Double, position: Double?) async {
        await play(film, for: 60)
        let start = max(0, min(seconds, 3600) - 30)
        await play(film, from: start, for: seconds - start)
        #expect(await stored(film) == position)
        #expect(files.isEmpty == (position == nil))
    }

    @Test(arguments: [
        (60.0, 54.0, true), (60, 56, false), (3600, 3419, true), (3600, 3421, false), (36_000, 35_699, true),
        (36_000, 35_701, false),
    ])
    func theEndIsFiveSecondsToFiveMinutesLong(duration: Double, position: Double, isKept: Bool) {
        #expect(StoredPosition(url: film, position: position, duration: duration).isWorthKeeping == isKept)
    }

    @Test func liveStreamsAdvertisementsAndStreamsWithoutSeekingAreNotKept() async {
        var live = SimulatedMedia(duration: nil)
        live.playbackType = .live
        live.dvrWindow = 600
        await play(film, for: 60, live)
        var stream = SimulatedMedia(duration: 3600)
        stream.isSeekable = false
        await play(film, for: 60, stream)
        let (player, store) = (player(), store())
        player.attach(store)
        player.avPlayer?.load(PlayerItem(url: film, isAdvertisement: true), autoPlay: true)
        await clock.advance(by: .seconds(60))
        player.stop()
        store.flush(within: .longestWait)
        #expect(files.isEmpty)
    }

    @Test func anItemThatFailsToOpenKeepsItsPosition() async {
        await play(film, for: 90)
        var broken = SimulatedMedia(duration: 3600)
        broken.failure = .init(error: PlaybackError(.timedOut, url: film))
        await play(film, for: 5, broken)
        #expect(await stored(film) == 90)
    }

    // MARK: Addresses

    @Test func anAddressIsKeptWithoutItsSecrets() async throws {
        let address = try #require(URL(string: "https://me:secret@host/a/film.mp4?token=hidden#here"))
        await play(address, for: 90)
        let file = try #require(files.first)
        let contents = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        #expect(contents.hasPrefix(#"{"address":"https://host/a/film.mp4","duration":3600,"position":"#), "\(contents)")
        let renewed = try #require(URL(string: "https://host/a/film.mp4?token=other"))
        #expect(await stored(renewed) == 90)
    }

    @Test func aQuestionMarkInAFileNameIsPartOfTheName() async {
        await play(URL(filePath: "/media/what?.mp4"), for: 90)
        #expect(await stored(URL(filePath: "/media/what.mp4")) == nil)
        #expect(await stored(URL(filePath: "/media/a/../what?.mp4")) == 90)
    }

    @Test func anotherAddressWithTheSameHashHasNoPosition() async throws {
        await play(film, for: 90)
        let other = URL(filePath: "/media/other.mp4")
        try FileManager.default.moveItem(
            at: folder.appending(path: film.positionFileName), to: folder.appending(path: other.positionFileName))
        #expect(await stored(other) == nil)
    }

    @Test func onlyTheUserCanReadTheFiles() async throws {
        await play(film, for: 90)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder.path()) == 0o700)
        #expect(try mode(folder.path() + film.positionFileName) == 0o600)
    }

    // MARK: Forgetting

    @Test func positionsAreForgottenOnRequest() async {
        let other = URL(filePath: "/media/other.mp4")
        await play(film, for: 90)
        await play(other, for: 60)
        let store = store()
        store.forget(film)
        #expect(await store.position(of: film) == nil)
        #expect(await store.position(of: other)?.rounded() == 60)
        store.forgetAll()
        #expect(await store.position(of: other) == nil)
        #expect(files.isEmpty)
    }

    @Test func filesOfOthersStay() async throws {
        await play(film, for: 90)
        try Data().write(to: folder.appending(path: "notes.json"))
        let store = store()
        store.forgetAll()
        store.flush(within: .longestWait)
        #expect(files == ["notes.json"])
    }

    @Test func oldPositionsAreRemovedWhenTheStoreIsOpened() async throws {
        await play(film, for: 90)
        let other = URL(filePath: "/media/other.mp4")
        await play(other, for: 60)
        let old = Date(timeIntervalSinceNow: -91 * 24 * 60 * 60)
        try FileManager.default.setAttributes(
            [.modificationDate: old], ofItemAtPath: folder.path() + film.positionFileName)
        #expect(await stored(film) == nil)
        #expect(await stored(other) == 60)
        #expect(files == [other.positionFileName])
    }

    // MARK: Errors

    /// Collects the errors of a store.
    private final class Errors {
        var all: [ResumeStoreError] = []
    }

    @Test(arguments: ["", "{", "[]", #"{"address":"/media/film.mp4","position":-1}"#, "\u{0}\u{0}\u{0}"])
    func aDamagedFileIsSetAside(contents: String) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let other = URL(filePath: "/media/other.mp4")
        await play(other, for: 60)
        let file = folder.appending(path: film.positionFileName)
        try Data(contents.utf8).write(to: file)
        let errors = Errors()
        let store = ResumeStore(folder: folder) { errors.all.append($0) }
        #expect(await store.position(of: film) == nil)
        #expect(await eventually { !errors.all.isEmpty })
        #expect(errors.all == [.damaged(file: file.path())])
        #expect(errors.all.first?.description.contains("\(film.positionFileName).corrupt") == true)
        #expect(try Data(contentsOf: file.appendingPathExtension("corrupt")) == Data(contents.utf8))
        #expect(await store.position(of: other)?.rounded() == 60, "the other items have theirs")
        await play(film, for: 90)
        #expect(await stored(film) == 90)
    }

    @Test func aFolderThatCannotBeMadeIsReportedOnce() async {
        let errors = Errors()
        let store = ResumeStore(folder: URL(filePath: "/proc/positions")) { errors.all.append($0) }
        let player = player()
        player.attach(store)
        player.load(external: MediaExternal(url: film))
        await clock.advance(by: .seconds(60))
        #expect(player.state == .play)
        #expect(await store.position(of: film) == nil)
        #expect(await eventually { !errors.all.isEmpty })
        #expect(errors.all == [.cannotWrite(folder: "/proc/positions/", reason: "No such file or directory")])
        #expect(errors.all.first?.description.contains("set XDG_STATE_HOME") == true)
    }
}
