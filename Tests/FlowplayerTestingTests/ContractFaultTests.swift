import FlowplayerTesting
import Foundation
import Playback
import Synchronization
import Testing

/// Every case of the contract can fail: for each there is a backend that violates it.
@MainActor
@Suite struct ContractFaultTests {
    typealias Fault = TamperedBackend.Fault

    private func contract(_ fault: Fault) -> BackendContract {
        BackendContract(fixtures: .simulated) { TamperedBackend(fault, clock: $0) }
    }

    @Test func aBackendWithoutFaultPasses() async throws {
        let report = await contract(Fault("none", caughtBy: "")).runAll()
        #expect(report.isKept, "\(report)")
        #expect(
            report.skipped.map(\.case.id) == [
                "delivers-frames", "frames-have-square-pixels", "keeps-the-pixels-of-a-frame",
                "delivers-frames-of-the-wanted-size", "shows-its-video-in-a-later-output",
                "shows-its-first-frame-before-it-plays",
                "delivers-no-frames-while-hidden",
            ])
        #expect(report.passed.count == BackendContract.cases.count - report.skipped.count)
        #expect(report.description.contains("\nskipped delivers-frames: The backend does not declare frames.\n"))
    }

    @Test(arguments: faults)
    func aFaultIsCaughtByTheCaseForIt(fault: Fault) async throws {
        let example = try #require(BackendContract.cases.first { $0.id == fault.caughtBy })
        let violation = await #expect(throws: BackendViolation.self) { try await contract(fault).run(example) }
        #expect(violation?.id == example.id)
        #expect(violation?.sentence == example.sentence)
        #expect(violation?.problem.hasSuffix(".") == true)
    }

    @Test func everyCaseHasBeenSeenToFail() {
        #expect(Set(Self.faults.map(\.caughtBy)) == Set(BackendContract.cases.map(\.id)))
        #expect(Set(BackendContract.cases.map(\.id)).count == BackendContract.cases.count)
    }

    @Test func aViolationShowsCommandsAndEvents() async throws {
        let fault = try #require(Self.faults.first { $0.caughtBy == "closes-once" })
        let example = try #require(BackendContract.cases.first { $0.id == "closes-once" })
        let line = #line + 2
        do {
            try await contract(fault).run(example)
            Issue.record("nothing was thrown")
        } catch let violation as BackendViolation {
            #expect(
                violation.description == """
                    FlowplayerTestingTests/ContractFaultTests.swift:\(line): The backend violates closes-once: \
                    \(example.sentence)
                    It did not report closed within 60 s.
                    0.000  > open 1 simulated://media/clip at 0 playing
                    0.100  1 buffered 100
                    0.100  1 opened at 0 duration=2 audio=[1 "English" en] subtitles=[] video=[9 320x180]
                    0.100  1 videoSizeChanged 320x180
                    0.100  1 playing 0
                    0.350  1 time 0.25
                    0.350  > close 1
                    """)
        }
    }

    // MARK: Backends that may stall

    /// Returns the problem of a backend whose events of `time` are replaced; `nil` if it keeps the contract.
    ///
    /// - Parameter times: receives the number of the event, from 1 on, and its position in seconds.
    private func problem(
        _ id: String, mayStall: Bool, _ times: @escaping @Sendable (Int, Double) -> [BackendEvent.Body]
    ) async throws -> String? {
        let fault = Fault(
            "has other times", caughtBy: id, commands: { { [$0] } },
            events: {
                let count = Counter()
                return { event in
                    guard case .time(let position) = event.body else { return [event] }
                    return times(count.next(), position).map(event.with)
                }
            })
        var fixtures = BackendFixtures.simulated
        fixtures.mayStall = mayStall
        let contract = BackendContract(fixtures: fixtures) { TamperedBackend(fault, clock: $0) }
        do {
            try await contract.run(try #require(BackendContract.cases.first { $0.id == id }))
            return nil
        } catch let violation as BackendViolation {
            return violation.problem
        }
    }

    @Test func aStallIsNoViolationWhereABackendMayStall() async throws {
        let stall = { @Sendable (_: Int, position: Double) -> [BackendEvent.Body] in
            [.stalled(position: position), .playing(position: position)]
        }
        let id = "volume-and-mute-disturb-nothing"
        #expect(try await problem(id, mayStall: false, stall)?.hasPrefix("It reported stalled") == true)
        #expect(try await problem(id, mayStall: true, stall) == nil)
    }

    @Test func aPositionMayBeLateAndNeverEarlyWhereABackendMayStall() async throws {
        let id = "the-position-advances"
        let late = { @Sendable (number: Int, _: Double) -> [BackendEvent.Body] in
            number < 7 ? [] : [.time(position: 0.2)]
        }
        #expect(try await problem(id, mayStall: false, late)?.hasPrefix("It was silent") == true)
        #expect(try await problem(id, mayStall: true, late) == nil)
        let early = { @Sendable (number: Int, position: Double) -> [BackendEvent.Body] in
            [.time(position: number < 4 ? position : position + 0.6)]
        }
        #expect(try await problem(id, mayStall: true, early)?.hasPrefix("A step of the playhead") == true)
    }

    @Test func aRateIsThatOfASingleStepWhereABackendMayStall() async throws {
        let id = "plays-at-its-slowest-and-fastest"
        let stalled = { @Sendable (number: Int, position: Double) -> [BackendEvent.Body] in
            [.time(position: number < 4 ? position : max(0, position - 0.4))]
        }
        #expect(try await problem(id, mayStall: false, stalled)?.hasPrefix("It ran at a rate") == true)
        #expect(try await problem(id, mayStall: true, stalled) == nil)
        let slow = { @Sendable (_: Int, position: Double) -> [BackendEvent.Body] in [.time(position: position / 2)] }
        #expect(try await problem(id, mayStall: true, slow)?.hasPrefix("It ran at a rate") == true)
    }

    // MARK: Fixtures

    private func run(_ fixtures: BackendFixtures, _ id: String) async throws -> BackendContract.Outcome {
        let contract = BackendContract(fixtures: fixtures) {
            SimulatedBackend(clock: $0, script: BackendFixtures.simulatedMedia)
        }
        return try await contract.run(try #require(BackendContract.cases.first { $0.id == id }))
    }

    @Test func aMissingFixtureIsAFailure() async throws {
        var fixtures = BackendFixtures.simulated
        fixtures.clip = URL(filePath: "/no/such/clip.mp4")
        await #expect(throws: BackendViolation.self) { try await run(fixtures, "ends-once") }
        fixtures = .simulated
        fixtures.missing = FileManager.default.temporaryDirectory
        await #expect(throws: BackendViolation.self) { try await run(fixtures, "a-missing-file-fails-once") }
        fixtures = .simulated
        fixtures.duration = 1
        await #expect(throws: BackendViolation.self) { try await run(fixtures, "ends-once") }
        fixtures = .simulated
        fixtures.tracks = nil
        await #expect(throws: BackendViolation.self) { try await run(fixtures, "changes-the-audio-track") }
        fixtures = .simulated
        fixtures.title = nil
        await #expect(throws: BackendViolation.self) { try await run(fixtures, "reports-metadata") }
    }

    @Test func withoutALiveStreamItsCasesAreSkipped() async throws {
        var fixtures = BackendFixtures.simulated
        fixtures.live = nil
        let outcome = try await run(fixtures, "a-live-stream-has-no-end")
        #expect(outcome == .skipped(reason: "No live stream was named."))
    }

    @Test func whatABackendDoesNotDeclareIsSkipped() async throws {
        let contract = BackendContract(fixtures: .simulated) { clock in
            SimulatedBackend(
                clock: clock, capabilities: BackendCapabilities(rates: 1...1), script: BackendFixtures.simulatedMedia)
        }
        let report = await contract.runAll()
        #expect(report.isKept, "\(report)")
        #expect(
            report.skipped.map(\.case.id) == [
                "reports-buffered-ranges", "seeks-to-a-keyframe", "a-rate-holds-for-later-items",
                "the-rate-changes-while-it-plays",
                "plays-at-its-slowest-and-fastest", "lists-audio-and-subtitles", "changes-the-audio-track",
                "changes-the-subtitle-track",
                "lists-external-subtitles", "reports-metadata", "reports-the-video-size",
                "plays-the-selected-quality", "delivers-frames", "frames-have-square-pixels",
                "keeps-the-pixels-of-a-frame",
                "delivers-frames-of-the-wanted-size", "shows-its-video-in-a-later-output",
                "shows-its-first-frame-before-it-plays",
                "audio-continues-without-video",
                "delivers-no-frames-while-hidden",
                "the-window-of-a-live-stream-moves", "plays-the-preloaded-item-next",
                "plays-the-preloaded-item-early", "closes-the-preloaded-item", "reports-a-failed-preload",
                "reports-an-interruption", "an-interruption-can-be-overridden",
            ])
    }
}

// MARK: - Faults

extension ContractFaultTests {
    nonisolated static let faults =
        openingFaults + playingFaults + seekingFaults + otherFaults + preparingFaults + addressFaults
        + interruptionFaults

    nonisolated private static let openingFaults = [
        Fault("reports opened twice", caughtBy: "opened-comes-once-and-first") { event in
            if case .opened = event.body { [event, event] } else { [event] }
        },
        Fault("plays before it is open", caughtBy: "opened-comes-once-and-first") { event in
            if case .opened = event.body { [event.with(.playing(position: 0)), event] } else { [event] }
        },
        Fault("reports twice the duration", caughtBy: "opened-describes-the-item") { event in
            event.openedAs { OpenedMedia($0, duration: 4, tracks: $0.tracks) }
        },
        Fault("plays unasked", caughtBy: "waits-until-it-is-played") { command in
            command.openedAs { OpenRequest($0, position: $0.startPosition, plays: true) }
        },
        Fault("never starts automatically", caughtBy: "plays-when-it-is-ready") { command in
            command.openedAs { OpenRequest($0, position: $0.startPosition, plays: false) }
        },
        .losingCommands(
            "loses a play that comes early", caughtBy: "plays-after-an-early-play", after: 1, ofAll: 1),
        .losingCommands(
            "loses a pause that comes early", caughtBy: "stays-paused-after-an-early-pause", after: 1, ofAll: 1),
        Fault("begins at the beginning", caughtBy: "starts-at-the-given-position") { command in
            command.openedAs { OpenRequest($0, position: 0, plays: $0.playsWhenReady) }
        },
        Fault("reports a video track where there is none", caughtBy: "plays-audio-alone") { event in
            event.openedAs { media in
                OpenedMedia(
                    media, duration: media.duration,
                    tracks: MediaTracks(audio: media.tracks.audio, video: [VideoTrack(id: 1, width: 1, height: 1)]))
            }
        },
        Fault("fails without a cause", caughtBy: "a-missing-file-fails-once") { event in
            guard case .failed(_, let position) = event.body else { return [event] }
            return [event.with(.failed(PlaybackError(.engineFailed, url: nil), position: position))]
        },
        Fault("fails twice", caughtBy: "a-missing-file-fails-once") { event in
            if case .failed = event.body { [event, event] } else { [event] }
        },
        Fault("forgets what it replaces", caughtBy: "another-opening-closes-the-first") { event in
            event.body == .closed ? [] : [event]
        },
        Fault("closes twice what it replaces", caughtBy: "another-opening-closes-the-first") { event in
            event.body == .closed ? [event, event] : [event]
        },
        Fault("forgets one of many", caughtBy: "of-many-openings-the-last-plays") { event in
            event.body == .closed && event.generation.rawValue == 5 ? [] : [event]
        },
    ]

    nonisolated private static let playingFaults = [
        Fault(
            "goes back a little", caughtBy: "the-position-advances", commands: { { [$0] } },
            events: {
                let count = Counter()
                return { event in
                    guard case .time(let position) = event.body, count.next() == 4 else { return [event] }
                    return [event.with(.time(position: position - 0.4))]
                }
            }),
        Fault("does not report its position", caughtBy: "the-position-advances") { event in
            if case .time = event.body { [] } else { [event] }
        },
        Fault("does not answer a pause", caughtBy: "pauses-and-resumes") { event in
            if case .paused = event.body { [] } else { [event] }
        },
        Fault(
            "runs on after a pause", caughtBy: "pauses-and-resumes", commands: { { [$0] } },
            events: {
                { event in
                    guard case .paused(let position) = event.body else { return [event] }
                    return [event, event.with(.time(position: position)), event.with(.time(position: position + 1))]
                }
            }),
        Fault("forgets where it has received something", caughtBy: "reports-buffered-ranges") { event in
            guard case .bufferedRangesChanged = event.body else { return [event] }
            return [event.with(.bufferedRangesChanged([0...0.5]))]
        },
        Fault("ends twice", caughtBy: "ends-once") { event in
            if case .ended = event.body { [event, event] } else { [event] }
        },
        Fault("reports a position after the end", caughtBy: "ends-once") { event in
            if case .ended = event.body { [event, event.with(.time(position: 2))] } else { [event] }
        },
        Fault("ends before its time", caughtBy: "ends-once") { event in
            guard case .time(let position) = event.body, position >= 1 else { return [event] }
            return position == 1 ? [event.with(.ended(position: 2))] : []
        },
        Fault("never answers a close", caughtBy: "closes-once") { event in event.body == .closed ? [] : [event] },
        Fault("answers a close twice", caughtBy: "closes-once") { event in
            event.body == .closed ? [event, event] : [event]
        },
        .losingCommands(
            "closes only the open item", caughtBy: "closes-an-item-that-is-opening", after: 1, ofAll: 1),
        Fault("closes what has ended", caughtBy: "reports-nothing-after-the-end") { event in
            if case .ended = event.body { [event, event.with(.closed)] } else { [event] }
        },
        Fault("opens but once", caughtBy: "opens-again-after-every-end") { command in
            guard case .open(let request) = command, request.generation.rawValue > 1 else { return [command] }
            return []
        },
        .clinging,
    ]

    nonisolated private static let seekingFaults = [
        Fault("misses the target", caughtBy: "seeks-while-it-plays") { event in
            guard case .seeked(let position) = event.body else { return [event] }
            return [event.with(.seeked(position: position + 0.5))]
        },
        Fault("plays after a seek", caughtBy: "seeks-while-it-is-paused") { command in
            if case .seek(let generation, _, _) = command { [command, .play(generation)] } else { [command] }
        },
        .losingCommands(
            "loses a seek that follows a pause", caughtBy: "seeks-right-after-a-pause", after: 2, ofAll: 1),
        Fault("waits for more data at the end", caughtBy: "seeks-close-to-the-end-while-it-is-paused") { command in
            guard case .seek(_, let target, _) = command, target > 1.5 else { return [command] }
            return []
        },
        Fault("goes forwards only", caughtBy: "seeks-back") { command in
            guard case .seek(let generation, let target, _) = command else { return [command] }
            return [.seek(generation, to: max(1.5, target))]
        },
        .losingCommands(
            "heeds the first of many seeks", caughtBy: "of-many-seeks-the-last-counts", after: 2, ofAll: 1000),
        Fault("stays where it is", caughtBy: "seeks-to-a-keyframe") { command in
            guard case .seek(let generation, _, .keyframe) = command else { return [command] }
            return [.pause(generation), .play(generation)]
        },
        Fault("does not seek to the end", caughtBy: "a-seek-to-the-end-ends") { command in
            guard case .seek(let generation, let target, _) = command, target == 2 else { return [command] }
            return [.pause(generation)]
        },
        Fault("is lost past the end", caughtBy: "a-seek-beyond-the-end-is-answered") { event in
            if case .ended = event.body { [event.with(.time(position: 62)), event] } else { [event] }
        },
    ]

    nonisolated private static let otherFaults = [
        Fault(
            "forgets the rate with the item", caughtBy: "a-rate-holds-for-later-items"
        ) { command in
            if case .open = command { [.setRate(1), command] } else { [command] }
        },
        Fault("has one rate", caughtBy: "the-rate-changes-while-it-plays") { command in
            if case .setRate = command { [] } else { [command] }
        },
        Fault("is not as fast as it says", caughtBy: "plays-at-its-slowest-and-fastest") { command in
            if case .setRate(let rate) = command { [.setRate(min(rate, 2))] } else { [command] }
        },
        Fault("stops when the audio is muted", caughtBy: "volume-and-mute-disturb-nothing") { command in
            command == .setVolume(0) ? [.pause(Generation(rawValue: 1)), .play(Generation(rawValue: 1))] : [command]
        },
        .losingCommands("is overwhelmed", caughtBy: "a-hundred-commands-at-once", after: 50, ofAll: 1000),
        Fault("heeds every generation", caughtBy: "ignores-other-generations") { command in
            if case .seek(_, let target, _) = command {
                [.seek(Generation(rawValue: 1), to: target)]
            } else {
                [command]
            }
        },
        Fault("gives all subtitle tracks the same number", caughtBy: "lists-audio-and-subtitles") { event in
            event.openedAs { media in
                let texts = media.tracks.subtitles.map { SubtitleTrack(id: 3, name: $0.name) }
                let tracks = MediaTracks(audio: media.tracks.audio, subtitles: texts)
                return OpenedMedia(media, duration: media.duration, tracks: tracks)
            }
        },
        Fault("selects another audio track", caughtBy: "changes-the-audio-track") { event in
            if case .time(1.25) = event.body { [event, event.with(.audioSelected(id: 1))] } else { [event] }
        },
        Fault("shows a text for ever", caughtBy: "changes-the-subtitle-track") { event in
            if case .time = event.body { [event, event.with(.subtitleSelected(id: 3))] } else { [event] }
        },
        Fault("ignores external subtitles", caughtBy: "lists-external-subtitles") { event in
            event.openedAs { media in
                OpenedMedia(media, duration: media.duration, tracks: MediaTracks(audio: media.tracks.audio))
            }
        },
        Fault("keeps the title to itself", caughtBy: "reports-metadata") { event in
            if case .metadataChanged = event.body { [] } else { [event] }
        },
        Fault("keeps the size to itself", caughtBy: "reports-the-video-size") { event in
            if case .videoSizeChanged = event.body { [] } else { [event] }
        },
        Fault("plays one quality", caughtBy: "plays-the-selected-quality") { command in
            if case .selectQuality = command { [] } else { [command] }
        },
        .promisingFrames(caughtBy: "delivers-frames"),
        .promisingFrames(caughtBy: "frames-have-square-pixels"),
        .promisingFrames(caughtBy: "keeps-the-pixels-of-a-frame"),
        .promisingFrames(caughtBy: "delivers-frames-of-the-wanted-size"),
        .promisingFrames(caughtBy: "shows-its-video-in-a-later-output"),
        .promisingFrames(caughtBy: "shows-its-first-frame-before-it-plays"),
        .promisingFrames(caughtBy: "delivers-no-frames-while-hidden"),
        Fault("pauses with the video", caughtBy: "audio-continues-without-video") { command in
            if case .setVideoVisible(false) = command { [.pause(Generation(rawValue: 1))] } else { [command] }
        },
        Fault("knows when a live stream ends", caughtBy: "a-live-stream-has-no-end") { event in
            event.openedAs { OpenedMedia($0, duration: 3600, tracks: $0.tracks) }
        },
        Fault("has a window that does not move", caughtBy: "the-window-of-a-live-stream-moves") { event in
            if case .dvrWindowChanged = event.body { [] } else { [event] }
        },
    ]
}

extension ContractFaultTests {
    nonisolated private static let preparingFaults = [
        Fault("does not report the prepared item", caughtBy: "plays-the-preloaded-item-next") { event in
            event.body == .prepared ? [] : [event]
        },
        Fault("does not begin early", caughtBy: "plays-the-preloaded-item-early") { command in
            if case .open(let request) = command, request.generation.rawValue == 2 { [] } else { [command] }
        },
        Fault("keeps to itself what it closes", caughtBy: "closes-the-preloaded-item") { event in
            event.body == .closed ? [] : [event]
        },
        Fault("keeps to itself what fails", caughtBy: "reports-a-failed-preload") { event in
            if case .failed = event.body { [] } else { [event] }
        },
    ]
}

extension ContractFaultTests {
    nonisolated private static let interruptionFaults = [
        Fault("stops for a role", caughtBy: "a-role-disturbs-nothing") { command in
            command == .setRole(.phone)
                ? [.pause(Generation(rawValue: 1)), .play(Generation(rawValue: 1))] : [command]
        },
        Fault("keeps interruptions to itself", caughtBy: "reports-an-interruption") { event in
            event.body == .interruptionBegan ? [] : [event]
        },
        Fault("never says that an interruption is over", caughtBy: "reports-an-interruption") { event in
            if case .interruptionEnded = event.body { [] } else { [event] }
        },
        Fault("says twice that an interruption is over", caughtBy: "an-interruption-can-be-overridden") { event in
            if case .interruptionEnded = event.body { [event, event] } else { [event] }
        },
        .losingCommands(
            "lets nobody override an interruption", caughtBy: "an-interruption-can-be-overridden", after: 2, ofAll: 1),
    ]
}

extension TamperedBackend.Fault {
    /// Some commands do not arrive: so many after the first ones.
    fileprivate static func losingCommands(
        _ description: String, caughtBy id: String, after first: Int, ofAll count: Int
    ) -> Self {
        Self(
            description, caughtBy: id,
            commands: {
                let counter = Counter()
                return { (first + 1...first + count).contains(counter.next()) ? [] : [$0] }
            }, events: { { [$0] } })
    }

    fileprivate static var clinging: Self {
        var fault = Self("stays alive", caughtBy: "closes-with-its-last-reference")
        fault.clings = true
        return fault
    }

    fileprivate static func promisingFrames(caughtBy id: String) -> Self {
        var fault = Self("promises frames", caughtBy: id)
        fault.features.insert(.frames)
        return fault
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

extension BackendEvent {
    fileprivate func with(_ body: Body) -> BackendEvent {
        BackendEvent(body, generation: generation, hostTime: hostTime)
    }

    fileprivate func openedAs(_ change: (OpenedMedia) -> OpenedMedia) -> [BackendEvent] {
        if case .opened(let media) = body { [with(.opened(change(media)))] } else { [self] }
    }
}

extension BackendCommand {
    fileprivate func openedAs(_ change: (OpenRequest) -> OpenRequest) -> [BackendCommand] {
        if case .open(let request) = self { [.open(change(request))] } else { [self] }
    }
}

extension OpenedMedia {
    fileprivate init(_ media: OpenedMedia, duration: Double?, tracks: MediaTracks) {
        self.init(
            duration: duration, isSeekable: media.isSeekable, playbackType: media.playbackType, tracks: tracks,
            audio: media.audio, subtitle: media.subtitle, dvrWindow: media.dvrWindow, position: media.position)
    }
}

extension OpenRequest {
    fileprivate init(_ request: OpenRequest, position: Double, plays: Bool) {
        self.init(
            generation: request.generation, item: request.item, startPosition: position, playsWhenReady: plays,
            joinsOthers: request.joinsOthers)
    }
}

extension ContractFaultTests {
    nonisolated static let addressFaults = [
        Fault("asks for no address", caughtBy: "asks-for-another-address", events: { $0.isQuestion ? [] : [$0] }),
        Fault(
            "asks for every address twice", caughtBy: "does-not-ask-twice", events: { $0.isQuestion ? [$0, $0] : [$0] }),
        Fault(
            "does not hear that there is no address", caughtBy: "fails-without-another-address",
            commands: { if case .readdress(_, to: nil) = $0 { [] } else { [$0] } }),
        Fault(
            "asks whoever it is", caughtBy: "fails-without-an-answer",
            commands: { command in
                guard case .open(let request) = command else { return [command] }
                return [
                    .open(
                        OpenRequest(
                            generation: request.generation, item: request.item, playsWhenReady: true, canReaddress: true
                        ))
                ]
            }),
    ]
}

extension BackendEvent {
    fileprivate var isQuestion: Bool { if case .addressRefused = body { true } else { false } }
}
