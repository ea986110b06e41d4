import BenchmarkSupport
import FlowplayerIsolation
import Foundation
import Measuring
import Playback
import Synchronization

/// The end of an engine's process.
enum CrashKind: String, CaseIterable {
    case kill = "SIGKILL"
    case fault = "SIGSEGV"
    case stop = "SIGSTOP"
    case hangingCall = "hanging-call"

    var signal: Int32 {
        switch self {
        case .kill: SIGKILL
        case .fault: SIGSEGV
        case .stop: SIGSTOP
        case .hangingCall: SIGUSR1
        }
    }

    /// A call hangs in a program that has a part for it. The others are those of the product.
    var program: URL? {
        guard self == .hangingCall else { return nil }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "isolation-engine")
    }
}

/// The time of a crash.
enum CrashMoment: String, CaseIterable {
    case opening, playing, seeking, background, queue
}

/// Crashes at random moments, one player for each.
@MainActor
struct Crashes {
    let count: Int
    let seed: UInt64
    let kinds: [CrashKind]

    /// In seconds.
    private static let (medianBound, worstBound, driftBound) = (1.0, 2.0, 0.5)
    /// The growth of the host from the first tenth of the crashes to the last.
    private static let (memoryBound, countBound) = (5.0, 4.0)

    func run() async throws -> Bool {
        let clip = try await makeClip("640x360", seconds: 120)
        let short = try await makeClip("640x360", seconds: 20)
        defer { for file in [clip, short] { try? FileManager.default.removeItem(at: file) } }
        print("\(count) crashes of each kind, seed \(seed); playback continues after, in seconds")
        print("kind          moment      crashes   median   worst   position off by   shown   bounds 1.0, 2.0, 0.5")
        var dice = Dice(seed: seed)
        var (isMet, sizes): (Bool, [ProcessSize]) = (true, [])
        for kind in kinds {
            // The first player has no spare process.
            let first = Crash(kind: kind, moment: .playing, clip: clip, short: short)
            _ = try await first.run(&dice)
            var results: [CrashMoment: [Crash.Result]] = [:]
            for number in 0..<count {
                let moment = CrashMoment.allCases[number % CrashMoment.allCases.count]
                let result = try await Crash(kind: kind, moment: moment, clip: clip, short: short).run(&dice)
                say("\(kind.rawValue) \(number + 1) of \(count), \(moment): \(result)")
                results[moment, default: []].append(result)
                // Threads of the pool that have no work end later.
                sizes.append(.now)
            }
            for moment in CrashMoment.allCases {
                report(kind.rawValue, moment.rawValue, results[moment] ?? [])
            }
            isMet = report(kind.rawValue, "all", results.values.flatMap(\.self), hasBounds: true) && isMet
        }
        return reportSize(sizes) && isMet
    }

    @discardableResult
    private func report(_ kind: String, _ moment: String, _ results: [Crash.Result], hasBounds: Bool = false) -> Bool {
        guard !results.isEmpty else { return true }
        let times = results.map(\.seconds)
        let (middle, worst, drift) = (median(times), times.max()!, results.map(\.drift).max()!)
        let shown = results.map(\.shownDrift).max()!
        let isMet = middle <= Self.medianBound && worst <= Self.worstBound && drift <= Self.driftBound
        print(
            kind.padding(toLength: 13, withPad: " ", startingAt: 0),
            moment.padding(toLength: 11, withPad: " ", startingAt: 0),
            String(format: "%7d %8.2f %7.2f %17.2f %7.2f   ", results.count, middle, worst, drift, shown)
                + (hasBounds ? verdict(isMet) : ""))
        let complaints = Dictionary(grouping: results.compactMap(\.complaint)) { $0 }
        for (complaint, all) in complaints.sorted(by: { $0.key < $1.key }) where !hasBounds {
            print("  MISSED \(all.count) times: \(complaint)")
        }
        return isMet && complaints.isEmpty
    }

    private func reportSize(_ sizes: [ProcessSize]) -> Bool {
        let width = max(1, sizes.count / 10)
        func growth(_ value: (ProcessSize) -> Double) -> (Double, Double) {
            (median(sizes.prefix(width).map(value)), median(sizes.suffix(width).map(value)))
        }
        let values = [
            ("memory, MB", growth(\.megabytes), Self.memoryBound),
            ("threads", growth { Double($0.threads) }, Self.countBound),
            ("descriptors", growth { Double($0.descriptors) }, Self.countBound),
        ]
        var isMet = true
        for (name, (first, last), bound) in values {
            print(
                "host's \(name): \(String(format: "%.1f, then %.1f", first, last)), bound \(Int(bound)) more",
                verdict(last - first <= bound))
            isMet = isMet && last - first <= bound
        }
        return isMet
    }
}

/// A player whose engine crashes once.
@MainActor
struct Crash {
    struct Result: CustomStringConvertible {
        /// The time until playback continues.
        let seconds: Double
        /// The distance of the engine's position from that of the crash, in seconds.
        let drift: Double
        /// The same of the player's position, which never steps back.
        let shownDrift: Double
        /// The events, if they are not the documented ones.
        let complaint: String?

        var description: String {
            String(format: "%.2f s, off by %.2f s, shown %.2f s", seconds, drift, shownDrift) + (complaint ?? "")
        }
    }

    private struct Entry {
        let event: PlayerEvent
        let time: ContinuousClock.Instant
        let position: Double
    }

    /// The events of a player.
    @MainActor
    private final class Story {
        var entries: [Entry] = []
        private var token: ObservationToken?

        init(_ player: MediaPlayer) {
            token = player.observe { [weak self, unowned player] event, _ in
                self?.entries.append(Entry(event: event, time: .now, position: player.position.seconds))
            }
        }

        /// The first `play` after the notice.
        func continuation(after first: Int) -> Entry? {
            entries.dropFirst(first).drop { !$0.event.isRestart }.first { $0.event == .state(.play) }
        }

        var hasSeeked: Bool {
            entries.contains { if case .seek(.seeked, _) = $0.event { true } else { false } }
        }

        /// The events of interest, as text.
        func text(after first: Int) -> [String] {
            entries.dropFirst(first).map(\.event).filter(\.isOfInterest).map(\.text)
        }
    }

    let kind: CrashKind
    let moment: CrashMoment
    let clip: URL
    let short: URL

    func run(_ dice: inout Dice) async throws -> Result {
        let backend = IsolatedBackend(options: ["audio": "none"], program: kind.program)
        let observed = ObservedBackend(backend)
        let player = MediaPlayer(backend: observed)
        let (story, frames) = (Story(player), Frames())
        player.videoOutput = .frames(frames)
        let target = try await prepare(player, backend, &dice)
        guard let engine = await backend.status?.processIdentifier else { throw Failure(description: "no engine") }
        let first = story.entries.count
        kill(engine, kind.signal)
        if kind == .hangingCall { try await become("no call hangs") { hasHangingCall(engine) } }
        let start = ContinuousClock.now
        // Playback moves on after a seek that was answered before a call hangs.
        let position = story.hasSeeked ? player.position.seconds : target ?? player.position.seconds
        try await become("does not continue: \(moment), \(story.text(after: first))") {
            story.continuation(after: first) != nil
        }
        let (next, continued) = (story.continuation(after: first)!, observed.start ?? .infinity)
        try await become("does not keep playing: \(moment)") { player.position.seconds > next.position + 0.2 }
        let text = story.text(after: first)
        try await check(player, frames)
        let result = Result(
            seconds: (next.time - start) / .seconds(1), drift: abs(continued - position),
            shownDrift: abs(next.position - position),
            complaint: isDocumented(text) ? nil : " \(text)")
        player.stop()
        try await pause(0.3)
        return result
    }

    /// Plays until the moment of the crash. Returns the position at which playback has to continue, if it is not the current one.
    private func prepare(_ player: MediaPlayer, _ backend: IsolatedBackend, _ dice: inout Dice) async throws -> Double?
    {
        if moment == .queue {
            player.append([PlayerItem(url: short), PlayerItem(url: short)])
            player.play()
            try await become("no prepared item") { player.snapshot.next?.status == .readyToPlay }
        } else {
            let start = Double.random(in: 1...60, using: &dice)
            player.load(clip, autoPlay: true, startPosition: start)
            if moment == .opening {
                while await backend.status == nil { try await pause(0.001) }
                try await pause(Double.random(in: 0...0.1, using: &dice))
                return player.snapshot.state == .play ? nil : start
            }
            try await become("does not play") {
                player.position.seconds > start + 0.3 && player.snapshot.state == .play
            }
        }
        try await pause(Double.random(in: 0.7...1.7, using: &dice))
        switch moment {
        case .opening, .playing, .queue: return nil
        case .seeking:
            let target = Double.random(in: 1...100, using: &dice)
            player.startSeek(to: target)
            try await pause(Double.random(in: 0...0.05, using: &dice))
            return target
        case .background:
            player.enterBackground(.continueAudio, resumes: true)
            try await pause(Double.random(in: 0...1, using: &dice))
            return nil
        }
    }

    /// Checks that everything that depended on the engine still works.
    private func check(_ player: MediaPlayer, _ frames: Frames) async throws {
        let count = frames.count
        switch moment {
        case .background:
            player.leaveBackground(resumes: true)
            try await become("no frames after the background") { frames.count > count }
        case .queue:
            let item = player.snapshot.item?.number
            try await become("no prepared item again") { player.snapshot.next?.status == .readyToPlay }
            player.startSeek(to: 19.5)
            try await become("the prepared item does not play") {
                player.snapshot.item?.number != item && player.position.seconds > 0.2 && frames.count > count
            }
        default: try await become("no frames") { frames.count > count }
        }
    }

    private func hasHangingCall(_ process: pid_t) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.contains {
            (try? String(contentsOfFile: "/proc/\(process)/task/\($0)/comm", encoding: .utf8)) == "hangs\n"
        }
    }

    private func isDocumented(_ text: [String]) -> Bool {
        let usual = ["log engineRestarted", "state buffer", "state play"]
        switch moment {
        case .playing, .background, .queue: return text == usual
        case .seeking:
            let answers = text.filter { $0.hasPrefix("seek seeked") }
            return text.filter { !answers.contains($0) } == usual && answers.count <= 1
        case .opening:
            // The item may be open, or play already.
            let text = Array(text.drop { $0 != usual[0] })
            return [usual, [usual[0], "state ready", usual[2]], [usual[0], usual[2]]].contains(text)
        }
    }
}

/// A backend, and the position at which its engine has started to play the last time.
private final class ObservedBackend: PlaybackBackend {
    private let backend: IsolatedBackend
    private let position = Mutex(Double?.none)

    init(_ backend: IsolatedBackend) { self.backend = backend }

    var start: Double? { position.withLock(\.self) }
    var capabilities: BackendCapabilities { backend.capabilities }

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {
        backend.start { [weak self] event in
            if case .playing(let position) = event.body { self?.position.withLock { $0 = position } }
            receive(event)
        }
    }

    func send(_ command: BackendCommand) { backend.send(command) }
    func setVideoOutput(_ output: VideoOutput) { backend.setVideoOutput(output) }
}

extension PlayerEvent {
    fileprivate var isRestart: Bool {
        if case .log(let notice) = self { notice.code == "engineRestarted" } else { false }
    }

    fileprivate var isOfInterest: Bool {
        switch self {
        case .state, .log, .error, .seek, .item: true
        default: false
        }
    }
}
