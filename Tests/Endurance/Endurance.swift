// Many players in one process. Prints the growth of the process, and exits with 1 if it is too large.
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport

@main
struct Endurance {
    @MainActor
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
            print("usage: endurance cycles|players|failures COUNT FILE-OR-URL")
            exit(2)
        }
        let address = URL(string: arguments[3]).flatMap { $0.scheme == nil ? nil : $0 }
        let url = address ?? URL(filePath: arguments[3])
        do {
            switch arguments[1] {
            case "players": print(try await playAtOnce(count, url))
            case "failures": print(try await fail(count, url))
            default: print(try await cycle(count, url))
            }
        } catch {
            print("bad:", error)
            exit(1)
        }
    }

    /// Create, load, play, stop, drop.
    @MainActor
    private static func cycle(_ count: Int, _ url: URL) async throws -> String {
        let fresh = ProcessSize.now
        try await cycles(20, url)
        // Some threads of the process wait for work of any player. They come and go with the load of the machine.
        let threads = fresh.threads + 8
        let begin = try await ProcessSize.settled(threads: threads)
        try await cycles(100, url)
        let afterHundred = try await ProcessSize.settled(threads: threads)
        try await cycles(max(1, count - 100), url)
        let end = try await ProcessSize.settled(threads: threads)
        let story = "\(count) cycles: \(begin) → \(afterHundred) → \(end)"
        try require(end.descriptors <= begin.descriptors, "descriptors are left: \(story)")
        try require(end.megabytes - afterHundred.megabytes < 10, "memory grows: \(story)")
        return story
    }

    @MainActor
    private static func cycles(_ count: Int, _ url: URL) async throws {
        for number in 1...count {
            let view = FlowplayerView(avPlayer: MediaPlayer())
            view.videoOutput = .frames(PassingSink())
            view.autoPlay = true
            let recorder = view.avPlayer.map { EventRecorder($0) }
            view.load(external: MediaExternal(url: url))
            // Every fifth is dropped while it loads.
            if number.isMultiple(of: 5) { continue }
            let plays = await recorder?.reaches(.play)
            try require(plays == true, "\(recorder?.states ?? []), \(recorder?.errors ?? [])")
            view.stop()
        }
    }

    /// Loads an address that fails, waits for the error, and drops the player.
    @MainActor
    private static func fail(_ count: Int, _ url: URL) async throws -> String {
        func failures(_ count: Int) async throws {
            for _ in 1...count {
                let player = MediaPlayer()
                let recorder = EventRecorder(player)
                player.load(url, autoPlay: true)
                try require(await recorder.reaches(.failure), "\(recorder.states)")
            }
        }
        try await failures(20)
        let begin = try await ProcessSize.settled(threads: ProcessSize.now.threads)
        try await failures(count)
        let end = try await ProcessSize.settled(threads: begin.threads + 8)
        let story = "\(count) failures: \(begin) → \(end)"
        try require(end.descriptors <= begin.descriptors + 8, "descriptors are left: \(story)")
        try require(end.megabytes - begin.megabytes < 10, "memory grows: \(story)")
        return story
    }

    @MainActor
    private static func playAtOnce(_ count: Int, _ url: URL) async throws -> String {
        let players = (1...count).map { _ in MediaPlayer() }
        let recorders = players.map { EventRecorder($0) }
        for player in players { player.load(url, autoPlay: true) }
        for recorder in recorders {
            let completes = await recorder.reaches(.complete, within: .seconds(60))
            try require(completes && recorder.errors.isEmpty, "\(recorder.states), \(recorder.errors)")
            try require(recorder.states.prefix(3) == [.load, .ready, .play], "\(recorder.states)")
        }
        // The first is not counted.
        let heaps = ProcessSize.threadHeaps
        try require(heaps <= max(2, ProcessInfo.processInfo.processorCount), "\(heaps) heaps beside the first")
        return "\(count) players at once have all played: \(ProcessSize.now)"
    }
}

private final class PassingSink: VideoFrameSink {
    func receive(_ frame: VideoFrame) {}
}

extension ProcessSize {
    /// How many heaps the C library has for threads. Each begins at a multiple of 64 MB, and what is in use of it can be written.
    fileprivate static var threadHeaps: Int {
        // Foundation would read no more than the beginning: the file says that its size is 0.
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        let text = String(decoding: maps ?? Data(), as: UTF8.self)
        return text.matches(of: /(?m)^([0-9a-f]+)-[0-9a-f]+ rw-p 0+ 00:00 0\s*$/).count { region in
            UInt64(region.1, radix: 16)?.isMultiple(of: 64 << 20) == true
        }
    }

    /// The size once what was dropped is gone, and its memory with it: players end off the main actor.
    fileprivate static func settled(threads: Int) async throws -> ProcessSize {
        for _ in 1...600 where now.threads > threads { try await Task.sleep(for: .milliseconds(50)) }
        try require(now.threads <= threads, "threads are left: \(now), not \(threads)")
        try await Task.sleep(for: .seconds(1))
        return now
    }
}

private struct EnduranceError: Error, CustomStringConvertible {
    let description: String
}

private func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw EnduranceError(description: message()) }
}
