import ArgumentParser
import EventLog
import Foundation

/// `flowplay check-log`: checks event logs against the event contract.
struct CheckLog: HostCommand {
    static let name = "check-log"

    static let configuration = CommandConfiguration(
        commandName: name, _superCommandName: "flowplay",
        abstract: "Checks event logs against the event contract.",
        usage: "flowplay \(name) [--quiet] <file>...",
        discussion: """
            Prints a line for each breach, and a summary for each file. The rules are \
            \(EventContractBreach.Rule.allCases.map(\.rawValue).joined(separator: ", ")).

            A file named \(name) in the current folder is played instead.

            EXAMPLES
              flowplay --log events.jsonl clip.mp4; flowplay check-log events.jsonl
              flowplay --json clip.mp4 | flowplay check-log -
              flowplay check-log --quiet /var/log/kiosk/*.jsonl

            EXIT STATUS
              0 no breach
              1 a breach, or a line that is not an event
              2 wrong usage, or an unreadable file
              3 standard output cannot be written
            """)

    @Argument(
        help: ArgumentHelp("A log from --log or --json, or - for standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Flag(help: "Print breaches only.")
    var quiet = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one event log, or - for standard input.") }
        if files.contains("") { throw ValidationError("An argument is empty. Name an event log.") }
    }

    func run() -> ExitCode {
        var status = ExitCode.success
        for file in files {
            var report = LogReport(file: file)
            do {
                try report.check()
                if !quiet { Messages.write(report.summary, to: 1) }
                if report.hasFault, status == .success { status = .faultInLog }
            } catch {
                Messages.print("cannot read the log \(file): \(error.reason). Name a log of flowplay --log, or -.")
                status = .unreadable
            }
        }
        return status
    }
}
