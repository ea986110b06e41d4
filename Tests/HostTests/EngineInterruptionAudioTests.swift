#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Playback during a call, on an audio server that pauses music and video for calls. The tests run one after another, because all of them play
/// through the server that the environment names.
@MainActor
@Suite(.serialized) struct EngineInterruptionAudioTests {
    /// The frequency of the call, in hertz.
    private static let call = 1000.0

    /// With libVLC, a single item plays through a stream of libVLC, and a queue through the mixer.
    enum Kind: CaseIterable { case item, queue }

    private func onServer(
        _ modules: [String] = [TestAudioServer.givingWay], _ body: @MainActor (TestAudioServer) async throws -> Void
    ) async throws {
        let server = try await TestAudioServer(modules: modules)
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        try await body(server)
    }

    private func player(_ kind: Kind, _ engine: RealEngine) async throws -> (MediaPlayer, EventRecorder) {
        let item = PlayerItem(url: try await MediaFixtures.shared.long(seconds: 120))
        let backend = engine.makeBackend(audio: .pulse)
        // Other tests change the shared session.
        let session = AudioSession(focus: AudioFocus(), notificationCenter: NotificationCenter())
        let player =
            kind == .item
            ? MediaPlayer(backend: backend, audioSession: session)
            : QueuePlayer(items: [item], backend: backend, audioSession: session)
        let recorder = EventRecorder(player)
        if kind == .item { player.load(item, autoPlay: true) } else { player.play() }
        #expect(await reaches(1, recorder))
        return (player, recorder)
    }

    private func reaches(_ position: Double, _ recorder: EventRecorder) async -> Bool {
        await eventually { recorder.positions.contains { $0 >= position } }
    }

    private func interruptions(_ recorder: EventRecorder) -> [PlaybackInterruption] {
        recorder.events.compactMap { if case .interruption(let reported) = $0 { reported } else { nil } }
    }

    private func time(of event: PlayerEvent, _ recorder: EventRecorder) -> Duration? {
        recorder.entries.last { $0.event == event }?.time
    }

    // MARK: Closing

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func aClosedPlayerLeavesTheServer(engine: RealEngine, kind: Kind) async throws {
        try await onServer([]) { server in
            let (player, recorder) = try await player(kind, engine)
            #expect(try await !server.pactl("list", "short", "sink-inputs").isEmpty)
            player.close()
            #expect(try await eventually { try await server.pactl("list", "short", "sink-inputs").isEmpty })
            #expect(recorder.states.last == .idle)
            withExtendedLifetime(player) {}
        }
    }

    // MARK: Calls

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func aCallInterruptsUntilItsEnd(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let (player, recorder) = try await player(kind, engine)
            var standing = 0.0
            let samples = try await server.recording {
                let phone = try await server.tone(Self.call, seconds: 120, role: "phone")
                #expect(await eventually { player.snapshot.state == .pause })
                #expect(player.snapshot.isInterrupted && player.snapshot.wantsToPlay)
                standing = player.position.seconds
                #expect(!(await recorder.event(within: .seconds(2)) { $0 == .state(.play) }))
                phone.signal(SIGTERM)
                #expect(await eventually { player.snapshot.state == .play })
                #expect(await reaches(standing + 1, recorder))
            }
            #expect(interruptions(recorder) == [.began, .ended])
            let began = try #require(time(of: .interruption(.began), recorder))
            let ended = try #require(time(of: .interruption(.ended), recorder))
            let moved = recorder.entries.filter { entry in
                guard case .position(let position) = entry.event else { return false }
                // The engine may report once more where it paused. Playback would move on by two seconds.
                return entry.time > began && entry.time < ended && position > standing + 1
            }
            #expect(moved.isEmpty, "paused at \(standing): \(moved)")
            let heard = ToneDetector.seconds(from: Self.call, to: MediaFixtures.frequency, in: samples)
            #expect(heard != nil, "the call or what comes after it cannot be heard")
            #expect(ToneDetector.seconds(of: Self.call, in: samples) >= 1, "the call is heard alone")
            #expect(!recorder.events.contains { if case .mute = $0 { true } else { false } })
            #expect(!player.isMuted && recorder.errors.isEmpty)
        }
    }

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func aPauseDuringACallStays(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let (player, recorder) = try await player(kind, engine)
            let phone = try await server.tone(Self.call, seconds: 120, role: "phone")
            #expect(await eventually { player.snapshot.isInterrupted })
            player.pause()
            phone.signal(SIGTERM)
            #expect(await eventually { !player.snapshot.isInterrupted })
            let place = player.position.seconds
            #expect(!(await recorder.event(within: .seconds(1)) { $0 == .state(.play) }))
            // Playback would move on by a second.
            #expect(abs(player.position.seconds - place) < 0.5)
            player.play()
            #expect(await reaches(place + 0.5, recorder))
        }
    }

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func playDuringACallOverridesIt(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let (player, recorder) = try await player(kind, engine)
            let samples = try await server.recording {
                let phone = try await server.tone(Self.call, seconds: 120, role: "phone", amplitude: 0.01)
                defer { phone.signal(SIGTERM) }
                #expect(await eventually { player.snapshot.state == .pause })
                player.isMuted = true
                player.isMuted = false
                #expect(player.snapshot.isInterrupted, "unmuting does not end it")
                player.play()
                #expect(!player.snapshot.isInterrupted)
                #expect(await reaches(player.position.seconds + 1.5, recorder))
                #expect(await eventually { player.snapshot.state == .play })
            }
            #expect(ToneDetector.seconds(of: MediaFixtures.frequency, in: samples) >= 0.5)
            #expect(interruptions(recorder) == [.began, .ended])
        }
    }

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func aPausedItemStaysPausedAfterACall(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let (player, recorder) = try await player(kind, engine)
            player.pause()
            #expect(await eventually { player.snapshot.state == .pause })
            let phone = try await server.tone(Self.call, seconds: 0.5, role: "phone")
            _ = try await phone.result
            #expect(!(await recorder.event(within: .seconds(1)) { $0 == .state(.play) }))
            player.play()
            #expect(await reaches(player.position.seconds + 0.5, recorder))
        }
    }

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func anItemLoadedDuringACallWaitsForItsEnd(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let (player, recorder) = try await player(kind, engine)
            let samples = try await server.recording {
                let phone = try await server.tone(Self.call, seconds: 120, role: "phone")
                #expect(await eventually { player.snapshot.isInterrupted })
                let other = PlayerItem(url: try await MediaFixtures.shared.long(seconds: 19))
                switch kind {
                case .item: player.load(other, autoPlay: true)
                default: player.load([other], autoPlay: true)
                }
                #expect(await eventually { interruptions(recorder) == [.began, .ended, .began] })
                #expect(await eventually { player.snapshot.isReady && player.snapshot.state != .play })
                #expect(try await server.hears(Self.call))
                phone.signal(SIGTERM)
                #expect(await eventually { player.snapshot.state == .play })
                #expect(await reaches(player.position.seconds + 1, recorder))
            }
            #expect(interruptions(recorder) == [.began, .ended, .began, .ended])
            let heard = ToneDetector.order(of: [Self.call, MediaFixtures.frequency], in: samples)
            #expect(heard.suffix(2) == [Self.call, MediaFixtures.frequency])
            #expect(heard.count <= 3, "the call is heard alone")
        }
    }

    @Test(arguments: RealEngine.allCases, [(AudioRole.game, false), (.video, true)])
    func theRoleDecidesWhichStreamIsInterrupted(engine: RealEngine, role: (name: AudioRole, givesWay: Bool))
        async throws
    {
        try await onServer { server in
            let (player, recorder) = try await player(.queue, engine)
            player.audioRole = role.name
            #expect(
                try await eventually {
                    try await server.pactl("list", "sink-inputs").contains("\"\(role.name.rawValue)\"")
                })
            let phone = try await server.tone(Self.call, seconds: 0.7, role: "phone")
            _ = try await phone.result
            #expect(await reaches(player.position.seconds + 0.5, recorder))
            #expect(interruptions(recorder) == (role.givesWay ? [.began, .ended] : []))
        }
    }

    @Test(arguments: RealEngine.allCases, BackendContract.cases.filter { $0.id.contains("interruption") })
    func anEngineKeepsTheContract(engine: RealEngine, example: BackendContract.Case) async throws {
        try await onServer { server in
            let (clip, audio) = try await (
                MediaFixtures.shared.long(seconds: 12), MediaFixtures.shared.file("flac")
            )
            let fixtures = BackendFixtures(
                clip: clip, duration: 12, audio: audio, missing: URL(filePath: "/no/such/file.mp4"),
                interrupted: clip
            ) {
                // A stream that begins in the same moment is silenced twice: the server knows it, and the player asks.
                #expect(try await eventually { try await !server.pactl("list", "short", "sink-inputs").isEmpty })
                let phone = try await server.tone(Self.call, seconds: 120, role: "phone")
                return {
                    let isSilent = try await server.silencesCorkedStreamsOnly()
                    #expect(isSilent)
                    phone.signal(SIGTERM)
                }
            }
            let contract = BackendContract(fixtures: fixtures) { engine.makeBackend(audio: .pulse) }
            #expect(try await contract.run(example) == .passed)
        }
    }

    // MARK: Devices

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func aRemovedDevicePausesPlayback(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            let headset = try await server.pactl("load-module", "module-null-sink", "sink_name=headset")
            try await server.pactl("set-default-sink", "headset")
            let (player, recorder) = try await player(kind, engine)
            try await server.pactl("unload-module", headset.trimmingCharacters(in: .whitespacesAndNewlines))
            let reported = PlayerEvent.route(AudioRouteChange(.oldDeviceUnavailable, device: "ci"))
            #expect(await eventually { recorder.events.contains(reported) })
            #expect(player.snapshot.state == .pause && !player.snapshot.wantsToPlay)
            player.play()
            #expect(await reaches(player.position.seconds + 0.5, recorder))
        }
    }

    @Test(arguments: RealEngine.allCases, Kind.allCases)
    func anotherDeviceIsReportedAndPlaybackContinues(engine: RealEngine, kind: Kind) async throws {
        try await onServer { server in
            try await server.pactl("load-module", "module-null-sink", "sink_name=speaker")
            let (player, recorder) = try await player(kind, engine)
            let inputs = try await server.pactl("list", "short", "sink-inputs")
            for input in inputs.split(separator: "\n").compactMap({ $0.split(separator: "\t").first }) {
                try await server.pactl("move-sink-input", String(input), "speaker")
            }
            let reported = PlayerEvent.route(AudioRouteChange(.override, device: "speaker"))
            #expect(await eventually { recorder.events.contains(reported) })
            #expect(await reaches(player.position.seconds + 0.5, recorder))
            #expect(recorder.statesWithoutStalls.filter { $0 != .load } == [.ready, .play])
        }
    }
}
#endif
