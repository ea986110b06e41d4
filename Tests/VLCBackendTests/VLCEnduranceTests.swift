#if VLC
    import FlowplayerSDK
    import FlowplayerTesting
    import Foundation
    import TestSupport
    import Testing

    /// Many players, one after another and all at once, each in a process of its own whose size can be known.
    @Suite(.serialized) struct VLCEnduranceTests {
        /// Ten thousand in the long form.
        static let cycles = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 1000 : 10_000

        @Test func cyclesOfCreateLoadPlayStopDropLeaveNothingBehind() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                await report { try await VLCEnduranceTests.cycles(VLCEnduranceTests.cycles) }
            }
            let story = outcome(result)
            print(story)
            #expect(story.hasPrefix("good"), "\(story)")
        }

        @Test func twoHundredPlayersPlayAtOnce() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                await report { try await VLCEnduranceTests.playAtOnce(200) }
            }
            let story = outcome(result)
            #expect(story.hasPrefix("good"), "\(story)")
        }

        static func cycles(_ count: Int) async throws -> String {
            let url = try await MediaFixtures.shared.solid(colour: "red", size: "160x90", duration: 1)
            let fresh = ProcessSize.now
            try await cycle(url, times: 20)
            // Threads that wait for work are no player's.
            let begin = try await ProcessSize.settled(threads: fresh.threads + 8)
            try await cycle(url, times: 100)
            let afterHundred = try await ProcessSize.settled(threads: begin.threads)
            try await cycle(url, times: count - 100)
            let end = try await ProcessSize.settled(threads: begin.threads)
            let story = "\(begin) → \(afterHundred) → \(end)"
            try require(end.descriptors <= begin.descriptors, "descriptors are left: \(story)")
            try require(end.megabytes - afterHundred.megabytes < 10, "memory grows: \(story)")
            return "\(count) cycles: \(story)"
        }

        @MainActor
        static func cycle(_ url: URL, times: Int) async throws {
            for number in 1...times {
                let view = FlowplayerView(avPlayer: MediaPlayer(backend: VLCBackend(audioOutput: .none)))
                view.videoOutput = .frames(PassingSink())
                view.autoPlay = true
                let recorder = EventRecorder(view.avPlayer!)
                view.load(external: MediaExternal(url: url))
                // Every fifth is dropped while it loads.
                if number.isMultiple(of: 5) { continue }
                try require(await recorder.reaches(.play), "\(recorder.states), \(recorder.errors)")
                view.stop()
            }
        }

        @MainActor
        static func playAtOnce(_ count: Int) async throws -> String {
            let url = try await MediaFixtures.shared.medium("wav")
            let players = (1...count).map { _ in MediaPlayer(backend: VLCBackend(audioOutput: .none)) }
            let recorders = players.map { EventRecorder($0) }
            for player in players { player.load(url, autoPlay: true) }
            for recorder in recorders {
                try require(
                    await recorder.reaches(.complete, within: .seconds(60)), "\(recorder.states), \(recorder.errors)")
                try require(recorder.errors.isEmpty, "\(recorder.errors)")
                try require(recorder.states.prefix(3) == [.load, .ready, .play], "\(recorder.states)")
            }
            return "\(count) players"
        }
    }

    private final class PassingSink: VideoFrameSink {
        func receive(_ frame: VideoFrame) {}
    }

    /// What a process holds.
    private struct ProcessSize: CustomStringConvertible {
        let megabytes: Double
        let threads: Int
        let descriptors: Int

        static var now: ProcessSize {
            let pages =
                (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
                .split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
            func count(_ folder: String) -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
            }
            return ProcessSize(
                megabytes: pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6, threads: count("/proc/self/task"),
                descriptors: count("/proc/self/fd"))
        }

        /// The size once what was dropped is gone: players end off the main actor.
        static func settled(threads: Int) async throws -> ProcessSize {
            let isSettled = await eventually(within: .seconds(30)) { now.threads <= threads }
            try require(isSettled, "threads are left: \(now), not \(threads)")
            return now
        }

        var description: String {
            String(format: "%.1f MB, %d threads, %d descriptors", megabytes, threads, descriptors)
        }
    }

    private struct EnduranceError: Error, CustomStringConvertible {
        let description: String
    }

    private func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
        if !holds { throw EnduranceError(description: message()) }
    }

    /// Says in the process of its own what came of it: an error that is thrown there is not shown here.
    private func report(_ body: () async throws -> String) async {
        do {
            print("outcome: good", try await body())
        } catch {
            print("outcome: bad", error)
        }
        fflush(nil)
    }

    private func outcome(_ result: ExitTest.Result?) -> String {
        let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("outcome: ") } ?? "outcome: none"
        return String(line.dropFirst("outcome: ".count))
    }
#endif
