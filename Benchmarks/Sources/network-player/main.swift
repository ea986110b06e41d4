// The player at the same work as network-peer.
// usage: network-player URL SECONDS SEEK; prints the same figures.
import FlowplayerSDK
import Foundation
import Synchronization

func cpuMilliseconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

func status(_ name: String) -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
}

final class FirstFrame: VideoFrameSink {
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    var instant: ContinuousClock.Instant? { time.withLock { $0 } }

    func receive(_ frame: VideoFrame) {
        time.withLock { if $0 == nil { $0 = .now } }
    }
}

@MainActor
func measure(_ url: URL, seconds: Double, seek: Double) async throws {
    let view = FlowplayerView()
    let sink = FirstFrame()
    view.videoOutput = .frames(sink)
    view.autoPlay = true
    let events = view.events()
    try await Task.sleep(for: .milliseconds(500))
    let cpu = cpuMilliseconds()
    let start = ContinuousClock.now
    view.load(external: MediaExternal(url: url))
    try await Task.sleep(until: start + .seconds(seconds))
    let cost = cpuMilliseconds() - cpu
    let (threads, memory) = (status("Threads:"), status("VmRSS:") / 1024)
    let firstFrame = ((sink.instant ?? start) - start) / .milliseconds(1)
    var duration = 0.0
    if seek > 0 {
        let seekStart = ContinuousClock.now
        view.seek(seek)
        for await event in events {
            guard case .seek(.seeked, _) = event else { continue }
            duration = (.now - seekStart) / .milliseconds(1)
            break
        }
    }
    print(String(format: "%.3f %.3f %.3f %.0f %.1f", firstFrame, duration, cost, threads, memory))
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[1]), let seconds = Double(arguments[2]),
    let seek = Double(arguments[3])
else { exit(2) }
try await measure(url, seconds: seconds, seek: seek)
