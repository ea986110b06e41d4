import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The table of `Docs/AudioFocus.md`: an interruption, the background and what the user does meanwhile, in every combination and in
/// virtual time.
@MainActor
@Suite struct InterruptionTableTests {
    enum Background: String, CaseIterable, Sendable {
        case foreground, pause, pauseAndResume, continueAudio, continueVideo, stop

        var policy: BackgroundPolicy? {
            switch self {
            case .foreground: nil
            case .pause, .pauseAndResume: .pause
            case .continueAudio: .continueAudio
            case .continueVideo: .continueVideo
            case .stop: .stop
            }
        }
    }

    enum Action: String, CaseIterable, Sendable {
        case none, pause, play, stop, load, seek
    }

    /// The interruption that ends last.
    enum Course: String, CaseIterable, Sendable {
        case engineOverFirst, engineOverLast, sessionOverFirst, sessionOverLast

        var isEngine: Bool { self == .engineOverFirst || self == .engineOverLast }
        var interruptionEndsFirst: Bool { self == .engineOverFirst || self == .sessionOverFirst }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let background: Background
        let action: Action
        let wasPlaying: Bool
        let meanwhile: PlayerState
        let finally: PlayerState

        var testDescription: String {
            "\(background), \(wasPlaying ? "playing" : "paused"), \(action): \(meanwhile), \(finally)"
        }
    }

    nonisolated static let rows: [Row] = {
        // The states of a player that was playing, in the order of the actions: while both hold, and when both are
        // over.
        let playing: [(Background, meanwhile: [PlayerState], finally: [PlayerState])] = [
            (
                .foreground, [.pause, .pause, .play, .idle, .ready, .pause],
                [.play, .pause, .play, .idle, .play, .play]
            ),
            (.pause, [.pause, .pause, .play, .idle, .ready, .pause], [.pause, .pause, .play, .idle, .ready, .pause]),
            (
                .pauseAndResume, [.pause, .pause, .play, .idle, .ready, .pause],
                [.play, .pause, .play, .idle, .play, .play]
            ),
            (
                .continueAudio, [.pause, .pause, .play, .idle, .ready, .pause],
                [.play, .pause, .play, .idle, .play, .play]
            ),
            (
                .continueVideo, [.pause, .pause, .play, .idle, .ready, .pause],
                [.play, .pause, .play, .idle, .play, .play]
            ),
            (.stop, [.idle, .idle, .idle, .idle, .ready, .idle], [.idle, .idle, .idle, .idle, .play, .idle]),
        ]
        return playing.flatMap { background, meanwhile, finally in
            zip(Action.allCases, zip(meanwhile, finally)).flatMap { action, states in
                // A paused player plays only after a command.
                let decides = action == .play || action == .load
                return [
                    Row(
                        background: background, action: action, wasPlaying: true, meanwhile: states.0, finally: states.1
                    ),
                    Row(
                        background: background, action: action, wasPlaying: false, meanwhile: states.0,
                        finally: states.1 == .play && !decides ? .pause : states.1),
                ]
            }
        }
    }()

    private let clock = ManualClock()
    private let backend: SimulatedBackend
    private let lifecycle: ApplicationLifecycle
    private let session: AudioSession
    private let view: FlowplayerView
    private let recorder: EventRecorder
    /// The configuration is the process's.
    private let lock: TestLock

    init() async {
        lock = await TestLock.acquire(.facade)
        let center = NotificationCenter()
        backend = SimulatedBackend(clock: clock)
        lifecycle = ApplicationLifecycle(notificationCenter: center)
        session = AudioSession(focus: AudioFocus(), notificationCenter: center)
        let player = MediaPlayer(backend: backend, clock: clock, audioSession: session)
        view = FlowplayerView(avPlayer: player, lifecycle: lifecycle, notificationCenter: center)
        recorder = EventRecorder(player)
        view.autoPlay = true
    }

    private func clip(_ name: String) -> MediaExternal { MediaExternal(url: URL(filePath: "/media/\(name).mp4")) }

    private func pass(_ seconds: Double = 0.5) async { await clock.advance(by: .seconds(seconds)) }

    @Test(arguments: rows, Course.allCases)
    func everyCombinationHasItsOutcome(row: Row, course: Course) async {
        view.load(external: clip("one"))
        await pass(2)
        #expect(view.state == .play)
        if !row.wasPlaying { view.pause() }
        if course.isEngine { backend.beginInterruption() } else { session.beginInterruption() }
        await pass()
        #expect(view.state == .pause)
        let place = view.position?.seconds
        if let policy = row.background.policy {
            view.backgroundPolicy = policy
            view.resumesAfterBackground = row.background == .pauseAndResume
            lifecycle.enterBackground(.hidden)
        }
        await pass()
        if row.background != .stop { #expect(view.position?.seconds == place, "it is paused") }
        act(row.action)
        await pass()
        #expect(view.state == row.meanwhile)
        if row.meanwhile == .pause { #expect(view.position?.seconds == (row.action == .seek ? 6 : place)) }

        if course.interruptionEndsFirst { await endInterruption(course) }
        lifecycle.leaveBackground()
        await pass()
        if !course.interruptionEndsFirst { await endInterruption(course) }
        #expect(view.state == row.finally)
        #expect(view.avPlayer?.snapshot.isInterrupted == false)
        if row.action == .seek, row.finally == .play { #expect((view.position?.seconds ?? 0) >= 6) }
        expectTurns()
    }

    private func act(_ action: Action) {
        switch action {
        case .none: break
        case .pause: view.pause()
        case .play: view.play()
        case .stop: view.stop()
        case .load: view.load(external: clip("two"))
        case .seek: view.seek(6)
        }
    }

    private func endInterruption(_ course: Course) async {
        if course.isEngine { backend.endInterruption() } else { session.endInterruption() }
        await pass()
    }

    /// Interruptions begin and end in turn, and nothing plays during one.
    private func expectTurns(_ location: SourceLocation = #_sourceLocation) {
        var isInterrupted = false
        for event in recorder.events {
            switch event {
            case .interruption(let reported):
                #expect(isInterrupted == (reported == .ended), sourceLocation: location)
                isInterrupted = reported == .began
            case .state(.play): #expect(!isInterrupted, sourceLocation: location)
            default: break
            }
        }
        #expect(!isInterrupted, sourceLocation: location)
    }
}
