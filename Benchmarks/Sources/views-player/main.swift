// The player, with and without a view.
// usage: views-player gtk FILE SECONDS        prints CPU seconds and painted frames of playback in a window of GTK
//        views-player none FILE SECONDS       the same, for frames that nobody draws
//        views-player paused URL SECONDS      prints the wake-ups of each thread of a paused player in a window
//        views-player terminal FILE SECONDS   prints the CPU seconds of drawing 80×24 cells 24 times a second
import FlowplayerGTK
import FlowplayerSDK
import FlowplayerTerminal
import Foundation
import Playback
import Synchronization

/// Ignores frames, or keeps the first ones.
final class Frames: VideoFrameSink {
    let maximumFrameSize: VideoSize?
    private let most: Int
    private let state = Mutex<(count: Int, frames: [VideoFrame])>((0, []))

    init(most: Int = 0, maximumFrameSize: VideoSize? = nil) {
        self.most = most
        self.maximumFrameSize = maximumFrameSize
    }

    var count: Int { state.withLock { $0.count } }
    var first: [VideoFrame] { state.withLock { $0.frames } }

    func receive(_ frame: VideoFrame) {
        state.withLock { state in
            state.count += 1
            if state.frames.count < most { state.frames.append(frame) }
        }
    }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("views-player: \(message)\n".utf8))
    exit(1)
}

/// The CPU time of this process, in seconds.
func cpuTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The voluntary context switches of each thread of this process.
func wakeUps() -> [Int: (name: String, count: Int)] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return numbers.reduce(into: [:]) { threads, number in
        guard let number = Int(number),
            let status = try? String(contentsOfFile: "/proc/self/task/\(number)/status", encoding: .utf8)
        else { return }
        func value(_ name: String) -> String? {
            status.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: "\t").last.map(String.init)
        }
        threads[number] = (value("Name:") ?? "", value("voluntary_ctxt_switches:").flatMap { Int($0) } ?? 0)
    }
}

func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }

@MainActor
func becomesTrue(_ condition: @MainActor () -> Bool) async {
    while !condition() { await pause(0.02) }
}

/// Plays and measures.
///
/// - Parameter frames: returns the number of frames until now.
@MainActor
func measurePlayback(_ view: FlowplayerView, _ file: URL, _ seconds: Double, frames: @escaping @MainActor () -> Int)
    async
{
    view.autoPlay = true
    view.load(external: MediaExternal(url: file))
    await becomesTrue { view.state == .play && frames() >= 10 }
    // The controls hide after 3 s.
    await pause(4)
    let start = (cpu: cpuTime(), frames: frames(), time: ContinuousClock.now)
    await pause(seconds)
    let elapsed = (ContinuousClock.now - start.time) / .seconds(1)
    print(cpuTime() - start.cpu, frames() - start.frames, elapsed)
}

/// Prints the wake-ups of the threads that have any.
///
/// - Parameter own: the threads of the window, which exist before the engine's.
@MainActor
func printWakeUps(_ state: String, _ seconds: Double, own: Set<Int>? = nil) async {
    let before = wakeUps()
    await pause(seconds)
    for (number, thread) in wakeUps().sorted(by: { $0.value.count > $1.value.count }) {
        let count = thread.count - (before[number]?.count ?? 0)
        let isOwn = own?.contains(number) ?? true
        if count > 0 { print(state, number == getpid() ? "main" : isOwn ? "window" : "engine", count, thread.name) }
    }
}

@MainActor
func measurePause(
    _ view: FlowplayerView, _ url: URL, _ seconds: Double, frames: @escaping @MainActor () -> Int
) async {
    // Threads without work end after some seconds.
    await pause(10)
    let own = Set(wakeUps().keys)
    await printWakeUps("empty", seconds)
    view.autoPlay = true
    view.load(external: MediaExternal(url: url))
    await becomesTrue { view.state == .play && frames() >= 10 }
    view.pause()
    await pause(10)
    let painted = frames()
    await printWakeUps("paused", seconds, own: own)
    print("painted", "all", frames() - painted)
}

@MainActor
func measureTerminal(_ file: URL, _ seconds: Double) async {
    var (master, slave): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { fail("no terminal") }
    let reader = Process()
    reader.executableURL = URL(filePath: "/bin/cat")
    reader.standardInput = FileHandle(fileDescriptor: master)
    reader.standardOutput = FileHandle.nullDevice
    do { try reader.run() } catch { fail("\(error)") }
    let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    guard let terminal = try? TerminalView(output: slave, environment: environment) else { fail("no terminal") }

    let view = FlowplayerView()
    let sink = Frames(most: 240, maximumFrameSize: terminal.maximumFrameSize)
    view.videoOutput = .frames(sink)
    view.autoPlay = true
    view.load(external: MediaExternal(url: file))
    await becomesTrue { sink.first.count == 240 }
    view.stop()
    await pause(1)

    terminal.enter()
    let frames = sink.first
    let count = Int(seconds * 24)
    let (cpu, start) = (cpuTime(), ContinuousClock.now)
    // The frames come from a thread, as those of an engine.
    await withCheckedContinuation { done in
        Thread.detachNewThread {
            let first = Date()
            for number in 0..<count {
                terminal.receive(frames[number % frames.count])
                Thread.sleep(until: first + Double(number + 1) / 24)
            }
            done.resume()
        }
    }
    print(cpuTime() - cpu, count, (ContinuousClock.now - start) / .seconds(1))
    terminal.leave()
    reader.terminate()
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let seconds = Double(arguments[3]) else { fail("wrong arguments") }
let url = arguments[2].contains("://") ? URL(string: arguments[2])! : URL(filePath: arguments[2])

/// Ends the program after the work.
func run(_ body: @escaping @MainActor () async -> Void) {
    Task { @MainActor in
        await body()
        fflush(nil)
        _exit(0)
    }
}

switch arguments[1] {
case "gtk", "paused":
    let isPaused = arguments[1] == "paused"
    let status = GTKApplication.run(applicationID: "org.flowplayer.Views") {
        let view = FlowplayerView()
        let window = GTKPlayerWindow(view, width: 960, height: 540)
        window.present()
        run {
            let frames: @MainActor () -> Int = { window.view.paintedFrames }
            if isPaused {
                await measurePause(view, url, seconds, frames: frames)
            } else {
                await measurePlayback(view, url, seconds, frames: frames)
            }
        }
    }
    exit(status)
case "none":
    run {
        let view = FlowplayerView()
        let sink = Frames()
        view.videoOutput = .frames(sink)
        await measurePlayback(view, url, seconds) { sink.count }
    }
    dispatchMain()
case "terminal":
    run { await measureTerminal(url, seconds) }
    dispatchMain()
default: fail("wrong arguments")
}
