import BenchmarkSupport
import FlowplayerSDK
import FlyingFox
import Foundation
import Measuring
import Synchronization

/// Records when frames arrive.
final class FrameLog: VideoFrameSink {
    private let log = Mutex<[ContinuousClock.Instant]>([])

    var times: [ContinuousClock.Instant] { log.withLock(\.self) }

    func receive(_ frame: VideoFrame) { log.withLock { $0.append(.now) } }
}

/// The responses of a server.
final class Ledger: Sendable {
    struct Entry {
        let time: ContinuousClock.Instant
        let path: String
        let bytes: Int
    }

    private let log = Mutex<[Entry]>([])

    var entries: [Entry] { log.withLock(\.self) }

    /// The responses after the first `count`, with a path that has the prefix.
    func since(_ count: Int, _ prefix: String) -> [Entry] {
        entries.dropFirst(count).filter { $0.path.hasPrefix(prefix) }
    }

    func serve(_ folder: URL) async throws -> LoopbackServer {
        try await LoopbackServer { request in
            guard let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst()))) else {
                return HTTPResponse(statusCode: .notFound)
            }
            self.log.withLock { $0.append(Entry(time: .now, path: request.path, bytes: data.count)) }
            return HTTPResponse(statusCode: .ok, body: data)
        }
    }
}

/// A view that plays one item, with its own lifecycle.
@MainActor
final class Stage {
    let lifecycle = ApplicationLifecycle(notificationCenter: NotificationCenter())
    let view: FlowplayerView
    let frames = FrameLog()

    init(_ url: URL, policy: BackgroundPolicy = .continueAudio) async throws {
        view = FlowplayerView(lifecycle: lifecycle, notificationCenter: NotificationCenter())
        view.videoOutput = .frames(frames)
        view.backgroundPolicy = policy
        view.autoPlay = true
        try await load(url)
    }

    func load(_ url: URL) async throws {
        let gone = frames.times.count
        view.load(external: MediaExternal(url: url))
        guard await eventually({ view.state == .play && frames.times.count > gone + 5 }) else {
            throw Failure(description: "\(url.lastPathComponent) does not play")
        }
    }

    /// Enters the foreground and waits.
    ///
    /// - Parameter seconds: how long to watch the frames.
    /// - Returns: the time until the first frame, and until frames arrive without a gap, in seconds.
    func returnToForeground(_ seconds: Double = 0) async throws -> (frame: Double, steady: Double) {
        let gone = frames.times.count
        let start = ContinuousClock.now
        lifecycle.leaveBackground()
        guard await eventually({ frames.times.count > gone + 1 }) else {
            throw Failure(description: "no frame after the return")
        }
        try await Task.sleep(until: start + .seconds(seconds))
        let times = Array(frames.times.dropFirst(gone))
        let steady = Array(zip(times, times.dropFirst())).last { $1 - $0 > .milliseconds(100) }?.1 ?? times[0]
        return ((times[0] - start) / .seconds(1), (steady - start) / .seconds(1))
    }
}
