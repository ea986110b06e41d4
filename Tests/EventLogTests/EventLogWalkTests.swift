import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Long random ways through a player's life, which all have to keep the event contract.
@MainActor
@Suite struct EventLogWalkTests {
    /// Some four thousand commands, or two hundred thousand in the long form.
    nonisolated static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 1...2 : 1...100

    @Test(arguments: seeds)
    func whateverIsAskedTheContractIsKept(seed: UInt64) async throws {
        let walk = Walk(seed: seed)
        let whole = try WalkLog(of: walk)
        var part = try WalkLog(of: walk)
        for step in 1...1000 {
            await walk.step()
            // Other tests need the main actor too.
            await Task.yield()
            guard step.isMultiple(of: 50) else { continue }
            // A log that begins and ends in the middle of a player's life has to be as good.
            #expect(try await part.breaches() == [], "step \(step)")
            part = try WalkLog(of: walk)
        }
        #expect(try await whole.breaches() == [])
    }
}

/// Two players that receive random commands, with media that fail in many ways.
@MainActor
private final class Walk: FlowplayerDelegate {
    let clock = ManualClock()
    let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
    private(set) var players: [FlowplayerView] = []
    private var engines: [String: MediaPlayer] = [:]
    private var random: Dice
    private let focus = AudioFocus()
    private var sessions: [String: AudioSession] = [:]

    private static let names = [
        "file", "short", "stalls", "fails", "unopenable", "live", "endless", "sizes", "tracks", "unseekable", "slow",
        "interrupted",
    ]
    private static let reasons: [BackgroundReason] = [.hidden, .locked, .jobStopped, .sleep, .pictureInPicture]
    private static let policies: [BackgroundPolicy] = [.pause, .continueAudio, .continueVideo, .stop]
    private static let numbers = [-1, 0, 0.2, 1, 3, 4.999, 9.8, 10, 99, .nan, .infinity]

    init(seed: UInt64) {
        random = Dice(seed: seed)
        players = ["left", "right"].map { id in
            let backend = SimulatedBackend(clock: clock) { Self.media(named: $0.lastPathComponent) }
            let view = FlowplayerView(
                avPlayer: MediaPlayer(backend: backend, clock: clock, audioSession: session(of: id)),
                lifecycle: lifecycle,
                notificationCenter: NotificationCenter())
            view.id = id
            view.delegate = self
            engines[id] = view.avPlayer
            return view
        }
    }

    /// One of the two interrupts the other whenever it begins, unless it mixes.
    private func session(of id: String) -> AudioSession {
        let session = AudioSession(focus: focus, notificationCenter: NotificationCenter())
        sessions[id] = session
        return session
    }

    private nonisolated static func media(named name: String) -> SimulatedMedia {
        let error = PlaybackError(.connectionFailed, url: nil)
        let tracks = MediaTracks(
            audio: [AudioTrack(id: 1, name: "English"), AudioTrack(id: 2, name: "Deutsch")],
            subtitles: [SubtitleTrack(id: 11, name: "English"), SubtitleTrack(id: 12, name: "Deutsch")])
        return switch name {
        case "short": SimulatedMedia(duration: 0.3)
        case "stalls": SimulatedMedia(stalls: [.init(at: 0, for: 1), .init(at: 1.1, for: 0.7), .init(at: 3, for: 9)])
        case "fails": SimulatedMedia(failure: .init(at: 2.2, error: error))
        case "unopenable": SimulatedMedia(failure: .init(error: error))
        case "live": .live(window: 8)
        case "endless": SimulatedMedia(duration: nil, isSeekable: false, playbackType: .live)
        case "sizes":
            SimulatedMedia(
                sizes: [
                    .init(at: 1, VideoSize(width: 1920, height: 1080)), .init(at: 2, nil),
                    .init(at: 3, VideoSize(width: 640, height: 360)),
                ])
        case "tracks": SimulatedMedia(tracks: tracks, subtitle: 11, metadata: MediaMetadata(title: "Two languages"))
        case "interrupted":
            SimulatedMedia(interruptions: [.init(at: 1, for: 2), .init(at: 4, for: 0.5, shouldResume: false)])
        case "unseekable": SimulatedMedia(isSeekable: false, playbackType: .vod)
        case "slow": SimulatedMedia(loadDelay: 2, seekDelay: 1.3)
        default: SimulatedMedia()
        }
    }

    /// One command, or a few at once, and perhaps some time.
    func step() async {
        for _ in 0...Int.random(in: 0...2, using: &random) { command(players.randomElement(using: &random)!) }
        for player in players.compactMap(\.avPlayer) where player.snapshot.isResolving {
            for await isResolving in player.values(of: \.isResolving) where !isResolving { break }
        }
        await clock.advance(by: pause())
    }

    private func pause() -> Duration {
        switch Int.random(in: 0...4, using: &random) {
        case 0: .zero
        case 1: .nanoseconds(Int.random(in: 1...3000, using: &random))
        case 2, 3: .seconds(Double.random(in: 0...0.5, using: &random))
        default: .seconds(Double.random(in: 0...6, using: &random))
        }
    }

    private func command(_ player: FlowplayerView) {
        let number = Self.numbers.randomElement(using: &random)!
        switch Int.random(in: 0...38, using: &random) {
        case 0: player.load(external: media())
        case 1: player.load(external: media(), startPosition: number)
        case 2: player.load(dai: deferred())
        case 3...7: player.play()
        case 8: player.pause()
        case 9: player.seek(number)
        case 10: player.seek(Double.random(in: 0...10, using: &random))
        case 11: player.seek((player.position?.seconds ?? 0) + Double.random(in: -0.1...0.1, using: &random))
        case 12: player.rate = Float(number)
        case 13: player.rate = .random(in: 0.25...4, using: &random)
        case 14: player.volume = Float(number)
        case 15: player.volume = player.volume.nextDown
        case 16: player.isMuted.toggle()
        case 17: player.stop()
        case 18: player.reload()
        case 19: player.selectTrack(audio: [1, 2, 99].randomElement(using: &random)!)
        case 20: player.selectTrack(subtitle: [11, 12, 1000, -1].randomElement(using: &random)!)
        case 21: player.autoPlay.toggle()
        case 22: player.avPlayer?.suppress(.interruption)
        case 23, 24: player.avPlayer?.unsuppress(.interruption)
        case 25, 26: lifecycle.enterBackground(Self.reasons.randomElement(using: &random)!)
        case 27, 28: lifecycle.leaveBackground(Self.reasons.randomElement(using: &random)!)
        case 29: lifecycle.leaveBackground()
        case 33: sessions[player.id]?.beginInterruption()
        case 34, 35: sessions[player.id]?.endInterruption(shouldResume: Bool.random(using: &random))
        case 36:
            let options: AudioSession.CategoryOptions = [[], .mixWithOthers, .duckOthers].randomElement(using: &random)!
            try? sessions[player.id]?.setCategory(.playback, options: options)
        case 37: try? sessions[player.id]?.setActive(Bool.random(using: &random), options: .notifyOthersOnDeactivation)
        case 30: player.backgroundPolicy = Self.policies.randomElement(using: &random)!
        case 31: player.resumesAfterBackground.toggle()
        default: player.avPlayer = player.avPlayer == nil ? engines[player.id] : nil
        }
    }

    private func media() -> MediaExternal {
        MediaExternal(
            url: URL(filePath: "/media/\(Self.names.randomElement(using: &random)!)"),
            subtitles: Bool.random(using: &random) ? [] : [ExternalSubtitle(url: URL(filePath: "/media/text.vtt"))])
    }

    private func deferred() -> MediaDAI {
        MediaDAI(stream: DAIStreamLive(assetKey: "key", backupStream: Bool.random(using: &random) ? media().url : nil))
    }

    // Commands within a callback, too.
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        guard let player = player as? FlowplayerView, Int.random(in: 0...3, using: &random) == 0 else { return }
        switch state {
        case .idle, .load: break
        case .complete, .failure: player.play()
        default: command(player)
        }
    }
}

/// A log of both players of a walk, from now on until it is read.
@MainActor
private final class WalkLog {
    private let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl").path()
    private let log: EventLogger
    private let tokens: [ObservationToken]

    init(of walk: Walk) throws {
        let log = EventLogger(
            descriptor: open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600), closesDescriptor: true, clock: walk.clock)
        self.log = log
        tokens = walk.players.map { $0.attach(log) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The first breaches, each with the lines that led there.
    func breaches() async throws -> [String] {
        for token in tokens { token.cancel() }
        try #require(log.flush(within: .seconds(120)) && log.error == nil)
        return try await Self.breaches(in: try Data(contentsOf: URL(filePath: path)))
    }

    /// Not on the main actor, which would be busy for seconds.
    @concurrent private static func breaches(in data: Data) async throws -> [String] {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        return try EventLogLinter.breaches(in: data).prefix(3).map { line, breach in
            ([breach.description] + lines[max(0, line - 12)..<line].map(String.init)).joined(separator: "\n")
        }
    }
}
