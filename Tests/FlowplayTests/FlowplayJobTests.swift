import FlowplayerSDK
import Foundation
import TestSupport
import Testing

/// Ctrl-Z, `bg` and `fg`, as a person at a terminal has them.
@Suite struct FlowplayJobTests {
    private static let bash = ["bash", "--norc", "--noprofile"]
    private static let dash = ["dash", "-i"]
    private static let rounds = ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 10 : 100
    /// The item does not end, however long a test takes.
    private let simulated = "--engine simulated --rate 0.25 --repeat one"

    // MARK: Playback pauses

    @Test func pausedIsReallyStoppedAndStaysPaused() async throws {
        let job = try await FlowplayJob("\(simulated) clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        #expect(await job.reaches(.stopped))
        #expect(try await job.terminal.shows("background (job stopped): paused"))
        #expect(try await job.returnsToForeground("foreground: stays paused (press space to resume, or use --resume)"))
        #expect(try await job.terminal.shows("pause    0:"))
        try await job.terminal.press("Space")
        #expect(try await job.terminal.shows("play     0:"))
        try await job.terminal.type("q")
        #expect(await eventually { job.stat == nil })
    }

    @Test func pausedResumesWhereThatIsAskedFor() async throws {
        let job = try await FlowplayJob("\(simulated) --resume clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        #expect(await job.reaches(.stopped))
        try await job.terminal.enter("bg")
        #expect(await job.reaches(.running))
        #expect(try job.states.last == .pause, "behind the shell it stays paused")
        #expect(try await job.returnsToForeground("foreground: resumed"))
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.plays(for: 0.5))
    }

    @Test func stoppedEndsAndLeavesNoJobBehind() async throws {
        let job = try await FlowplayJob("\(simulated) --background stop clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        try await job.terminal.press("C-z")
        #expect(try await job.terminal.shows("background (job stopped): stopped"))
        #expect(await eventually { job.stat == nil })
        try await job.terminal.enter("echo status $?; stty -a | grep -o ' echo '; jobs | wc -l")
        #expect(try await job.terminal.shows("status 0\n echo\n0"))
        #expect(try job.states.last == .idle)
    }

    // MARK: Playback continues

    @Test(arguments: [bash, dash])
    func thePromptComesWhilePlaybackContinues(shell: [String]) async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4", shell: shell)
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        try await job.terminal.enter("echo prompt $((6 * 7))")
        #expect(try await job.terminal.shows("prompt 42"))
        #expect(try await job.plays(for: 0.6))
        #expect(job.stat?.isStopped == false)
        try await job.terminal.enter("clear; bg; jobs; stty -a | grep -o ' icanon '")
        // The line itself, before it is cleared, has the other word in it.
        #expect(try await job.terminal.shows("Running"))
        #expect(try await job.terminal.shows(" icanon"))
        #expect(try await job.plays(for: 0.6))
        #expect(try await !job.terminal.screen.contains("0:0"), "nothing is drawn over the shell")
        #expect(await eventually { ProcessStat.children(of: job.process).isEmpty }, "a helper is left")
        #expect(try await job.returnsToForeground("foreground: video restored"))
        #expect(try await job.terminal.shows("play     0:"))
        try await job.terminal.type("m")
        #expect(try await job.terminal.shows("muted"))
        #expect(try job.states.starts(with: [.load, .ready, .play]))
        #expect(try !job.states.contains(.pause))
    }

    @Test(arguments: [bash, dash], ["--background audio", "--resume"])
    func noPressIsLost(shell: [String], options: String) async throws {
        let job = try await FlowplayJob("\(simulated) \(options) clip.mp4", shell: shell)
        #expect(try await job.terminal.shows("play     0:"))
        let text = options == "--resume" ? "foreground: resumed" : "foreground: video restored"
        for round in 1...Self.rounds {
            try #require(try await job.leaves(), "Ctrl-Z \(round) is lost")
            if options == "--resume" { try #require(await job.reaches(.stopped), "round \(round) does not stop") }
            let isBack = try await job.returnsToForeground(text)
            let screen = try await job.terminal.screen
            try #require(isBack, "fg \(round) is lost: \(screen)\n\(job.lastEvents)")
        }
        #expect(await eventually { ProcessStat.children(of: job.process).isEmpty }, "a helper is left")
        let plays = try await job.terminal.shows("play     0:")
        let screen = try await job.terminal.screen
        #expect(plays, "\(screen)\n\(job.lastEvents)")
    }

    /// The shell sees a running job, so only the terminal shows `fg`.
    @Test func aPressRightAfterComingBackCounts() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        for round in 1...5 {
            #expect(try await job.leaves())
            try await job.terminal.enter("clear; fg")
            #expect(await eventually { job.stat?.isInForeground == true })
            try #require(try await job.leaves(), "Ctrl-Z \(round) is lost")
            #expect(await job.reaches(.running))
            #expect(try await job.returnsToForeground("foreground: video restored"))
        }
    }

    @Test func whoStopsItBehindTheShellStopsItForReal() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        #expect(await job.reaches(.running))
        job.signal(SIGTSTP)
        #expect(await job.reaches(.stopped))
        try await job.terminal.enter("bg")
        #expect(await job.reaches(.running))
        #expect(try await job.plays(for: 0.5))
        #expect(try await job.returnsToForeground("foreground: video restored"))
    }

    // MARK: From the beginning

    @Test func whatIsStartedBehindTheShellIsInTheBackground() async throws {
        let job = try await FlowplayJob("\(simulated) clip.mp4", isBehind: true)
        #expect(
            try await job.terminal.shows("background (job stopped): not started (--background audio starts it)"))
        #expect(try await job.returnsToForeground("foreground: stays paused"))
        try await job.terminal.press("Space")
        #expect(try await job.terminal.shows("play     0:"))
    }

    @Test func anItemThatContinuesBehindTheShellBeginsThereToo() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4", isBehind: true)
        #expect(try await job.plays(for: 0.5))
        let screen = try await job.terminal.screen
        #expect(!screen.contains("0:0"), "\(screen)")
        #expect(try await job.returnsToForeground("foreground: video restored"))
        #expect(try await job.terminal.shows("play     0:"))
    }

    // MARK: Other signals

    @Test func theTerminalThatIsClosedEndsOnlyWhatIsInFront() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        job.signal(SIGHUP)
        #expect(try await job.plays(for: 0.5))
        #expect(try await job.returnsToForeground("foreground: video restored"))
        job.signal(SIGHUP)
        #expect(await eventually { job.stat == nil })
        try await job.terminal.enter("echo status $?")
        #expect(try await job.terminal.shows("status 129"))
    }

    @Test func playbackInFrontEndsWithItsTerminal() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        try await job.terminal.close()
        #expect(await eventually { job.stat == nil || job.stat?.state == "Z" })
        #expect(try job.states.last == .idle)
    }

    @Test func playbackOutlivesItsTerminal() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        try await job.terminal.close()
        #expect(try await job.plays(for: 1))
        job.signal(SIGTERM)
        #expect(await eventually { job.stat == nil || job.stat?.state == "Z" })
        #expect(try job.states.last == .idle)
    }

    @Test func whatIsPausedEndsWithItsTerminal() async throws {
        let job = try await FlowplayJob("\(simulated) clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        #expect(try await job.leaves())
        #expect(await job.reaches(.stopped))
        try await job.terminal.close()
        #expect(await eventually { job.stat == nil || job.stat?.state == "Z" })
        #expect(try job.states.last == .idle)
    }

    @Test func accessToTheTerminalNeverStopsIt() async throws {
        let job = try await FlowplayJob("\(simulated) --background audio clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        for _ in 1...2 {
            for number in [SIGTTIN, SIGTTOU] { job.signal(number) }
            #expect(try await job.plays(for: 0.3))
            #expect(job.stat?.isStopped == false)
            #expect(try await job.leaves())
        }
    }

    @Test func aStopThatCannotBeCaughtIsNoticedWhenItIsOver() async throws {
        let job = try await FlowplayJob("\(simulated) --resume clip.mp4")
        #expect(try await job.terminal.shows("play     0:"))
        job.signal(SIGSTOP)
        #expect(await job.reaches(.stopped))
        #expect(await eventually { job.stat?.isInForeground == false })
        job.signal(SIGCONT)
        #expect(try await job.terminal.shows("background (job stopped): paused"))
        try await job.terminal.enter("clear; stty -a | grep -o ' icanon '")
        #expect(try await job.terminal.shows(" icanon"))
        #expect(try await job.returnsToForeground("foreground: resumed"))
        try await job.terminal.type("m")
        #expect(try await job.terminal.shows("muted"))
    }

    // MARK: Where nothing can be stopped

    @Test func withoutAShellNothingHangs() async throws {
        let options = "\(simulated) --background audio clip.mp4".split(separator: " ").map(String.init)
        let command = [FlowplayCommand.path] + options
        let terminal = try await TerminalSession(shell: command, greeting: "play     0:")
        try await terminal.press("C-z")
        #expect(try await terminal.shows("foreground: video restored"))
        try await terminal.type("q")
        #expect(try await eventually { try await terminal.value("#{pane_dead}") == "1" })
    }

    @Test func withoutATerminalNothingHangs() async throws {
        let log = MediaFixtures.shared.directory.appending(path: "no-terminal.jsonl")
        let options = "\(simulated) --resume clip.mp4".split(separator: " ").map(String.init)
        var command = Command("setsid", [FlowplayCommand.path, "--log", log.path()] + options)
        command.environment = FlowplayCommand.headless
        let host = try await command.start()
        func writes(_ text: String) async -> Bool {
            await eventually { (try? String(contentsOf: log, encoding: .utf8))?.contains(text) == true }
        }
        #expect(await writes(#""state":"play""#))
        host.signal(SIGTSTP)
        #expect(await writes(#""state":"background""#))
        for number in [SIGTTIN, SIGTTOU, SIGCONT] { host.signal(number) }
        #expect(try await eventually { try host.errorsSoFar.hasSuffix("foreground: resumed\n") })
        host.signal(SIGTERM)
        #expect(try await host.result.status == 143)
    }
}
