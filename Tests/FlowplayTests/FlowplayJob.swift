import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Playback
import TestSupport
import Testing

/// The host as a job of a shell in a terminal.
final class FlowplayJob: Sendable {
    let terminal: TerminalSession
    let process: pid_t
    private let log: URL

    /// - Parameter isBehind: `true` to start the job in the background of the shell.
    init(
        _ arguments: String, shell: [String] = ["bash", "--norc", "--noprofile"], audio: TestAudioServer? = nil,
        isBehind: Bool = false
    ) async throws {
        let directory = MediaFixtures.shared.directory.appending(path: "job-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        log = directory.appending(path: "log")
        let noted = directory.appending(path: "pid")
        var environment = FlowplayCommand.headless
        if let audio { environment["PULSE_SERVER"] = audio.address }
        let script = directory.appending(path: "play")
        try """
        echo $$ > \(noted.path())
        exec env \(environment.map { "\($0)=\($1)" }.joined(separator: " ")) \(FlowplayCommand.path) \
        --log \(log.path()) \(arguments)
        """.write(to: script, atomically: true, encoding: .utf8)
        terminal = try await TerminalSession(shell: shell)
        try await terminal.enter("clear; sh \(script.path())\(isBehind ? " &" : "")")
        let read = { (try? String(contentsOf: noted, encoding: .utf8)).flatMap { pid_t($0.dropLast()) } }
        _ = await eventually { read() != nil }
        process = try #require(read(), "the job does not start")
    }

    /// A job that outlives its terminal ends here.
    deinit {
        let arguments = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        // The number may be that of another process.
        if arguments?.contains(log.path()) == true { kill(process, SIGKILL) }
    }

    var stat: ProcessStat? { ProcessStat(of: process) }

    /// Presses Ctrl-Z and waits until the shell has its terminal.
    func leaves() async throws -> Bool {
        try await terminal.press("C-z")
        return await eventually { stat?.isInForeground == false }
    }

    /// Lets the shell bring the job to the foreground, and waits for its output.
    func returnsToForeground(_ text: String) async throws -> Bool {
        // A slow shell may still show the text of an earlier return. Output after `clear` proves that it is gone.
        let mark = UUID().uuidString.prefix(8)
        try await terminal.enter("clear; echo cleared-''\(mark)")
        guard try await terminal.shows("cleared-\(mark)") else { return false }
        try await terminal.enter("fg")
        return try await terminal.shows(text)
    }

    func reaches(_ state: ProcessState) async -> Bool {
        await eventually { stat?.isStopped == (state == .stopped) }
    }

    enum ProcessState { case stopped, running }

    /// How much the player has played, in seconds of media. An item may repeat.
    var played: Double {
        get throws {
            let positions = try events.filter { $0.name == "position" }.compactMap(\.position)
            return zip(positions, positions.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
        }
    }

    /// Waits until playback has advanced.
    func plays(for seconds: Double) async throws -> Bool {
        let start = try played
        return try await eventually { try played >= start + seconds }
    }

    var states: [PlayerState] {
        get throws { try events.compactMap(\.playerState).withoutStalls }
    }

    /// The last lines of the log, for the message of a failure.
    var lastEvents: String { text.split(separator: "\n").suffix(30).joined(separator: "\n") }

    private var text: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    private var events: [LoggedEvent] {
        get throws {
            // The last line may be half written.
            let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
            return try EventLogReader.entries(in: String(whole)).map(\.event)
        }
    }

    func signal(_ number: Int32) { kill(process, number) }
}
