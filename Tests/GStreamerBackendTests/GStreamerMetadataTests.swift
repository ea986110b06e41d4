#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// Covers, chapters and named pipes, through real GStreamer.
@MainActor
@Suite struct GStreamerMetadataTests {
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let recorder: EventRecorder

    init() { recorder = EventRecorder(player) }

    @Test(arguments: ["mp3", "flac"], [false, true])
    func theCoverIsAFile(format: String, isRemote: Bool) async throws {
        let file = try await MediaFixtures.shared.tagged(format)
        let folder = file.deletingLastPathComponent()
        let server = try await LoopbackServer(files: folder)
        let url = isRemote ? server.base.appending(path: file.lastPathComponent) : file
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        let artwork = try #require(player.snapshot.metadata.artworkURL)
        #expect(artwork.isFileURL && artwork.pathExtension == "png")
        #expect(try Data(contentsOf: artwork) == Data(contentsOf: folder.appending(path: "cover.png")))
        withExtendedLifetime(server) {}
    }

    /// The covers that were not used for the longest time are removed.
    @Test func aCoverThatIsUsedAgainIsNew() async throws {
        let file = try await MediaFixtures.shared.tagged("flac")
        player.load(file)
        #expect(await eventually { player.snapshot.metadata.artworkURL != nil }, "\(recorder.errors)")
        let path = try #require(player.snapshot.metadata.artworkURL).path(percentEncoded: false)
        let manager = FileManager.default
        let past = Date(timeIntervalSinceNow: -3600)
        try manager.setAttributes([.modificationDate: past], ofItemAtPath: path)
        let other = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
        other.load(file)
        #expect(await eventually { other.snapshot.metadata.artworkURL != nil })
        let date = try #require(manager.attributesOfItem(atPath: path)[.modificationDate] as? Date)
        #expect(date > past + 60)
    }

    @Test(arguments: ["mka", "m4a"], [false, true])
    func theChaptersAreReported(format: String, isRemote: Bool) async throws {
        let file = try await MediaFixtures.shared.tagged(format)
        let server = try await LoopbackServer(files: file.deletingLastPathComponent())
        player.load(PlayerItem(unlimited: isRemote ? server.base.appending(path: file.lastPathComponent) : file))
        let chapters = [Chapter(start: 0, title: "Intro"), Chapter(start: 1, title: "Rest")]
        #expect(await eventually { player.snapshot.metadata.chapters == chapters }, "\(recorder.events.map(\.text))")
        let metadata = player.snapshot.metadata
        #expect(metadata.title == "A Title" && metadata.artist == "An Artist" && metadata.album == "An Album")
        #expect(metadata.artworkURL == nil)
        withExtendedLifetime(server) {}
    }

    // MARK: Pipes

    private func makePipe() throws -> URL {
        let folder = MediaFixtures.shared.directory
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = folder.appending(path: "pipe-\(UUID().uuidString)")
        try #require(mkfifo(pipe.path(), 0o600) == 0)
        return pipe
    }

    /// Plays a file that another program writes into a named pipe.
    @Test(arguments: ["ts", "mkv", "mp3"]) func aNamedPipePlays(format: String) async throws {
        let file = try await MediaFixtures.shared.file(format)
        let pipe = try makePipe()
        player.load(PlayerItem(unlimited: pipe), autoPlay: true)
        let writer = try await Command("sh", ["-c", "cat \"$0\" > \"$1\"", file.path(), pipe.path()]).start()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
        #expect((recorder.positions.max() ?? 0) > 1.5, "\(recorder.positions)")
        #expect(try await writer.result.status == 0)
    }

    /// A pipeline changes its rate with a seek, and these cannot seek. The position must not run ahead of the audio.
    @Test(arguments: ["mp3", "ogg"]) func aNamedPipePlaysAtItsOwnSpeed(format: String) async throws {
        let file = try await MediaFixtures.shared.file(format)
        let pipe = try makePipe()
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        player.defaultRate = 4
        player.load(PlayerItem(unlimited: pipe), autoPlay: true)
        let writer = try await Command("sh", ["-c", "cat \"$0\" > \"$1\"", file.path(), pipe.path()]).start()
        var lead = -Double.infinity
        let isOver = await eventually {
            let position = player.position.seconds
            if player.snapshot.state == .play {
                lead = max(lead, position - start.duration(to: clock.now) / .seconds(1))
            }
            return player.snapshot.state == .complete
        }
        #expect(isOver && !player.canSeek, "\(recorder.errors)")
        #expect(lead < 0)
        #expect(try await writer.result.status == 0)
    }

    @Test func aPipeThatNobodyWritesToCanBeClosed() async throws {
        let pipe = try makePipe()
        player.load(pipe, autoPlay: true)
        #expect(await recorder.reaches(.load))
        player.load(try await MediaFixtures.shared.file("mp4"), autoPlay: true)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
    }

    @Test func aPipeWithoutAWriterFails() async throws {
        let pipe = try makePipe()
        var item = PlayerItem(url: pipe)
        item.retryPolicy.openTimeout = 0.5
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.timedOut])
    }
}
#endif
