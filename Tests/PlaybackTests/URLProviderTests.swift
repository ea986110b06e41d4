import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import Testing

/// Addresses that expire, and who gives new ones.
@MainActor
@Suite struct URLProviderTests {
    private nonisolated static let old = URL(string: "https://host/film?token=1")!
    private nonisolated static let new = URL(string: "https://host/film?token=2")!

    /// Gives one address, and keeps what it was asked.
    private final class Signer: MediaURLProvider {
        struct Unwilling: LocalizedError {
            let errorDescription: String? = "The subscription is over."
        }

        let url: URL?
        private let questions = Mutex<[(item: PlayerItem, error: PlaybackError)]>([])

        init(_ url: URL?) { self.url = url }

        var asked: [(item: PlayerItem, error: PlaybackError)] { questions.withLock(\.self) }

        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
            questions.withLock { $0.append((item, error)) }
            guard let url else { throw Unwilling() }
            return url
        }
    }

    /// Gives none until nobody wants it any more.
    private final class Waiter: MediaURLProvider {
        /// Ends when the question is cancelled.
        let questions = AsyncStream<Void>.makeStream()

        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
            do { try await Task.sleep(for: .seconds(600)) } catch { questions.continuation.finish() }
            throw CancellationError()
        }
    }

    /// A simulated backend that reports when it gets the answer to a refusal.
    private final class AskingBackend: PlaybackBackend {
        let simulated: SimulatedBackend
        let answers = AsyncStream<Void>.makeStream()

        init(clock: ManualClock, script: @escaping @Sendable (URL) -> SimulatedMedia) {
            simulated = SimulatedBackend(clock: clock, script: script)
        }

        var capabilities: BackendCapabilities { simulated.capabilities }
        var commands: [BackendCommand] { simulated.commands }

        var hasNewAddress: Bool {
            commands.contains { if case .readdress = $0 { true } else { false } }
        }

        func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { simulated.start(receive) }

        func send(_ command: BackendCommand) {
            simulated.send(command)
            if case .readdress = command { answers.continuation.yield() }
        }

        func setVideoOutput(_ output: VideoOutput) { simulated.setVideoOutput(output) }

        func answer() async { for await _ in answers.stream { return } }
    }

    let clock = ManualClock()
    private let backend: AskingBackend
    let player: MediaPlayer
    let recorder: EventRecorder

    init() {
        backend = AskingBackend(clock: clock) { url in
            SimulatedMedia(playbackType: .vod, expiry: url == Self.new ? nil : 4)
        }
        player = MediaPlayer(backend: backend, clock: clock)
        recorder = EventRecorder(player)
    }

    /// Lets time pass until the provider is asked and has answered, and then some more.
    private func play(for seconds: Double) async {
        player.load(Self.old, autoPlay: true)
        await clock.advance(by: .seconds(5))
        await backend.answer()
        await clock.advance(by: .seconds(seconds))
    }

    @Test func anExpiredAddressContinuesAtThePosition() async throws {
        let signer = Signer(Self.new)
        player.urlProvider = signer
        await play(for: 20)
        #expect(recorder.states == [.load, .ready, .play, .buffer, .play, .complete])
        #expect(recorder.positions == recorder.positions.sorted())
        let question = try #require(signer.asked.first)
        #expect(signer.asked.count == 1)
        #expect(question.item.url == Self.old)
        #expect(question.error.httpStatus == 403)
        #expect(backend.commands.contains(.readdress(Generation(rawValue: 1), to: Self.new)))
        #expect(recorder.notices.map(\.code) == ["addressRefused"])
    }

    @Test func aRefusalIsReportedWithoutAnotherAddress() async {
        player.urlProvider = Signer(nil)
        await play(for: 1)
        #expect(recorder.states == [.load, .ready, .play, .buffer, .failure])
        #expect(recorder.errors.map(\.httpStatus) == [403])
        #expect(recorder.notices.last?.message == "There is no new address: The subscription is over.")
    }

    @Test func anItemWithoutAProviderFailsAtOnce() async {
        player.load(Self.old, autoPlay: true)
        await clock.advance(by: .seconds(5))
        #expect(recorder.states == [.load, .ready, .play, .failure])
        #expect(!backend.hasNewAddress)
        #expect(recorder.notices.isEmpty)
    }

    @Test func aRemovedProviderIsNotCalled() async {
        player.urlProvider = Signer(Self.new)
        player.load(Self.old, autoPlay: true)
        await clock.advance(by: .seconds(1))
        player.urlProvider = nil
        await clock.advance(by: .seconds(5))
        #expect(recorder.states.last == .failure)
    }

    @Test func stopCancelsTheRequestForAnAddress() async {
        let waiter = Waiter()
        player.urlProvider = waiter
        player.load(Self.old, autoPlay: true)
        await clock.advance(by: .seconds(5))
        #expect(player.snapshot.state == .buffer)
        player.stop()
        for await _ in waiter.questions.stream {}
        #expect(!backend.hasNewAddress, "what was stopped is asked nothing more")
        #expect(recorder.notices.map(\.code) == ["addressRefused"])
    }

    @Test func aPreloadedItemReceivesAnotherAddress() async {
        let signer = Signer(Self.new)
        let expired = URL(string: "https://host/film?token=0")!
        let backend = AskingBackend(clock: clock) { url in
            SimulatedMedia(duration: 10, playbackType: .vod, expiry: url == expired ? 0 : nil)
        }
        let queue = QueuePlayer(backend: backend, clock: clock)
        let recorder = EventRecorder(queue)
        queue.urlProvider = signer
        queue.load([PlayerItem(url: Self.new), PlayerItem(url: expired)], autoPlay: true)
        await clock.advance(by: .seconds(5))
        await backend.answer()
        await clock.advance(by: .seconds(1))
        #expect(queue.snapshot.next?.status == .readyToPlay)
        await clock.advance(by: .seconds(30))
        #expect(recorder.errors.isEmpty)
        #expect(recorder.states.count { $0 == .complete } == 2)
        #expect(signer.asked.count == 1)
    }

    @Test func onlyARefusalMayBeAnExpiry() {
        for (status, suggestsExpiry) in [(401, true), (403, true), (410, true), (404, false), (500, false)] {
            #expect(PlaybackError(.httpStatus, url: nil, httpStatus: status).suggestsExpiry == suggestsExpiry)
        }
        #expect(!PlaybackError(.connectionLost, url: nil).suggestsExpiry)
    }
}
