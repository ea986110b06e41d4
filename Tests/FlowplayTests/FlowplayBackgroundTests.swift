import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// A host that goes to the background by a script.
@Suite struct FlowplayBackgroundTests {
    struct Story: Sendable {
        let options: [String]
        let lines: [String]
        /// The lines if there is no display.
        var linesWithoutDisplay: [String]?
        let states: [PlayerState]
    }

    static let stories = [
        Story(
            options: [],
            lines: ["paused", "stays paused (press space to resume, or use --resume)"],
            states: [.load, .ready, .play, .pause, .idle]),
        Story(
            options: ["--resume"], lines: ["paused", "resumed"],
            states: [.load, .ready, .play, .pause, .play, .idle]),
        Story(
            options: ["--background", "audio"], lines: ["audio continues without video", "video restored"],
            linesWithoutDisplay: ["audio continues", "still playing"],
            states: [.load, .ready, .play, .idle]),
        Story(
            options: ["--background", "video"], lines: ["audio and video continue", "still playing"],
            linesWithoutDisplay: ["audio continues", "still playing"],
            states: [.load, .ready, .play, .idle]),
        Story(options: ["--background", "stop"], lines: ["stopped"], states: [.load, .ready, .play, .idle]),
    ]

    #if VLC
    static let backends = ["simulated", "vlc"]
    #else
    static let backends = ["simulated"]
    #endif

    @Test(arguments: stories, backends)
    func everyPolicyHasItsEvents(story: Story, backend: String) async throws {
        let file = try await MediaFixtures.shared.long(seconds: 120).path()
        // The simulated backend has its own display.
        let lines = backend == "vlc" ? story.linesWithoutDisplay ?? story.lines : story.lines
        let arguments =
            story.options + ["--json", "--engine", backend, "--lifecycle", "0.3s hidden; 0.5s foreground", file]
        let result: Command.Result
        if lines == ["stopped"] {
            // A player that has stopped ends the program.
            result = try await FlowplayCommand.command(arguments).run()
            #expect(result.status == 0)
        } else {
            result = try await FlowplayCommand.run(arguments) { host in
                try host.errorsSoFar.split(separator: "\n").count { $0.contains("ground") } >= lines.count
            }
            #expect(result.status == 143)
        }
        let reported = result.errors.split(separator: "\n").filter { $0.contains("ground") }
        let expected = zip(["background (hidden): ", "foreground: "], lines).map { "flowplay: \($0)\($1)" }
        #expect(reported.map(String.init) == expected)
        let states = try EventLogReader.entries(in: result.output).compactMap(\.event.playerState)
        #expect(states.withoutStalls == story.states)
    }

    @Test func severalReasonsAreNamed() async throws {
        let script = "0.1s hidden; 0.1s sleep; 0.1s pictureInPicture; 0.1s foreground"
        let result = try await FlowplayCommand.run([
            "--engine", "simulated", "--background", "audio", "--lifecycle", script, "--rate", "0.25", "clip.mp4",
        ]) { try $0.errorsSoFar.contains("foreground: ") }
        #expect(result.status == 143)
        #expect(
            result.errors.split(separator: "\n").map { $0.dropFirst("flowplay: ".count) } == [
                "background (hidden): audio continues without video", "background (hidden, sleep): paused",
                "background (hidden, picture in picture, sleep): paused", "foreground: resumed",
            ])
    }

    @Test func whoWantsQuietHearsNothing() async throws {
        let result = try await FlowplayCommand.run(
            "--quiet", "--engine", "simulated", "--stop-after", "0.5", "--lifecycle", "0.1s hidden; 0.1s foreground",
            "clip.mp4")
        #expect(result.status == 0)
        #expect(result.output.isEmpty && result.errors.isEmpty)
    }

    @Test(arguments: [
        (["--lifecycle", "hidden"], "\"hidden\" is no step"), (["--lifecycle", ""], "has steps"),
        (["--lifecycle", "1s asleep"], "There is no reason asleep"), (["--background", "mute"], "mute"),
    ])
    func wrongUsageSaysWhatIsWrong(options: [String], hint: String) async throws {
        let result = try await FlowplayCommand.command(options + ["--engine", "simulated", "clip.mp4"]).run()
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }
}
