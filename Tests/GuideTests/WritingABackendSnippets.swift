import FlowplayerIsolation
import FlowplayerSDK
import FlowplayerTesting
import Foundation

// The code of the guide to backends, word for word.

/// Plays WAV files into nothing, by a clock.
final class SilentBackend: PlaybackBackend {
    let capabilities = BackendCapabilities(rates: 0.25...4)
    private let inputs: AsyncStream<SilentEngine.Input>.Continuation

    init() {
        let (stream, inputs) = AsyncStream.makeStream(of: SilentEngine.Input.self)
        self.inputs = inputs
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(50))
                inputs.yield(.tick)
            }
        }
        // One task owns the engine, and handles one input after another.
        Task {
            var engine = SilentEngine()
            for await input in stream { engine.handle(input) }
            clock.cancel()
        }
    }

    deinit { inputs.finish() }

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { inputs.yield(.start(receive)) }

    func send(_ command: BackendCommand) { inputs.yield(.command(command)) }

    func setVideoOutput(_ output: VideoOutput) {}
}

/// The state of a silent backend. The time is that of the last input.
private struct SilentEngine {
    enum Input {
        case start(@Sendable (BackendEvent) -> Void)
        case command(BackendCommand)
        case tick
    }

    private static let reportInterval = Duration.milliseconds(250)
    private var receive: @Sendable (BackendEvent) -> Void = { _ in }
    /// `none` while no item is open.
    private var generation = Generation.none
    private var isPlaying = false
    private var rate = 1.0
    private var duration = 0.0
    private var position = 0.0
    private var time = Duration.zero
    private var nextReport = Duration.zero

    mutating func handle(_ input: Input) {
        advance(to: ContinuousClock().hostTime)
        switch input {
        case .start(let receive): self.receive = receive
        case .command(let command): handle(command)
        case .tick: break
        }
    }

    private mutating func handle(_ command: BackendCommand) {
        switch command {
        case .open(let request): open(request)
        case .play(generation): play()
        case .pause(generation):
            isPlaying = false
            send(.paused(position: position))
        case .seek(generation, let target, _):
            position = min(target, duration)
            send(.seeked(position: position))
        case .close(generation): finish(.closed)
        case .setRate(let rate): self.rate = rate
        // Silence has no volume. The other commands need a feature that `capabilities` does not name.
        default: break
        }
    }

    private mutating func open(_ request: OpenRequest) {
        finish(.closed)
        generation = request.generation
        do throws(PlaybackError) {
            duration = try wavDuration(of: request.url)
            position = min(request.startPosition, duration)
            let tracks = MediaTracks(audio: [AudioTrack(id: 1, name: "Track 1")])
            send(.buffered(.whole))
            send(
                .opened(
                    OpenedMedia(
                        duration: duration, isSeekable: true, playbackType: .file, tracks: tracks, position: position)))
            if request.playsWhenReady { play() }
        } catch {
            finish(.failed(error, position: request.startPosition))
        }
    }

    private mutating func play() {
        guard !isPlaying else { return }
        isPlaying = true
        nextReport = time + Self.reportInterval
        send(.playing(position: position))
    }

    /// Moves the playhead, and reports what happened meanwhile, each event with its own time.
    private mutating func advance(to now: Duration) {
        while isPlaying {
            let end = time + .seconds((duration - position) / rate)
            let next = min(end, nextReport, now)
            position += (next - time).inSeconds * rate
            time = next
            if next == end { return finish(.ended(position: duration)) }
            guard next == nextReport else { break }
            send(.time(position: position))
            nextReport += Self.reportInterval
        }
        time = now
    }

    private mutating func finish(_ end: BackendEvent.Body) {
        isPlaying = false
        send(end)
        generation = .none
    }

    private func send(_ body: BackendEvent.Body) {
        if generation != .none { receive(BackendEvent(body, generation: generation, hostTime: time)) }
    }
}

/// Reads the duration of a WAV file in seconds, from the sizes of its chunks.
private func wavDuration(of url: URL) throws(PlaybackError) -> Double {
    guard url.isFileURL else { throw PlaybackError(.unsupportedScheme, url: url) }
    guard let data = try? Data(contentsOf: url, options: .alwaysMapped) else {
        throw PlaybackError(.fileNotFound, url: url)
    }
    func number(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) } }
    var bytesPerSecond = 0
    var offset = 12
    while data.starts(with: Data("RIFF".utf8)), offset + 8 <= data.count {
        let (name, size) = (data[offset..<offset + 4], number(at: offset + 4))
        if name == Data("fmt ".utf8), offset + 20 <= data.count { bytesPerSecond = number(at: offset + 16) }
        if name == Data("data".utf8), bytesPerSecond > 0 { return Double(size) / Double(bytesPerSecond) }
        offset += 8 + size + size % 2
    }
    throw PlaybackError(.unrecognisedFormat, url: url)
}

@MainActor
func useSilentBackend() -> FlowplayerView {
    BackendRegistry.shared.register(
        BackendDescriptor(
            name: "silent", summary: "plays WAV files into nothing", schemes: ["file"],
            containers: ["wav", "audio/wav"]
        ) { SilentBackend() })
    return FlowplayerView(backend: "silent")
}

func silentContract(clip: URL, seconds: Double) -> BackendContract {
    let fixtures = BackendFixtures(
        clip: clip, duration: seconds, audio: clip, missing: URL(filePath: "/no/such/file.wav"))
    return BackendContract(fixtures: fixtures) { SilentBackend() }
}

func runEngineProgram() -> Never {
    EngineServer.run(engines: ["silent": { _ in SilentBackend() }])
}

func isolatedSilentBackend() -> IsolatedBackend {
    IsolatedBackend(running: "silent", capabilities: BackendCapabilities(rates: 0.25...4))
}
