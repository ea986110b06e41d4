import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Testing

/// The asynchronous forms of commands, and the streams of values.
@MainActor
@Suite struct AsyncTests {
    private let clock = ManualClock()
    private static let clip = MediaExternal(url: URL(filePath: "/media/clip.mp4"))

    /// A view in real time.
    private func view(_ media: SimulatedMedia = SimulatedMedia()) -> FlowplayerView {
        FlowplayerView(avPlayer: MediaPlayer(backend: SimulatedBackend(media: media)), notificationCenter: .init())
    }

    /// A view whose time does not pass, so that a load never ends. The task loads the clip.
    private func loading() async -> (FlowplayerView, Task<Void, any Error>) {
        let view = FlowplayerView(
            avPlayer: MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock), notificationCenter: .init())
        let states = view.values(of: \.state)
        let task = Task { try await view.load(Self.clip) }
        for await state in states where state == .load { break }
        return (view, task)
    }

    private struct OtherMedia: Media {
        let preferredPeakBitRate: Double? = nil
    }

    // MARK: Loading

    @Test func aLoadReturnsWhenTheItemIsReady() async throws {
        let view = view()
        try await view.load(Self.clip)
        #expect(view.state == .ready)
        #expect(view.error == nil && !view.isPlaying)
        view.play()
        for await isPlaying in view.values(of: \.isPlaying) where isPlaying { break }
        #expect(view.isPlaying && view.snapshot.wantsToPlay)
        try await view.load(MediaDAI(stream: DAIStreamLive(assetKey: "", backupStream: Self.clip.url)))
        #expect(view.isReady && view.media is MediaDAI)
    }

    @Test func aLoadThrowsTheErrorOfTheItem() async {
        let error = PlaybackError(.mediaNotFound, url: nil)
        let view = view(SimulatedMedia(failure: .init(error: error)))
        await #expect(throws: error) { try await view.load(Self.clip) }
        #expect(view.error == error)
        await #expect(throws: PlaybackError(.pluginMissing, url: nil)) {
            try await view.load(MediaDAI(stream: DAIStreamLive(assetKey: "")))
        }
        await #expect(throws: PlaybackError(.pluginMissing, url: nil)) { try await view.load(OtherMedia()) }
    }

    @Test(arguments: [true, false])
    func aLoadThatIsReplacedThrows(byStop: Bool) async {
        let (view, task) = await loading()
        if byStop { view.stop() } else { view.load(external: MediaExternal(url: URL(filePath: "/media/other.mp4"))) }
        await #expect(throws: CancellationError.self) { try await task.value }
        await clock.advance(by: .seconds(1))
        #expect(view.state == (byStop ? .idle : .ready))
    }

    @Test func aCancelledLoadLeavesNothingBehind() async {
        weak var reference: FlowplayerView?
        do {
            let (view, task) = await loading()
            reference = view
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(view.state == .idle && view.media == nil)
        }
        #expect(reference == nil)
        let cancelled = Task { [view = view()] in
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await view.load(Self.clip) }
            return view.stateList
        }
        #expect(await cancelled.value == [.idle], "nothing is loaded")
    }

    @Test func waitingWithoutAnItemThrows() async {
        let player = MediaPlayer(backend: SimulatedBackend())
        await #expect(throws: CancellationError.self) { try await player.waitUntilReady() }
    }

    // MARK: Seeking

    @Test func aSeekReturnsTrueAtItsTarget() async throws {
        let view = view()
        try await view.load(Self.clip)
        #expect(await view.seek(to: 4))
        #expect(view.position?.seconds == 4)
        #expect(await !view.seek(to: .nan))
        let rigid = self.view(SimulatedMedia(isSeekable: false))
        try await rigid.load(Self.clip)
        #expect(await !rigid.seek(to: 4))
    }

    @Test(arguments: ["seek", "load", "stop", "cancel"])
    func aSeekThatIsReplacedReturnsFalse(by command: String) async throws {
        let view = view(SimulatedMedia(seekDelay: 3600))
        try await view.load(Self.clip)
        let seeks = view.values(of: \.seek)
        let task = Task { await view.seek(to: 4) }
        for await seek in seeks where seek.state == .seeking { break }
        switch command {
        case "seek": view.seek(5)
        case "load": view.load(external: Self.clip)
        case "stop": view.stop()
        default: task.cancel()
        }
        #expect(await !task.value)
    }

    // MARK: Values

    @Test func valuesBeginWithTheCurrentOneAndEndWithThePlayer() async throws {
        var view: FlowplayerView? = view()
        try await view?.load(Self.clip)
        let states = try #require(view?.values(of: \.state))
        let volumes = try #require(view?.avPlayer?.values(of: \.volume))
        view?.volume = 0.5
        view?.volume = 0.5
        view?.stop()
        view = nil
        var seen: [PlayerState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.ready, .idle])
        var loudness: [Double] = []
        for await volume in volumes { loudness.append(volume) }
        #expect(loudness == [1, 0.5])
    }
}
