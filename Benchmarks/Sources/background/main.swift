// Measures the cost of playback in the background, and gaps in audio and video when it starts and ends.
// usage: background [quick | full [PART...]], seven minutes in full; the parts are idle, file, separate and joined
import BenchmarkSupport
import FlowplayerSDK
import Foundation
import Measuring

let isQuick = CommandLine.arguments.dropFirst().first == "quick"
let only = CommandLine.arguments.dropFirst(2)
var missed = 0

/// Prints a line of the table.
@MainActor func report(_ name: String, _ figure: String, bound: String = "-", isMet: Bool? = nil) {
    if isMet == false { missed += 1 }
    let verdict = isMet.map { $0 ? " met" : " MISSED" } ?? ""
    print(
        name.padding(toLength: 58, withPad: " ", startingAt: 0),
        figure.padding(toLength: 34, withPad: " ", startingAt: 0), bound + verdict)
}

/// The median and the worst of figures in seconds, as milliseconds.
func spread(_ values: [Double]) -> String {
    let worst = values.max { abs($0) < abs($1) } ?? .nan
    return String(format: "%.1f ms, worst %.1f", median(values) * 1000, worst * 1000)
}

func pause(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }

@MainActor func measureSeparate(_ media: Media, _ server: TestAudioServer) async throws {
    let rounds = isQuick ? 3 : 10
    let url = try await media.separate(seconds: rounds * 8 + 20)
    let ledger = Ledger()
    let http = try await ledger.serve(url.deletingLastPathComponent())
    let recorder = try await Recorder(server, in: media.folder)
    let stage = try await Stage(http.base.appending(path: "master.m3u8"))
    var (bytes, frames): ([Int], [Double]) = ([], [])
    for round in 1...rounds {
        say("separate audio, round \(round) of \(rounds)")
        try await pause(2)
        let before = ledger.entries.count
        stage.lifecycle.enterBackground()
        try await pause(4)
        bytes.append(ledger.since(before, "/video").reduce(0) { $0 + $1.bytes })
        frames.append(try await stage.returnToForeground().frame)
    }
    try await pause(1)
    let recording = try await recorder.finish()
    let segment = ledger.since(0, "/video").map(\.bytes).max() ?? 0
    report(
        "HLS, separate audio: video fetched after detaching", "\(bytes.max()!) bytes at most",
        bound: "\(segment) (a segment)",
        isMet: bytes.max()! <= segment)
    report("  first frame after the return", spread(frames), bound: "400 ms", isMet: frames.max()! <= 0.4)
    let parts = recording.left.filter { $0.offsets.count > 20 }
    let gap = zip(parts, parts.dropFirst()).map { $1.start - $0.end }.max() ?? 0
    report("  longest gap", String(format: "%.1f ms", gap * 1000), bound: "5 ms", isMet: gap <= 0.005)
    let step = parts.map(\.greatestStep).max() ?? .nan
    report("  missing or repeated", String(format: "%.1f ms", step * 1000), bound: "5 ms", isMet: step <= 0.005)
}

@MainActor func measureJoined(_ media: Media, _ server: TestAudioServer) async throws {
    let rounds = isQuick ? 3 : 10
    let steady = isQuick ? 20.0 : 60
    let seconds = rounds * 13 + Int(steady) + 90
    let url = try await media.joined(seconds: seconds)
    let ledger = Ledger()
    let http = try await ledger.serve(url.deletingLastPathComponent())
    let recorder = try await Recorder(server, in: media.folder)
    let stage = try await Stage(http.base.appending(path: "master.m3u8"))
    var (frames, inSync): ([Double], [Double]) = ([], [])
    for round in 1...rounds {
        say("joined variants, round \(round) of \(rounds)")
        stage.lifecycle.enterBackground()
        try await pause(6)
        let times = try await stage.returnToForeground(6)
        frames.append(times.frame)
        inSync.append(times.steady)
    }
    try await pause(1)
    let transitions = try await recorder.finish().transitions
    if transitions.count != 2 * rounds { say("\(transitions.count) transitions in \(rounds) rounds") }
    for (way, parity) in [("to the audio-only variant", 0), ("back", 1)] {
        let those = transitions.enumerated().filter { $0.offset % 2 == parity }.map(\.element)
        for transition in those {
            say(
                String(
                    format: "%@ at %.2f s: gap %.1f ms, missing %.1f ms", way, transition.time, transition.gap * 1000,
                    transition.skipped * 1000))
        }
        report(
            "HLS, variants: gap (below 0: both audible), \(parity == 0 ? "to audio only" : "back")",
            spread(those.map(\.gap)))
        report("  missing (below 0: repeated)", spread(those.map(\.skipped)))
    }
    report("  first frame after the return", spread(frames))
    report("  video in sync with the audio", spread(inSync))

    say("joined variants, \(Int(steady)) s in the background")
    stage.lifecycle.enterBackground()
    // libVLC first buffers half a minute. It fetches two segments for each that it plays.
    try await pause(30)
    let before = ledger.entries.count
    try await pause(steady)
    let fetched = ledger.since(before, "/")
    let own = Double(try media.size(of: "audio", in: "joined")) / Double(seconds)
    let rate =
        fetched.count > 1
        ? Double(fetched.dropFirst().reduce(0) { $0 + $1.bytes })
            / ((fetched.last!.time - fetched[0].time) / .seconds(1)) : .nan
    report(
        "  bytes per second in the background, of \(Int(own))", String(format: "%.0f, %.3f", rate, rate / own),
        bound: "1.1",
        isMet: rate / own <= 1.1)

    say("joined variants, peer that stops and reopens")
    let naive = try await Recorder(server, in: media.folder)
    stage.lifecycle.leaveBackground()
    stage.view.autoPlay = false
    for _ in 1...(isQuick ? 1 : 4) {
        for name in ["video", "audio"] {
            let position = stage.view.position?.seconds ?? 0
            stage.view.stop()
            stage.view.load(external: MediaExternal(url: http.base.appending(path: "\(name).m3u8")))
            _ = await eventually { stage.view.isReady }
            stage.view.seek(min(position, 30))
            stage.view.play()
            try await pause(2)
        }
    }
    let restarts = try await naive.finish().transitions
    report("  peer that stops and reopens: gap", spread(restarts.map(\.gap)))
}

@MainActor func measureFile(_ media: Media) async throws {
    let seconds = isQuick ? 3.0 : 8
    let url = try await media.file(seconds: 60)
    let stage = try await Stage(url)
    func cost() async throws -> Double {
        try await pause(1)
        let before = cpuTime()
        try await pause(seconds)
        return (cpuTime() - before) / seconds
    }
    var (attached, detached): ([Double], [Double]) = ([], [])
    for round in 1...2 {
        say("mp4 720p, round \(round) of 2")
        attached.append(try await cost())
        stage.lifecycle.enterBackground()
        detached.append(try await cost())
        _ = try await stage.returnToForeground()
    }
    let ratio = median(zip(detached, attached).map { $0 / $1 })
    report(
        "mp4 720p: CPU detached ÷ attached",
        String(format: "%.3f (%.2f %% of a core, %.1f %%)", ratio, median(detached) * 100, median(attached) * 100),
        bound: "0.1",
        isMet: ratio <= 0.1)
}

@MainActor func measureIdle(_ media: Media) async throws {
    let seconds = isQuick ? 5.0 : 20
    let url = try await media.file(seconds: 60)
    func count(_ name: String, _ stage: Stage?, known: Set<Int>) async throws {
        say("idle: \(name)")
        try await pause(3)
        let before = Switches().threads
        try await pause(seconds)
        let after = Switches().threads
        let perMinute = after.map { number, thread in
            (
                number: number, name: thread.name,
                count: Double(thread.count - (before[number]?.count ?? 0)) * 60 / seconds
            )
        }
        .filter { $0.count > 0 }.sorted { $0.count > $1.count }
        let total = perMinute.reduce(0) { $0 + $1.count }
        report("idle, \(name): context switches per minute", String(format: "%.0f", total))
        for thread in perMinute {
            let origin =
                thread.number == Int(getpid())
                ? "main" : known.contains(thread.number) ? "before the item" : "with the item"
            report("  \(thread.name) (\(origin))", String(format: "%.0f", thread.count))
        }
    }
    let known = Set(Switches().threads.keys)
    try await count("no player", nil, known: known)
    let held = try await Stage(url, policy: .pause)
    held.lifecycle.enterBackground()
    try await count("paused by the policy", held, known: known)
    held.view.stop()
    let paused = try await Stage(url)
    paused.lifecycle.enterBackground()
    paused.view.pause()
    try await count("paused by the user", paused, known: known)
}

await runBenchmark(
    needs: ["ffmpeg": "ffmpeg", "parec": "pulseaudio-utils", "pulseaudio": "pulseaudio"]
) {
    let media = try Media()
    defer { media.remove() }
    let server = try await TestAudioServer()
    setenv("PULSE_SERVER", server.address, 1)
    let parts: [(String, @MainActor () async throws -> Void)] = [
        ("idle", { try await measureIdle(media) }), ("file", { try await measureFile(media) }),
        ("separate", { try await measureSeparate(media, server) }),
        ("joined", { try await measureJoined(media, server) }),
    ]
    for (name, body) in parts where only.isEmpty || only.contains(name) { try await body() }
    return missed == 0
}
