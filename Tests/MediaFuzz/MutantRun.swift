import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport

/// Plays one mutant, and sees how that ends.
@MainActor
struct MutantRun {
    enum Ending: Equatable {
        case complete
        case failure(String)
        /// Neither within the bound.
        case stuck
        /// More than one event that says that it is over, or something after it.
        case twice

        var text: String {
            switch self {
            case .complete: "complete"
            case .failure(let code): "failure \(code)"
            case .stuck: "stuck"
            case .twice: "twice"
            }
        }
    }

    let ending: Ending
    /// In seconds.
    let time: Double
    let frames: Int
    /// The events, if it did not end well.
    let log: String

    /// A longer item is moved to its end, because a file may claim a duration of hours.
    private static let longestPlayback = Duration.seconds(5)
    /// For that end, and for what does not move: a seek that fails and a stall, each tried again, and what a busy machine takes.
    private static let bound = Duration.seconds(40)
    /// How long to check that nothing follows the end.
    private static let silence = Duration.milliseconds(200)

    init(_ mutant: Mutant, folder: URL) async throws {
        let server = mutant.name.format == .hls ? try await Self.serve(mutant) : nil
        let file = folder.appending(path: "\(mutant.name)".replacing("/", with: "-") + ".\(mutant.name.format)")
        if server == nil { try mutant.files[mutant.entry]?.write(to: file) }
        defer { try? FileManager.default.removeItem(at: file) }
        let player = MediaPlayer(backend: BackendRegistry.makeSilentBackend())
        let recorder = EventRecorder(player)
        let sink = CountingSink()
        player.videoOutput = .frames(sink)
        let started = ContinuousClock.now
        player.load(server?.url(for: "/\(mutant.entry)") ?? file, autoPlay: true)
        var isOver = await recorder.isOver(within: Self.longestPlayback)
        if !isOver, let duration = player.snapshot.duration, player.canSeek {
            player.startSeek(to: duration)
            isOver = await recorder.isOver(within: Self.bound)
        } else if !isOver {
            isOver = await recorder.isOver(within: Self.bound)
        }
        time = (ContinuousClock.now - started) / .seconds(1)
        let atEnd = recorder.events.count
        _ = await recorder.event(within: Self.silence) { _ in true }
        let ends = recorder.events.filter(\.isOver)
        if ends.isEmpty {
            ending = .stuck
        } else if ends.count > 1 || recorder.events.count > atEnd {
            ending = .twice
        } else {
            ending = recorder.errors.first.map { .failure($0.code.name) } ?? .complete
        }
        frames = sink.count.load(ordering: .relaxed)
        log =
            recorder.events.filter { !$0.isPosition }.suffix(12).map { "\($0)" }.joined(separator: " ")
            + " at \(player.position.seconds) of \(player.snapshot.duration ?? -1)"
        player.stop()
        await server?.stop()
    }

    private static func serve(_ mutant: Mutant) async throws -> FaultServer {
        let files = mutant.files.map { ("/" + $0.key, $0.value) }
        return try await FaultServer.start(serving: Dictionary(uniqueKeysWithValues: files))
    }
}

private final class CountingSink: VideoFrameSink {
    let count = Atomic(0)

    func receive(_ frame: VideoFrame) {
        // The buffer has as many bytes as the size says.
        _ = frame.pixel(x: frame.width - 1, y: frame.height - 1)
        count.add(1, ordering: .relaxed)
    }
}

extension EventRecorder {
    fileprivate func isOver(within bound: Duration) async -> Bool {
        if events.contains(where: \.isOver) { return true }
        return await event(within: bound, where: \.isOver)
    }
}

extension PlayerEvent {
    fileprivate var isOver: Bool {
        switch self {
        case .state(.complete), .error: true
        default: false
        }
    }
}
