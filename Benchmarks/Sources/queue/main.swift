// Measures the audio between the items of a queue, and the cost of a long queue. The peers are libVLC's list player and mpv.
// usage: queue [quick] [FORMAT...], ten minutes in full
import BenchmarkSupport
import FlowplayerSDK
import Foundation
import Measuring
import Playback
import VLCBackend

let arguments = CommandLine.arguments.dropFirst()
let isQuick = arguments.first == "quick"
let formats = arguments.filter { $0 != "quick" }
let folder = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
let itemLength = 2.0
let count = isQuick ? 9 : 31
var missed = 0

let codecs = [
    "flac": ["-c:a", "flac"], "mp3": ["-c:a", "libmp3lame", "-b:a", "192k"], "mp4": ["-c:a", "aac", "-b:a", "160k"],
]

/// Makes items that continue one tone, alternately on the left and on the right.
func makeItems(_ format: String) async throws -> [URL] {
    var items: [URL] = []
    for index in 0..<count {
        let url = folder.appending(path: "\(index).\(format)")
        let tone = Tone.input(
            index.isMultiple(of: 2) ? .left : .right, from: Double(index) * itemLength, seconds: itemLength)
        try await output(of: "ffmpeg", ["-v", "error", "-nostdin", "-y"] + tone + codecs[format]! + [url.path()])
        items.append(url)
    }
    return items
}

@MainActor func playQueue(_ items: [URL]) async throws {
    let player = QueuePlayer(items: items.map { PlayerItem(url: $0) }, backend: LibVLCBackend(audioOutput: .pulse))
    player.play()
    let longest = Duration.seconds(itemLength * Double(count) + 20)
    guard await eventually(within: longest, { player.items().isEmpty && player.snapshot.state == .complete }) else {
        throw Failure(description: "the queue does not end: \(player.snapshot.state)")
    }
}

func play(_ program: String, _ options: [String], _ items: [URL], _ server: TestAudioServer) async throws {
    let environment = ["PULSE_SERVER": server.address, "HOME": folder.path()]
    try await output(of: program, options + items.map { $0.path() }, environment: environment)
}

@MainActor func report(_ name: String, _ transitions: [Recording.Transition], isOurs: Bool) {
    func spread(_ values: [Double]) -> (median: Double, worst: Double) {
        let sorted = values.map { abs($0) }.sorted()
        return sorted.isEmpty ? (.nan, .nan) : (sorted[sorted.count / 2] * 1000, sorted.last! * 1000)
    }
    let gap = spread(transitions.map(\.gap))
    let skipped = spread(transitions.map(\.skipped))
    let isMet = transitions.count == count - 1 && gap.median <= 5 && gap.worst <= 20
    if isOurs, !isMet { missed += 1 }
    print(
        name.padding(toLength: 24, withPad: " ", startingAt: 0),
        String(
            format: "%3d transitions  gap or overlap %6.1f ms, worst %6.1f  "
                + "missing or repeated %5.1f ms, worst %6.1f %@",
            transitions.count, gap.median, gap.worst, skipped.median, skipped.worst,
            isOurs ? verdict(isMet) : ""))
}

@MainActor func measure(_ format: String, _ server: TestAudioServer) async throws {
    let items = try await makeItems(format)
    let players: [(String, @MainActor () async throws -> Void)] = [
        ("queue", { try await playQueue(items) }),
        ("list player", { try await play("queue-peer", [], items, server) }),
        (
            "mpv",
            {
                try await play(
                    "mpv", ["--no-config", "--no-video", "--really-quiet", "--gapless-audio=yes", "--ao=pulse"], items,
                    server)
            }
        ),
    ]
    for (name, body) in players {
        say("\(format), \(name)")
        let recorder = try await Recorder(server, in: folder)
        try await body()
        let transitions = try await recorder.finish().transitions
        for transition in transitions {
            let (gap, skipped) = (transition.gap * 1000, transition.skipped * 1000)
            say(String(format: "  %.2f: gap %.1f, missing %.1f", transition.time, gap, skipped))
        }
        report("\(format), \(name)", transitions, isOurs: name == "queue")
    }
}

/// Measures the cost of ten thousand items.
@MainActor func measureLength() {
    func resident() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
    func time(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .milliseconds(1) }
    let empty = resident()
    var queue = PlaybackQueue((0..<10_000).map { PlayerItem(url: URL(filePath: "/srv/music/album/\($0).flac")) })
    let size = Double(resident() - empty) / 1e6
    queue.jump(to: 0)
    let shuffling = time { queue.shuffle(seed: 7) }
    let moving = time { queue.move(from: 9000, to: 10) }
    let advancing = time { queue.advance() }
    let removing = time { queue.remove(queue.items[5000]) }
    let isMet = size <= 10 && shuffling < 10 && moving < 10
    if !isMet { missed += 1 }
    print(
        String(
            format: "10,000 items: %.1f MB, shuffle %.2f ms, move %.2f ms, advance %.2f ms, remove %.2f ms %@", size,
            shuffling, moving, advancing, removing, verdict(isMet)))
}

await runBenchmark(
    needs: ["ffmpeg": "ffmpeg", "mpv": "mpv", "parec": "pulseaudio-utils", "pulseaudio": "pulseaudio"]
) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    measureLength()
    let server = try await TestAudioServer()
    setenv("PULSE_SERVER", server.address, 1)
    for format in formats.isEmpty ? ["mp3", "flac", "mp4"] : formats {
        guard codecs[format] != nil else { throw Failure(description: "unknown format: \(format)") }
        try await measure(format, server)
    }
    return missed == 0
}
