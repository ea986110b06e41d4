import ArgumentParser
import EventLog
import Foundation

/// `flowplay check-log`: checks event logs against the event contract.
struct CheckLog: Subcommand {
    static let name = "check-log"

    static let configuration = CommandConfiguration(
        commandName: "flowplay \(name)",
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

            OUTPUT
              events.jsonl:12: states: pause follows pause
              events.jsonl:20: there is no event "stat"
              events.jsonl: 19 events, 1 breach, and an invalid line

            EXIT STATUS
              0 no breach
              1 a breach, or a line that is not an event
              2 wrong usage, or an unreadable file
            """)

    @Argument(help: ArgumentHelp("A log from --log or --json, or - for standard input.", valueName: "file"))
    var files: [String] = []

    @Flag(help: "Print breaches only.")
    var quiet = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one event log, or - for standard input.") }
        if files.contains("") { throw ValidationError("An argument is empty. Name an event log.") }
    }

    func run() async -> ExitStatus {
        var status = ExitStatus.success
        for file in files {
            do throws(LinePieces.Failure) {
                let report = try await report(on: file)
                if !quiet { Messages.write(report.summary, to: 1) }
                if report.hasFault, status == .success { status = .faultInLog }
            } catch {
                Messages.print("cannot read the log \(file): \(error.reason). Name a log of flowplay --log, or -.")
                status = .unreadable
            }
        }
        return status
    }

    /// Decodes several pieces at once. The linter receives their lines in order.
    private func report(on file: String) async throws(LinePieces.Failure) -> LogReport {
        let width = ProcessInfo.processInfo.activeProcessorCount + 1
        let pieces = try LinePieces(path: file)
        var report = LogReport(file: file)
        var decoding: ArraySlice<Task<EventLogPiece, Never>> = []
        var nextLine = 1
        while !report.isBroken, let lines = try await pieces.next() {
            let firstLine = nextLine
            nextLine += lines.count { $0 == UInt8(ascii: "\n") }
            decoding.append(Task { EventLogReader.piece(lines, firstLine: firstLine) })
            if decoding.count == width, let oldest = decoding.popFirst() { report.add(await oldest.value) }
        }
        for task in decoding where !report.isBroken { report.add(await task.value) }
        guard !report.isBroken else { return report }
        if await pieces.foundEndlessLine {
            report.addBrokenLine(nextLine, "the line is longer than 1 MB, so this is not an event log")
        }
        report.isUnfinished = await pieces.endsInsideLine
        return report
    }
}
