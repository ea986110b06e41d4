// The SDK at the same work as startup-peer.
// usage: startup-player FILE SECONDS WARM-UP: after the warm-up, in which the player is there already, prints milliseconds to play and to the first frame, and of CPU time.
//        startup-player --holds FILE: prints how long each call of the public API held the main actor.
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

@MainActor
func measureStart(_ file: URL, seconds: Double, warmUp: Double) async throws {
    let view = FlowplayerView()
    let sink = FirstFrame()
    view.videoOutput = .frames(sink)
    view.autoPlay = true
    let events = view.events
    if warmUp > 0 { try await Task.sleep(for: .seconds(warmUp)) }
    let cpu = cpuMilliseconds()
    let start = ContinuousClock.now
    view.load(external: MediaExternal(url: file))
    let playing = Task { @MainActor in
        for await event in events where event == .state(.play) { return ContinuousClock.now }
        return start
    }
    try await Task.sleep(until: start + .seconds(seconds))
    let figures = [
        (await playing.value - start).milliseconds, ((sink.instant ?? start) - start).milliseconds,
        cpuMilliseconds() - cpu,
    ]
    print(figures.map { String(format: "%.3f", $0) }.joined(separator: " "))
}

/// A socket whose connections are taken by the kernel and never answered.
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
func measureHolds(_ file: URL) async throws {
    var holds: [(call: String, milliseconds: Double)] = []
    func time(_ call: String, _ body: () -> Void) {
        let start = ContinuousClock.now
        body()
        holds.append((call, (ContinuousClock.now - start).milliseconds))
    }
    for url in [file, silentServer()] {
        for _ in 1...20 {
            var view: FlowplayerView?
            time("init") { view = FlowplayerView() }
            time("videoOutput") { view?.videoOutput = .frames(FirstFrame()) }
            view?.autoPlay = true
            var medium: MediaExternal?
            time("MediaExternal") { medium = MediaExternal(url: url) }
            time("load") { view?.load(external: medium!) }
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
            time("load again") { view?.load(external: medium!) }
            try await Task.sleep(for: .milliseconds(50))
            time("stop") { view?.stop() }
            time("drop") { view = nil }
        }
    }
    for call in Set(holds.map(\.call)).sorted() {
        let times = holds.filter { $0.call == call }.map(\.milliseconds).sorted()
        print(call.replacing(" ", with: "-"), times.count, times[times.count / 2], times.last!)
    }
}

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap(Double.init)
if arguments.first == "--holds", arguments.count == 2 {
    try await measureHolds(URL(filePath: arguments.last!))
} else if let file = arguments.first, numbers.count == 2 {
    try await measureStart(URL(filePath: file), seconds: numbers[0], warmUp: numbers[1])
} else {
    exit(2)
}
