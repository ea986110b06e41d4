import ArgumentParser
import FlowplayerSDK
import Foundation
import Playback
import TestSupport

/// Players that are used at random for a long time: what the process holds stays as it is.
@main
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Plays, seeks, fails and recovers at random, and measures what the process holds.",
        discussion: "Ends with 1 if something grows after the first tenth, or does not play.")

    @Option(help: "How long, in seconds.")
    var seconds = 60.0

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "At once.")
    var viewers = 3

    @Flag(help: "Runs each engine in a separate process.")
    var isolate = false

    @Option(help: "Ends the process of one engine every so many seconds. Needs --isolate.")
    var killEvery: Double?

    @Option(help: "Plays advertisements in each view every so many seconds.")
    var adsEvery: Double?

    @Option(help: "Where to draw what was measured, as SVG.")
    var plot: String?

    @Option(help: "Where to write what was measured, as CSV.")
    var table: String?

    @Flag(help: .hidden)
    var leaks = false

    mutating func validate() throws {
        guard seconds >= 10, viewers > 0 else { throw ValidationError("A soak needs ten seconds and a viewer.") }
        if let killEvery, !isolate || killEvery <= 0 {
            throw ValidationError("--kill-every needs --isolate and a time.")
        }
        if let adsEvery, adsEvery <= 0 { throw ValidationError("--ads-every needs a time above 0.") }
    }

    @MainActor
    func run() async throws {
        setenv("PULSE_SERVER", "unix:/no/such/socket", 1)
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { setenv(name, "", 1) }
        // Like a host that makes its player first: with it the number of heaps is limited.
        _ = BackendRegistry.makeSilentBackend()
        let media = try await SoakMedia()
        let start = ContinuousClock.now
        let engines = SoakEngines(isIsolated: isolate)
        let crowd = (0..<viewers).map {
            SoakViewer(
                seed: seed &* 1000 &+ UInt64($0), media: media, engines: engines, adInterval: adsEvery,
                until: start + .seconds(seconds))
        }
        var curve = SoakCurve()
        let tasks = crowd.map { viewer in Task { await viewer.run() } }
        let killer = Task { await kill(engines) }
        var held: [FileHandle] = []
        // Six hundred samples, but not more than five a second.
        let interval = max(0.2, seconds / 600)
        while ContinuousClock.now < start + .seconds(seconds) {
            curve.add(.now, at: (ContinuousClock.now - start) / .seconds(1))
            // Many, because a busy machine takes few samples.
            if leaks { held += (0..<20).compactMap { _ in FileHandle(forReadingAtPath: "/dev/null") } }
            try await Task.sleep(for: .seconds(interval))
        }
        killer.cancel()
        for task in tasks { await task.value }
        await media.server.stop()
        media.remove()
        var counts = crowd.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
        if isolate { counts["kill"] = engines.kills }
        let story = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print(String(format: "soaked %.0f s with seed %d: ", seconds, Int(seed)) + story)
        print(curve.description)
        try write(curve)
        let left = await leftovers(since: curve)
        let complaints =
            curve.complaints + left + abandonedEngines + crowd.flatMap(\.complaints)
            + superfluousRestarts(counts)
        for complaint in complaints { print("bad:", complaint) }
        if !complaints.isEmpty { throw ExitCode(1) }
    }

    private func kill(_ engines: SoakEngines) async {
        guard let killEvery else { return }
        var dice = Dice(seed: seed)
        while (try? await Task.sleep(for: .seconds(killEvery))) != nil { await engines.kill(&dice) }
    }

    private func superfluousRestarts(_ counts: [String: Int]) -> [String] {
        let (restarts, kills) = (counts["restart", default: 0], counts["kill", default: 0])
        return restarts > kills ? ["\(restarts) restarts after \(kills) kills"] : []
    }

    /// The size of the process without players. Idle threads of the pool do not count.
    private func leftovers(since curve: SoakCurve) async -> [String] {
        guard let first = curve.samples.first?.size else { return [] }
        for _ in 1...300 where ProcessSize.now.threads > first.threads + 12 {
            try? await Task.sleep(for: .milliseconds(100))
        }
        let end = ProcessSize.now
        print("at the beginning: \(first); when all have gone: \(end)")
        return end.threads > first.threads + 12 ? ["players are left: \(end)"] : []
    }

    private func write(_ curve: SoakCurve) throws {
        if let table { try Data(curve.table.utf8).write(to: URL(filePath: table)) }
        guard let plot else { return }
        let title = "\(Int(seconds)) s with seed \(seed): \(curve.description)"
        try Data(SoakPlot(curve: curve, title: title).svg.utf8).write(to: URL(filePath: plot))
    }
}
