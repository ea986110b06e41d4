// Measures what is heard between the items of a queue, against libVLC's list player and mpv, and what a long queue costs.
// usage: queue [quick] [FORMAT...], twelve minutes in full
import BenchmarkSupport
import FlowplayerSDK
import Foundation
import Sound
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

@MainActor func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

/// Every item goes on where the one before has ended, on the other side.
func makeItems(_ format: String) async throws -> [URL] {
    var items: [URL] = []
    for index in 0..<count {
        let url = folder.appending(path: "\(index).\(format)")
        let tone = Tone.input(
            index.isMultiple(of: 2) ? .left : .right, from: Double(index) * itemLength, seconds: itemLength)
        let result = try await Command(
            "ffmpeg", ["-v", "error", "-nostdin", "-y"] + tone + codecs[format]! + [url.path()]
        ).run()
        guard result.status == 0 else { throw Failure(description: "ffmpeg failed: \(result.errors)") }
        items.append(url)
    }
    return items
}

@MainActor func playQueue(_ items: [URL]) async throws {
    let player = QueuePlayer(items: items.map { PlayerItem(url: $0) }, backend: VLCBackend(audioOutput: .pulse))
    player.play()
    let longest = Duration.seconds(itemLength * Double(count) + 20)
    guard await eventually(within: longest, { player.items().isEmpty && player.snapshot.state == .complete }) else {
        throw Failure(description: "the queue does not end: \(player.snapshot.state)")
    }
}

func play(_ program: String, _ options: [String], _ items: [URL], _ server: TestAudioServer) async throws {
    var command = Command(program, options + items.map { $0.path() })
    command.environment = ["PULSE_SERVER": server.address, "HOME": folder.path()]
    let result = try await command.run()
    guard result.status == 0 else { throw Failure(description: "\(program) failed: \(result.errors)") }
}

@MainActor func report(_ name: String, _ joints: [Recording.Joint], isOurs: Bool) {
    func spread(_ values: [Double]) -> (median: Double, worst: Double) {
        let sorted = values.map { abs($0) }.sorted()
        return sorted.isEmpty ? (.nan, .nan) : (sorted[sorted.count / 2] * 1000, sorted.last! * 1000)
    }
    let silence = spread(joints.map(\.silence))
    let skipped = spread(joints.map(\.skipped))
    let isMet = joints.count == count - 1 && silence.median <= 5 && silence.worst <= 20
    if isOurs, !isMet { missed += 1 }
    print(
        name.padding(toLength: 24, withPad: " ", startingAt: 0),
        String(
            format: "%3d joints  gap or overlap %6.1f ms, worst %6.1f  left out or repeated %5.1f ms, worst %6.1f %@",
            joints.count, silence.median, silence.worst, skipped.median, skipped.worst,
            isOurs ? (isMet ? "met" : "MISSED") : ""))
}

@MainActor func measure(_ format: String, _ server: TestAudioServer) async throws {
    let items = try await makeItems(format)
    let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let players: [(String, @MainActor () async throws -> Void)] = [
        ("queue", { try await playQueue(items) }),
        ("list player", { try await play(directory.appending(path: "queue-peer").path(), [], items, server) }),
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
        let joints = try await recorder.finish().joints
        for joint in joints {
            say(String(format: "  %.2f: gap %.1f skipped %.1f", joint.time, joint.silence * 1000, joint.skipped * 1000))
        }
        report("\(format), \(name)", joints, isOurs: name == "queue")
    }
}

/// What ten thousand items cost.
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
            shuffling, moving, advancing, removing, isMet ? "met" : "MISSED"))
}

do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    measureLength()
    let server = try await TestAudioServer()
    setenv("PULSE_SERVER", server.address, 1)
    for format in formats.isEmpty ? ["mp3", "flac", "mp4"] : formats { try await measure(format, server) }
}
exit(missed == 0 ? 0 : 1)
