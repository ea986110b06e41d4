import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// How sessions of one program get on, in virtual time.
@Suite @MainActor struct AudioSessionTests {
    private let clock = ManualClock()
    private let focus = AudioFocus()
    private let center = NotificationCenter()

    /// A session with one player, which plays.
    @MainActor private final class Part {
        let session: AudioSession
        var player: MediaPlayer?
        let backend: SimulatedBackend

        init(_ focus: AudioFocus, _ center: NotificationCenter, _ clock: ManualClock) {
            session = AudioSession(focus: focus, notificationCenter: center)
            backend = SimulatedBackend(clock: clock, media: SimulatedMedia(duration: 600))
            player = MediaPlayer(backend: backend, clock: clock, audioSession: session)
        }

        var state: PlayerState? { player?.snapshot.state }
    }

    private func part() -> Part { Part(focus, center, clock) }

    private func playing(_ options: AudioSession.CategoryOptions = []) async throws -> Part {
        let part = part()
        try part.session.setCategory(.playback, options: options)
        part.player?.load(URL(filePath: "/media/clip.mp4"), autoPlay: true)
        await pass()
        return part
    }

    private func pass() async { await clock.advance(by: .seconds(1)) }

    /// The posts of a session, as words.
    private func posts(of session: AudioSession) -> Posts { Posts(session, center) }

    @MainActor private final class Posts {
        private let reported = Mutex<[String]>([])
        private var tokens: [any NSObjectProtocol] = []
        private let center: NotificationCenter

        var words: [String] { reported.withLock(\.self) }

        init(_ session: AudioSession, _ center: NotificationCenter) {
            self.center = center
            for name in [AudioSession.interruptionNotification, AudioSession.routeChangeNotification] {
                let token = center.addObserver(forName: name, object: session, queue: nil) { [weak self] in
                    let word = Self.word($0)
                    self?.reported.withLock { $0.append(word) }
                }
                tokens.append(token)
            }
        }

        isolated deinit { for token in tokens { center.removeObserver(token) } }

        private nonisolated static func word(_ notification: Notification) -> String {
            func number(_ key: String) -> UInt? { notification.userInfo?[key] as? UInt }
            if let reason = number(AudioSession.routeChangeReasonKey) {
                let device = notification.userInfo?[AudioSession.routeChangeDeviceKey] as? String
                return "route \(AudioSession.RouteChangeReason(rawValue: reason)!) \(device ?? "")"
            }
            let type = number(AudioSession.interruptionTypeKey).flatMap(AudioSession.InterruptionType.init)!
            let options = number(AudioSession.interruptionOptionKey).map(AudioSession.InterruptionOptions.init)
            return "\(type)" + (options.map { $0.contains(.shouldResume) ? " resume" : " stay" } ?? "")
        }
    }

    // MARK: By hand

    @Test(arguments: [true, false])
    func aManualInterruptionSuppressesUntilItsEnd(shouldResume: Bool) async throws {
        let part = try await playing()
        let posts = posts(of: part.session)
        part.session.beginInterruption()
        part.session.beginInterruption()
        #expect(part.state == .pause && part.session.isInterrupted)
        part.session.endInterruption(shouldResume: shouldResume)
        part.session.endInterruption(shouldResume: shouldResume)
        await pass()
        #expect(part.state == (shouldResume ? .play : .pause))
        #expect(!part.session.isInterrupted)
        #expect(posts.words == ["began", shouldResume ? "ended resume" : "ended stay"])
    }

    @Test func aLaterPlayerIsInterruptedToo() async throws {
        let part = try await playing()
        part.session.beginInterruption()
        let late = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock, audioSession: part.session)
        late.load(URL(filePath: "/media/late.mp4"), autoPlay: true)
        await pass()
        #expect(late.snapshot.state == .ready)
        part.session.endInterruption()
        await pass()
        #expect(late.snapshot.state == .play && part.state == .play)
    }

    @Test func anInterruptionOfTheEngineConcernsItsPlayerOnly() async throws {
        let part = try await playing()
        let other = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock, audioSession: part.session)
        other.load(URL(filePath: "/media/other.mp4"), autoPlay: true)
        await pass()
        let posts = posts(of: part.session)
        part.backend.beginInterruption()
        await pass()
        #expect(part.state == .pause && other.snapshot.state == .play)
        part.backend.endInterruption()
        await pass()
        #expect(part.state == .play)
        #expect(posts.words == ["began", "ended resume"])
    }

    @Test func severalInterruptionsLastUntilTheLastEnds() async throws {
        let part = try await playing()
        let posts = posts(of: part.session)
        part.session.beginInterruption()
        part.backend.beginInterruption()
        part.player?.suppress(.interruption)
        await pass()
        part.session.endInterruption()
        part.backend.endInterruption()
        await pass()
        #expect(part.state == .pause)
        part.player?.unsuppress(.interruption)
        await pass()
        #expect(part.state == .play)
        #expect(posts.words == ["began", "ended resume"])
    }

    @Test func aSourceCountsUntilItsTokenIsCancelled() async throws {
        struct Door: InterruptionSource {
            let changes: AsyncStream<InterruptionChange>
        }
        let part = try await playing()
        let (changes, change) = AsyncStream<InterruptionChange>.makeStream()
        let token = part.session.add(Door(changes: changes))
        change.yield(.began("bell"))
        change.yield(.began("voice"))
        change.yield(.ended("bell", shouldResume: true))
        #expect(
            await eventually {
                part.player?.snapshot.interruptions.count == 1 && part.state == .pause
            })
        token.cancel()
        #expect(await eventually { part.player?.snapshot.isInterrupted == false })
        #expect(part.player?.snapshot.shouldPlay == true)
    }

    // MARK: Several sessions

    @Test(arguments: [true, false])
    func aSessionThatBecomesActiveInterruptsTheOthers(byPlaying: Bool) async throws {
        let first = try await playing()
        let posts = posts(of: first.session)
        #expect(first.session.isActive, "a player that plays activates its session")
        let second = part()
        if byPlaying {
            second.player?.load(URL(filePath: "/media/other.mp4"), autoPlay: true)
        } else {
            try second.session.setActive(true)
        }
        await pass()
        #expect(first.state == .pause && second.state != .pause)
        try second.session.setActive(false, options: .notifyOthersOnDeactivation)
        await pass()
        #expect(first.state == .play)
        #expect(second.state == (byPlaying ? .pause : .idle))
        #expect(posts.words == ["began", "ended resume"])
    }

    @Test func othersStayPausedWithoutANotification() async throws {
        let (first, second) = (try await playing(), try await playing())
        #expect(first.state == .pause && second.state == .play)
        try second.session.setActive(false)
        await pass()
        #expect(first.state == .pause && !first.session.isInterrupted)
        first.player?.play()
        await pass()
        #expect(first.state == .play)
    }

    @Test(arguments: [AudioSession.CategoryOptions.mixWithOthers, .duckOthers])
    func aMixingSessionNeitherInterruptsNorIsInterrupted(options: AudioSession.CategoryOptions) async throws {
        let first = try await playing()
        let second = try await playing(options)
        #expect(first.state == .play && second.state == .play)
        let third = try await playing()
        #expect(first.state == .pause && second.state == .play && third.state == .play)
    }

    @Test func duckingKeepsTheReportedVolume() async throws {
        let first = try await playing()
        first.player?.volume = 0.5
        let second = try await playing(.duckOthers)
        #expect(first.player?.volume == 0.5)
        let isDucked = { (part: Part) in
            part.backend.commands.reversed().lazy.compactMap {
                if case .setVolume(let volume) = $0 { volume } else { nil }
            }
            .first
        }
        #expect(isDucked(first) == 0.23)
        first.player?.volume = 1
        #expect(isDucked(first) == 0.46)
        try second.session.setActive(false)
        #expect(isDucked(first) == 1)
        #expect(second.player?.snapshot.isDucked == false)
    }

    @Test func playByTheUserOverridesAnInterruption() async throws {
        let (first, second) = (try await playing(), try await playing())
        #expect(first.state == .pause && second.state == .play)
        first.player?.play()
        await pass()
        #expect(first.state == .play && second.state == .pause)
        second.player?.play()
        await pass()
        #expect(first.state == .pause && second.state == .play)
    }

    @Test func theForegroundHasPriority() async throws {
        let (front, behind) = (try await playing(), part())
        behind.player?.load(URL(filePath: "/media/behind.mp4"))
        behind.player?.enterBackground(.continueAudio)
        await pass()
        #expect(throws: AudioSession.ActivationError.cannotInterruptOthers) { try behind.session.setActive(true) }
        behind.player?.play()
        await pass()
        #expect(front.state == .play && behind.state == .ready)
        #expect(behind.session.isInterrupted)
        try front.session.setActive(false, options: .notifyOthersOnDeactivation)
        await pass()
        #expect(front.state == .pause && behind.state == .play)
    }

    @Test func theSecondOfThreeSessionsResumes() async throws {
        let parts = [try await playing(), try await playing(), try await playing()]
        #expect(parts.map(\.state) == [.pause, .pause, .play])
        try parts[2].session.setActive(false, options: .notifyOthersOnDeactivation)
        await pass()
        #expect(parts.map(\.state) == [.pause, .play, .pause])
        try parts[1].session.setActive(false, options: .notifyOthersOnDeactivation)
        await pass()
        #expect(parts.map(\.state) == [.play, .pause, .pause])
    }

    @Test func aReleasedPlayerChangesNoOther() async throws {
        let (first, second) = (try await playing(), try await playing())
        let third = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock, audioSession: second.session)
        third.load(URL(filePath: "/media/third.mp4"), autoPlay: true)
        await pass()
        let posts = posts(of: first.session)
        second.player = nil
        await pass()
        #expect(third.snapshot.state == .play && first.state == .pause)
        #expect(posts.words.isEmpty)
        third.audioSession = first.session
        await pass()
        #expect(third.snapshot.state == .pause, "it is held as its new session is")
        third.audioSession = AudioSession(focus: AudioFocus(), notificationCenter: center)
        await pass()
        #expect(third.snapshot.state == .play && first.state == .pause)
    }

    @Test func aSessionThatIsDroppedInterruptsNoLonger() async throws {
        let first = try await playing()
        var second: Part? = try await playing()
        #expect(first.state == .pause && second?.state == .play)
        second = nil
        await pass()
        #expect(first.state == .play)
    }

    // MARK: Roles

    @Test(arguments: [
        (AudioSession.Category.playback, AudioSession.Mode.default, AudioRole?.none),
        (.playback, .moviePlayback, .video),
        (.playback, .spokenAudio, .music), (.playAndRecord, .default, .phone), (.playback, .voiceChat, .phone),
        (.ambient, .default, .game),
    ])
    func theCategoryIsTheRole(category: AudioSession.Category, mode: AudioSession.Mode, role: AudioRole?) async throws {
        let part = part()
        try part.session.setCategory(category, mode: mode)
        #expect(part.session.role == role)
        #expect(part.player?.snapshot.role == role)
        #expect(part.backend.commands == (role.map { [.setRole($0)] } ?? []))
        part.player?.audioRole = .event
        try part.session.setMode(.moviePlayback)
        #expect(part.player?.snapshot.role == .event, "what the player says counts for more")
    }

    // MARK: Devices

    @Test func aRemovedDevicePausesAndANewOneDoesNot() async throws {
        let part = try await playing()
        let posts = posts(of: part.session)
        part.backend.changeRoute(AudioRouteChange(.override, device: "speaker"))
        await pass()
        #expect(part.state == .play)
        part.backend.changeRoute(AudioRouteChange(.oldDeviceUnavailable, device: "ci"))
        await pass()
        #expect(part.state == .pause && part.player?.snapshot.wantsToPlay == false)
        #expect(posts.words == ["route override speaker", "route oldDeviceUnavailable ci"])
    }

    @Test func theSessionOfTheProcessIsThatOfPlayers() {
        let player = MediaPlayer(backend: SimulatedBackend(clock: clock), clock: clock)
        #expect(player.audioSession === AudioSession.sharedInstance())
    }
}
