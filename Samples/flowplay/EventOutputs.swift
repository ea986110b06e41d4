import EventLog
import FlowplayerSDK
import Foundation

/// The event logs and the summary that the options select.
@MainActor
struct EventOutputs {
    private let logs: [EventLog]
    private let standardOutputLog: EventLog?
    private let summary: SummaryPlugin?

    init(_ options: Options) throws {
        standardOutputLog = options.json || options.log == "-" ? EventLog(descriptor: 1) : nil
        let fileLog = try options.log.flatMap { $0 == "-" ? nil : try EventLog(path: $0) }
        logs = [standardOutputLog, fileLog].compactMap(\.self)
        summary = options.summary ? SummaryPlugin() : nil
    }

    /// `true` if standard output belongs to a log.
    var usesStandardOutput: Bool { standardOutputLog != nil }

    /// `true` if the reader of standard output has closed it.
    var isStandardOutputClosed: Bool { standardOutputLog?.error != nil }

    /// The first error of a log.
    var error: EventLogError? { logs.lazy.compactMap(\.error).first }

    func attach(to view: FlowplayerView) {
        for log in logs { view.attach(log) }
        if let summary { view.attach(summary) }
    }

    /// Writes the rest of the logs, and prints the summary.
    func finish() {
        for log in logs { log.flush() }
        summary?.print()
    }
}

/// Writes the events to a temporary file and summarises them.
@MainActor
private final class SummaryPlugin: PlayerPlugin {
    private let file = tmpfile()
    private lazy var log = EventLog(descriptor: fileno(file))

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        log.player(player, didEmit: event, snapshot: snapshot)
    }

    func print() {
        log.flush()
        let handle = FileHandle(fileDescriptor: fileno(file))
        guard (try? handle.seek(toOffset: 0)) != nil, let data = try? handle.readToEnd(),
            let entries = try? EventLogReader.entries(in: data)
        else { return }
        Messages.write("\(EventLogSummary(entries))\n", to: 2)
    }
}
