import BenchmarkSupport
import FlowplayerIsolation
import Foundation
import Measuring
import Playback

/// The cost of an engine in another process, as ratios to the same player in one process. The pairs alternate.
@MainActor
struct Cost {
    let rounds: Int
    let seconds: Double

    /// Players at once.
    private static let crowd = 50

    func run() async throws -> Bool {
        print("medians of \(rounds) pairs, 30 frames a second, no audio output; CPU of \(seconds) s with frames")
        print("                              isolated  in process   ratio                     bound")
        let clip = try await makeClip("640x360", seconds: 120)
        defer { try? FileManager.default.removeItem(at: clip) }
        var isMet = try await measureStart(clip)
        isMet = try await measurePause(clip) && isMet
        for size in ["1280x720", "1920x1080"] { isMet = try await measurePlayback(size) && isMet }
        return try await measureCrowd() && isMet
    }

    @discardableResult
    private func report(
        _ name: String, _ pairs: [(isolated: Double, inProcess: Double)], bound: Double? = nil
    ) -> Bool {
        let ratios = pairs.map { $0.isolated / $0.inProcess }
        let isMet = bound.map { median(ratios) <= $0 } ?? true
        let limit = bound.map { String(format: "%.2f ", $0) + verdict(isMet) } ?? "-"
        print(
            name.padding(toLength: 28, withPad: " ", startingAt: 0),
            String(
                format: "%9.2f %11.2f   %.3f (%.3f to %.3f)   ", median(pairs.map(\.isolated)),
                median(pairs.map(\.inProcess)), median(ratios), ratios.min()!, ratios.max()!) + limit)
        return isMet
    }

    // MARK: The first frame

    private func measureStart(_ clip: URL) async throws -> Bool {
        var (first, next): ([(Double, Double)], [(Double, Double)]) = ([], [])
        for round in 1...rounds {
            say("first frame, round \(round) of \(rounds)")
            let (isolated, inProcess) = (try await starts(.isolated, clip), try await starts(.inProcess, clip))
            first.append((isolated.first, inProcess.first))
            next.append((isolated.next, inProcess.next))
        }
        let isMet = report("load to first frame, ms", first, bound: 1.05)
        report("  of a later player, ms", next)
        return isMet
    }

    /// The times to the first frame in a new process of the player, in milliseconds.
    private func starts(_ place: Place, _ clip: URL) async throws -> (first: Double, next: Double) {
        let line = try await output(of: "isolation", ["start", place.rawValue, clip.path()])
        let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 2 else { throw Failure(description: "not two figures: \(line)") }
        return (numbers[0], numbers[1])
    }

    // MARK: A command

    private func measurePause(_ clip: URL) async throws -> Bool {
        var times: [Place: [Double]] = [:]
        for round in 1...rounds {
            say("pause, round \(round) of \(rounds)")
            for place in Place.allCases { times[place, default: []] += try await pauses(place, clip) }
        }
        let (isolated, inProcess) = (median(times[.isolated]!), median(times[.inProcess]!))
        let isMet = isolated - inProcess <= 1
        print(
            "pause until its event, ms   ",
            String(format: "%9.2f %11.2f   %.2f more", isolated, inProcess, isolated - inProcess)
                + "                 1 more " + verdict(isMet))
        return isMet
    }

    /// The times between the command and its event, in milliseconds.
    private func pauses(_ place: Place, _ clip: URL) async throws -> [Double] {
        let backend = place.backend()
        let (events, continuation) = AsyncStream.makeStream(of: (BackendEvent.Body, ContinuousClock.Instant).self)
        backend.start { continuation.yield(($0.body, .now)) }
        let generation = Generation(rawValue: 1)
        backend.send(.open(OpenRequest(generation: generation, item: PlayerItem(url: clip), playsWhenReady: true)))
        var times: [Double] = []
        var sent = ContinuousClock.now
        for await (event, time) in events {
            switch event {
            case .playing:
                try await pause(0.1)
                sent = .now
                backend.send(.pause(generation))
            case .paused:
                times.append((time - sent) / .milliseconds(1))
                if times.count == 30 { return times }
                try await pause(0.05)
                backend.send(.play(generation))
            case .failed(let error, _): throw Failure(description: "nothing plays: \(error)")
            default: break
            }
        }
        return times
    }

    // MARK: Playback

    private func measurePlayback(_ size: String) async throws -> Bool {
        let clip = try await makeClip(size, seconds: seconds + 15)
        defer { try? FileManager.default.removeItem(at: clip) }
        var pairs: [(isolated: Usage, inProcess: Usage)] = []
        for round in 1...rounds {
            say("\(size), round \(round) of \(rounds)")
            pairs.append((try await play(.isolated, clip), try await play(.inProcess, clip)))
        }
        let isMet = report("\(size): CPU, s", pairs.map { ($0.isolated.cpu, $0.inProcess.cpu) }, bound: 1.05)
        let (isolated, inProcess) = (pairs.map(\.isolated), pairs.map(\.inProcess))
        let frames = (median(isolated.map { Double($0.frames) }), median(inProcess.map { Double($0.frames) }))
        let (host, engine, spare) = (
            median(isolated.map(\.host)), median(isolated.map(\.engine)), median(isolated.map(\.spare))
        )
        print(String(format: "  frames                     %9.0f %11.0f", frames.0, frames.1))
        print(
            String(
                format: "  memory, MB                 %9.0f %11.0f   host %.0f, engine %.0f, spare %.0f",
                host + engine + spare, median(inProcess.map(\.host)), host, engine, spare))
        return isMet
    }

    private func play(_ place: Place, _ clip: URL) async throws -> Usage {
        try Usage(try await output(of: "isolation", ["play", place.rawValue, clip.path(), "\(seconds)"]))
    }

    // MARK: Many players

    private func measureCrowd() async throws -> Bool {
        say("\(Self.crowd) players")
        let clip = try await makeClip("320x180", seconds: 180)
        defer { try? FileManager.default.removeItem(at: clip) }
        let start = ContinuousClock.now
        let players = (0..<Self.crowd).map { _ in
            let (player, frames) = (MediaPlayer(backend: Place.isolated.backend()), Frames())
            player.videoOutput = .frames(frames)
            player.load(clip, autoPlay: true)
            return (player, frames)
        }
        let plays = await eventually(within: .seconds(120)) {
            players.allSatisfy { $0.position.seconds >= 1 && $1.count > 0 }
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let count = players.count { $0.0.position.seconds >= 1 && $0.1.count > 0 }
        let notices = players.reduce(0) { $0 + $1.0.snapshot.notices.count { $0.notice.code == "engineRestarted" } }
        // A replaced spare process may end meanwhile.
        let engines = ProcessStat.children(of: getpid()).compactMap { try? memory(of: $0) }.reduce(0, +)
        print(
            "\(count) of \(Self.crowd) players play after",
            String(format: "%.1f s; their processes have %.0f MB; %d restarts   ", elapsed, engines, notices)
                + verdict(plays && notices == 0))
        return plays && notices == 0
    }
}
