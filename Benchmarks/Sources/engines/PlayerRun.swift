#if GStreamer
import BenchmarkSupport
import Foundation
import Measuring
import Playback

/// One run of a player of this SDK.
@MainActor
struct PlayerRun {
    let subject: Subject

    private func makePlayer() -> (MediaPlayer, Frames) {
        let (player, frames) = (MediaPlayer(backend: subject.makeBackend()!), Frames())
        player.videoOutput = .frames(frames)
        return (player, frames)
    }

    private func play(_ file: URL) async throws -> (MediaPlayer, Frames) {
        let (player, frames) = makePlayer()
        player.load(file, autoPlay: true)
        try await become("nothing plays: \(player.snapshot.error.map { "\($0)" } ?? "")") { frames.count >= 10 }
        return (player, frames)
    }

    func start(_ file: URL) async throws -> Double {
        // The first process is that of this player, and the spare one that of the next.
        if subject.isIsolated { _ = try await firstFrame(file) }
        return try await firstFrame(file)
    }

    private func firstFrame(_ file: URL) async throws -> Double {
        let (player, frames) = makePlayer()
        try await pause(Subject.warmUp)
        let start = ContinuousClock.now
        player.load(file, autoPlay: true)
        try await become("no frame") { frames.first != nil }
        // The spare process starts meanwhile.
        if subject.isIsolated { try await pause(2.5) }
        return (frames.first! - start) / .milliseconds(1)
    }

    func cpu(_ file: URL, seconds: Double) async throws -> Double {
        let (player, _) = try await play(file)
        // The spare process has started by then.
        try await pause(3)
        let processes = [getpid()] + ProcessStat.children(of: getpid())
        let before = try processes.reduce(0) { $0 + (try cpuTime(of: $1)) }
        try await pause(seconds)
        let after = try processes.reduce(0) { $0 + (try cpuTime(of: $1)) }
        guard player.snapshot.state == .play else { throw Failure(description: "it does not play") }
        return (after - before) / seconds * 100
    }

    func seeks(_ file: URL) async throws -> [Double] {
        let (player, frames) = try await play(file)
        player.pause()
        try await become("it does not pause") { player.snapshot.state == .pause }
        var times: [Double] = []
        for target in Subject.targets {
            try await pause(0.3)
            frames.restart()
            let start = ContinuousClock.now
            player.startSeek(to: target)
            try await become("no frame at \(target) s") { frames.first != nil }
            times.append((frames.first! - start) / .milliseconds(1))
        }
        return times
    }

    func crowd(_ file: URL) async throws -> Double {
        let players = (0..<Subject.crowd).map { _ in
            let (player, frames) = makePlayer()
            player.load(file, autoPlay: true)
            return (player: player, frames: frames)
        }
        let all = await eventually(within: .seconds(60)) {
            players.allSatisfy { $0.player.position.seconds >= 1 && $0.frames.count > 0 }
        }
        guard all else {
            let others = players.filter { $0.player.position.seconds < 1 || $0.frames.count == 0 }
            let snapshots = others.map(\.player.snapshot)
            let reasons = Set(snapshots.map { $0.error?.code.name ?? "\($0.state)" })
            let text = reasons.sorted().joined(separator: ", ")
            throw Failure(description: "\(others.count) players do not play: \(text)")
        }
        // The players are still needed here: a release build would close them after their last use.
        return try withExtendedLifetime(players) {
            // A process that is being replaced may end meanwhile.
            ProcessStat.children(of: getpid()).compactMap { try? memory(of: $0) }.reduce(try memory(of: getpid()), +)
        }
    }

    func queue(_ files: [URL]) async throws {
        let items = files.map { PlayerItem(url: $0) }
        let player = QueuePlayer(items: items, backend: subject.makeBackend(audio: .pulse)!)
        player.play()
        try await become("the queue does not end: \(player.snapshot.state)") {
            player.items().isEmpty && player.snapshot.state == .complete
        }
    }
}
#endif
