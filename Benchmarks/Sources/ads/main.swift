// Measures the gap before and after an advertisement, in recorded audio and in frames, and the position at which the item resumes.
// usage: ads [quick], two minutes in full
import Advertising
import BenchmarkSupport
import FlowplayerSDK
import Foundation
import Measuring
import Playback
import Synchronization
import VLCBackend

let isQuick = CommandLine.arguments.dropFirst().first == "quick"
let folder = FileManager.default.temporaryDirectory.appending(path: "ads-\(UUID().uuidString)")
/// The number of breaks, and the time between them in seconds.
let (breaks, interval) = (isQuick ? 5 : 21, 4.0)
let adLength = 2.0
/// The length of a frame, in seconds.
let frame = 0.04

/// A file with one colour, and a tone on one channel.
func makeFile(_ name: String, _ colour: String, _ channel: Tone.Channel, seconds: Double) async throws -> URL {
    let url = folder.appending(path: "\(name).mp4")
    let video = ["-f", "lavfi", "-i", "color=c=\(colour):size=320x180:rate=25:duration=\(seconds)"]
    let codecs = [
        "-c:v", "libx264", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-shortest",
    ]
    try await output(
        of: "ffmpeg",
        ["-v", "error", "-nostdin", "-y"] + video + Tone.input(channel, seconds: seconds) + codecs + [url.path()])
    return url
}

/// A schedule of breaks in the item, whose advertisement is a file.
func makeSchedule(_ ad: URL) throws -> URL {
    let vast = """
        <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><Linear>
        <Duration>00:00:02</Duration><MediaFiles><MediaFile type="video/mp4">\(ad.absoluteString)</MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    let elements = (1...breaks).map { number in
        let seconds = Int(Double(number) * interval)
        let offset = String(format: "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        return """
            <AdBreak timeOffset="\(offset)" breakType="linear"><AdSource><VASTAdData>\(vast)</VASTAdData></AdSource></AdBreak>
            """
    }
    let url = folder.appending(path: "schedule.xml")
    try Data("<VMAP version=\"1.0\">\(elements.joined())</VMAP>".utf8).write(to: url)
    return url
}

/// Keeps the times at which the colour of the frames changes.
final class Screen: VideoFrameSink {
    private struct State {
        var isRed: Bool?
        var last = ContinuousClock.now
        var gaps: [(toAd: Bool, seconds: Double)] = []
        var black = 0
    }

    private let state = Mutex(State())

    var gaps: [(toAd: Bool, seconds: Double)] { state.withLock(\.gaps) }
    var black: Int { state.withLock(\.black) }

    func receive(_ frame: VideoFrame) {
        guard let pixel = frame.pixel(x: 10, y: 10) else { return }
        let (isRed, isBlue) = (pixel.red > 150, pixel.blue > 150)
        let now = ContinuousClock.now
        state.withLock { state in
            if !isRed, !isBlue { state.black += 1 }
            if let wasRed = state.isRed, wasRed != isRed {
                state.gaps.append((toAd: wasRed, seconds: (now - state.last) / .seconds(1)))
            }
            (state.isRed, state.last) = (isRed, now)
        }
    }
}

/// - Parameter bound: of the worst value, in milliseconds.
@MainActor func report(_ name: String, _ values: [Double], bound: Double) -> Bool {
    let milliseconds = values.map { abs($0) * 1000 }
    let isMet = values.count >= breaks - 1 && milliseconds.max() ?? .infinity <= bound
    print(
        name.padding(toLength: 34, withPad: " ", startingAt: 0),
        String(
            format: "%3d  median %6.1f ms, worst %6.1f  %@", values.count, median(milliseconds),
            milliseconds.max() ?? .nan, verdict(isMet)))
    return isMet
}

await runBenchmark(needs: ["ffmpeg": "ffmpeg", "parec": "pulseaudio-utils", "pulseaudio": "pulseaudio"]) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await TestAudioServer()
    setenv("PULSE_SERVER", server.address, 1)
    let film = try await makeFile("film", "red", .left, seconds: Double(breaks + 1) * interval)
    let ad = try await makeFile("ad", "blue", .right, seconds: adLength)
    let schedule = try makeSchedule(ad)

    let recorder = try await Recorder(server, in: folder)
    let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .pulse))
    let view = FlowplayerView(avPlayer: player)
    let screen = Screen()
    view.videoOutput = .frames(screen)
    view.attach(AdPlugin { LibVLCBackend(audioOutput: .pulse) })
    view.autoPlay = true
    view.load(external: MediaExternal(url: film, adSchedule: AdScheduleRemote(url: schedule)))
    let longest = Duration.seconds(Double(breaks + 1) * (interval + adLength) + 60)
    guard await eventually(within: longest, { view.state == .complete }) else {
        throw Failure(description: "the item does not end: \(view.state)")
    }
    let recording = try await recorder.finish()

    let transitions = recording.transitions
    let sides = (recording.left.map { ($0, true) } + recording.right.map { ($0, false) })
        .filter { $0.0.offsets.count > 20 }.sorted { $0.0.start < $1.0.start }
    var (toAd, toItem): ([Double], [Double]) = ([], [])
    for (before, after) in zip(sides, sides.dropFirst()) where before.1 != after.1 {
        let gap = after.0.start - before.0.end
        if before.1 { toAd.append(gap) } else { toItem.append(gap) }
    }
    say("\(transitions.count) transitions")
    // The item plays on the left. Its tone shows the position.
    let parts = recording.left.filter { $0.offsets.count > 20 }
    let positions = zip(parts, parts.dropFirst()).compactMap { before, after -> Double? in
        guard let last = before.last, let first = after.first else { return nil }
        return Recording.wrapped(first - last + after.start - before.end)
    }
    let results = [
        report("audio, item to advertisement", toAd, bound: 100),
        report("audio, advertisement to item", toItem, bound: 100),
        report("frames, item to advertisement", screen.gaps.filter(\.toAd).map(\.seconds), bound: 100),
        report("frames, advertisement to item", screen.gaps.filter { !$0.toAd }.map(\.seconds), bound: 100),
        report("position of the item after it", positions, bound: frame * 1000),
    ]
    print("frames of neither: \(screen.black)")
    return !results.contains(false) && screen.black == 0
}
