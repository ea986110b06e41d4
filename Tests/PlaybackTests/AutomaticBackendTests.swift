import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import Testing

/// The engine that chooses among others, in real time.
@MainActor
@Suite struct AutomaticBackendTests {
    private static let url = URL(filePath: "/media/clip.mp4")
    private static let audio = [
        AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Deutsch", lang: "de"),
    ]
    private static let other = [
        AudioTrack(id: 7, name: "Deutsch", lang: "de"), AudioTrack(id: 8, name: "English", lang: "en"),
    ]
    private let engines = Engines()

    /// Makes engines of scripts, and keeps them.
    private final class Engines: Sendable {
        private let made = Mutex<[(name: String, backend: SimulatedBackend)]>([])

        var names: [String] { made.withLock { $0.map(\.name) } }

        func descriptor(
            _ name: String, _ media: SimulatedMedia, capabilities: BackendCapabilities = SimulatedBackend.everything,
            containers: Set<String>? = nil
        ) -> BackendDescriptor {
            descriptor(name, capabilities: capabilities, containers: containers) { _ in media }
        }

        func descriptor(
            _ name: String, capabilities: BackendCapabilities = SimulatedBackend.everything,
            containers: Set<String>? = nil, script: @escaping @Sendable (URL) -> SimulatedMedia
        ) -> BackendDescriptor {
            BackendDescriptor(
                name: .named(name), summary: "", schemes: ["file", "simulated"], containers: containers
            ) { [self] in
                let backend = SimulatedBackend(capabilities: capabilities, script: script)
                made.withLock { $0.append((name, backend)) }
                return backend
            }
        }

        /// The commands of the newest engine of a name.
        func commands(of name: String) -> [BackendCommand] {
            made.withLock { $0.last { $0.name == name }?.backend.commands ?? [] }
        }

        func openings(of name: String) -> [OpenRequest] {
            commands(of: name).compactMap { if case .open(let request) = $0 { request } else { nil } }
        }
    }

    private func refusal(_ code: PlaybackErrorCode = .unrecognisedFormat, at position: Double? = nil) -> SimulatedMedia
    {
        SimulatedMedia(
            tracks: MediaTracks(audio: Self.audio),
            failure: .init(at: position, error: PlaybackError(code, url: Self.url)))
    }

    private func player(_ descriptors: BackendDescriptor...) -> (MediaPlayer, EventRecorder) {
        let player = MediaPlayer(backend: AutomaticBackend(engines: descriptors))
        return (player, EventRecorder(player))
    }

    private let short = SimulatedMedia(duration: 1, tracks: MediaTracks(audio: other))

    @Test(arguments: [PlaybackErrorCode.unrecognisedFormat, .noPlayableStream, .unsupportedCodec, .unsupportedScheme])
    func theNextEngineOpensAnItemThatTheFirstRefuses(code: PlaybackErrorCode) async {
        let (player, recorder) = player(engines.descriptor("a", refusal(code)), engines.descriptor("b", short))
        player.defaultRate = 2
        player.volume = 0.3
        player.isMuted = true
        player.load(Self.url, autoPlay: true, startPosition: 0.5)
        #expect(await recorder.reaches(.complete))
        #expect(recorder.states == [.load, .ready, .play, .complete])
        #expect(recorder.notices.map(\.code) == ["engineChanged"])
        #expect(recorder.notices.first?.message == "The engine a cannot play this item. Trying the engine b.")
        #expect(engines.names == ["a", "b"])
        let commands = engines.commands(of: "b")
        for setting in [BackendCommand.setRate(2), .setVolume(0.3), .setMuted(true)] {
            #expect(commands.contains(setting))
        }
        #expect(engines.openings(of: "b").map(\.startPosition) == [0.5])
        #expect(engines.openings(of: "b").map(\.playsWhenReady) == [true])
        #expect(player.snapshot.error == nil)
    }

    @Test func theErrorOfTheSecondEngineNamesTheFirst() async throws {
        let (player, recorder) = player(
            engines.descriptor("a", refusal(.unsupportedCodec)), engines.descriptor("b", refusal()),
            engines.descriptor("c", short))
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(engines.names == ["a", "b"], "once for each item")
        #expect(recorder.errors.count == 1)
        let error = try #require(recorder.errors.first)
        #expect(error.code == .unrecognisedFormat)
        #expect(
            error.message == """
                This is not a media file in a known format. The engine a reported: No decoder is installed for this \
                format. Check that the file is complete and contains audio or video.
                """)
        player.play()
        #expect(await recorder.event { _ in recorder.errors.count == 2 })
        #expect(engines.names == ["a", "b", "a", "b"])
    }

    @Test(arguments: [PlaybackErrorCode.fileNotFound, .connectionLost, .endedEarly])
    func otherErrorsFailAtOnce(code: PlaybackErrorCode) async {
        let (player, recorder) = player(engines.descriptor("a", refusal(code)), engines.descriptor("b", short))
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [code])
        #expect(engines.names == ["a"])
    }

    @Test func anOpenItemContinuesAtItsPositionWithItsTracks() async throws {
        let (player, recorder) = player(
            engines.descriptor("a", refusal(.unsupportedCodec, at: 1)),
            engines.descriptor("b", SimulatedMedia(duration: 3, tracks: MediaTracks(audio: Self.other))))
        player.load(Self.url)
        #expect(await recorder.reaches(.ready))
        player.selectAudio(id: 2)
        player.play()
        #expect(await recorder.reaches(.complete))
        let position = try #require(engines.openings(of: "b").first?.startPosition)
        #expect((0.7...1.5).contains(position))
        #expect(engines.commands(of: "b").contains { if case .selectAudio(_, id: 7) = $0 { true } else { false } })
        #expect(player.snapshot.audio == 7)
        #expect(player.snapshot.duration == 3)
        #expect(recorder.states == [.load, .ready, .play, .buffer, .play, .complete])
        #expect(recorder.positions == recorder.positions.sorted())
    }

    @Test func aPausedItemStaysPaused() async {
        let (player, recorder) = player(engines.descriptor("a", refusal()), engines.descriptor("b", short))
        player.load(Self.url)
        #expect(await recorder.reaches(.ready))
        #expect(engines.openings(of: "b").map(\.playsWhenReady) == [false])
        #expect(!player.snapshot.isPlaying)
    }

    @Test func anItemStaysWithItsEngineAndTheNextOneStartsWithTheFirst() async {
        let refusal = refusal()
        let (player, recorder) = player(
            engines.descriptor("a") { $0.pathExtension == "mp4" ? refusal : SimulatedMedia(duration: 1) },
            engines.descriptor("b", short))
        let item = PlayerItem(url: Self.url)
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        player.load(item, autoPlay: true)
        #expect(await recorder.event { _ in recorder.states.count { $0 == .complete } == 2 })
        #expect(engines.names == ["a", "b"])
        player.load(URL(filePath: "/media/clip.wav"), autoPlay: true)
        #expect(await recorder.event { _ in recorder.states.count { $0 == .complete } == 3 })
        #expect(engines.names == ["a", "b", "a"])
    }

    @Test func anEngineThatDoesNotClaimTheContainerIsNotTried() async {
        let (player, recorder) = player(
            engines.descriptor("a", refusal()), engines.descriptor("b", short, containers: ["wav"]),
            engines.descriptor("c", short))
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(engines.names == ["a", "c"])
    }

    @Test func aQueuePlaysItemsThatItsEngineCannotPrepare() async {
        let refusal = refusal()
        let (player, recorder) = player(
            engines.descriptor("a") { $0.pathExtension == "mp4" ? refusal : SimulatedMedia(duration: 1) },
            engines.descriptor("b", short))
        let urls = ["1.wav", "2.mp4", "3.wav"].map { URL(filePath: "/media/\($0)") }
        player.append(urls.map { PlayerItem(url: $0) })
        player.play()
        #expect(await recorder.event { _ in recorder.states.count { $0 == .complete } == 3 })
        #expect(recorder.errors.isEmpty)
        #expect(recorder.notices.map(\.code) == ["engineChanged"])
        #expect(engines.names == ["a", "b"], "the engine of the second item prepares the third")
    }

    @Test func theFeaturesAreThoseOfTheEngineThatPlays() async {
        let few = BackendCapabilities(rates: 1...1, features: [.metadata])
        let (player, recorder) = player(
            engines.descriptor("a", refusal()), engines.descriptor("b", short, capabilities: few))
        player.defaultRate = 2
        #expect(player.capabilities == SimulatedBackend.everything)
        player.load(Self.url, autoPlay: true)
        #expect(await recorder.reaches(.complete))
        #expect(player.capabilities == few)
        #expect(player.defaultRate == 1)
        player.selectAudio(id: 7)
        #expect(recorder.notices.map(\.code) == ["engineChanged", "trackSelectionUnavailable"])
    }

    /// Every item is refused by the first engine.
    @Test(arguments: BackendContract.cases)
    func theContractHolds(example: BackendContract.Case) async throws {
        // In real time, so a busy machine needs longer items than the script's.
        var fixtures = BackendFixtures.simulated
        fixtures.duration = 6
        fixtures.tolerance = 0.5
        let refusal = refusal()
        let engines = engines
        let contract = BackendContract(fixtures: fixtures) {
            AutomaticBackend(engines: [
                engines.descriptor("a", refusal),
                engines.descriptor("b") { url in
                    var media = BackendFixtures.simulatedMedia(at: url)
                    if media.duration == BackendFixtures.simulated.duration { media.duration = 6 }
                    return media
                },
            ])
        }
        let outcome = try await contract.run(example)
        if case .skipped(let reason) = outcome { #expect(reason == "The backend does not declare frames.") }
    }
}
