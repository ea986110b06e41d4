// The player, at the same work as startup-peer.
// usage: startup-player FILE SECONDS WARM-UP   prints milliseconds to play and to the first frame, and of CPU time
//        startup-player --calls FILE           prints how long each call of the public API blocks the main actor
// The player exists during the warm-up, which is in seconds.
import FlowplayerSDK
import Foundation
import Synchronization

func cpuMilliseconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}

final class FirstFrame: VideoFrameSink {
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    var instant: ContinuousClock.Instant? { time.withLock { $0 } }

    func receive(_ frame: VideoFrame) {
        time.withLock { if $0 == nil { $0 = .now } }
    }
}

struct Failure: Error {
    let reason: String
}

@MainActor
func measureStart(_ file: URL, seconds: Double, warmUp: Double) async throws {
    let view = FlowplayerView()
    let sink = FirstFrame()
    view.videoOutput = .frames(sink)
    view.autoPlay = true
    let events = view.events()
    if warmUp > 0 { try await Task.sleep(for: .seconds(warmUp)) }
    let cpu = cpuMilliseconds()
    let start = ContinuousClock.now
    view.load(external: MediaExternal(url: file))
    let playing = Task { @MainActor () -> ContinuousClock.Instant? in
        for await event in events {
            if event == .state(.play) { return .now }
            if case .error = event { return nil }
        }
        return nil
    }
    try await Task.sleep(until: start + .seconds(seconds))
    let used = cpuMilliseconds() - cpu
    // A busy machine may need longer than the run.
    let deadline = start + .seconds(60)
    while sink.instant == nil, .now < deadline { try await Task.sleep(for: .milliseconds(100)) }
    guard let frame = sink.instant, let playing = await playing.value else { throw Failure(reason: "nothing plays") }
    let figures = [(playing - start).milliseconds, (frame - start).milliseconds, used]
    print(figures.map { String(format: "%.3f", $0) }.joined(separator: " "))
}

/// An address at which the kernel accepts connections and no program answers.
func silentServer() -> URL {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(descriptor, $0, length)
            _ = listen(descriptor, 16)
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a.mp4")!
}

@MainActor
func measureCalls(_ file: URL) async throws {
    var calls: [(call: String, milliseconds: Double)] = []
    func time(_ call: String, _ body: () -> Void) {
        let start = ContinuousClock.now
        body()
        calls.append((call, (ContinuousClock.now - start).milliseconds))
    }
    for url in [file, silentServer()] {
        for _ in 1...20 {
            var view: FlowplayerView?
            time(calls.isEmpty ? "first-init" : "init") { view = FlowplayerView() }
            time("videoOutput") { view?.videoOutput = .frames(FirstFrame()) }
            view?.autoPlay = true
            var media: MediaExternal?
            time("MediaExternal") { media = MediaExternal(url: url) }
            time("load") { view?.load(external: media!) }
            try await Task.sleep(for: .milliseconds(150))
            time("pause") { view?.pause() }
            time("play") { view?.play() }
            for step in 1...20 { time("seek") { view?.seek(Double(step) / 4) } }
            time("rate") { view?.rate = 2 }
            time("volume") { view?.volume = 0.5 }
            time("isMuted") { view?.isMuted = true }
            time("read") { _ = (view?.position, view?.duration, view?.state, view?.stateList, view?.isReady) }
            try await Task.sleep(for: .milliseconds(100))
            time("reload") { view?.reload() }
            time("load again") { view?.load(external: media!) }
            try await Task.sleep(for: .milliseconds(50))
            time("stop") { view?.stop() }
            time("drop") { view = nil }
        }
    }
    for call in Set(calls.map(\.call)).sorted() {
        let times = calls.filter { $0.call == call }.map(\.milliseconds).sorted()
        print(call.replacing(" ", with: "-"), times.count, times[times.count / 2], times.last!)
    }
}

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap(Double.init)
if arguments.first == "--calls", arguments.count == 2 {
    try await measureCalls(URL(filePath: arguments.last!))
} else if let file = arguments.first, numbers.count == 2 {
    try await measureStart(URL(filePath: file), seconds: numbers[0], warmUp: numbers[1])
} else {
    exit(2)
}
