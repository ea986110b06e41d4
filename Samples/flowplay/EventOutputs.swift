import EventLog
import FlowplayerSDK
import Foundation

/// The event logs and the summary that the options select.
@MainActor
struct EventOutputs {
    private let logs: [EventLogger]
    private let standardOutputLog: EventLogger?
    /// A temporary file with the events of the summary.
    private let summaryFile: UnsafeMutablePointer<FILE>?

    init(_ options: Options) throws {
        standardOutputLog = options.json || options.log == "-" ? EventLogger(descriptor: 1) : nil
        summaryFile = options.summary ? tmpfile() : nil
        let fileLog = try options.log.flatMap { $0 == "-" ? nil : try EventLogger(path: $0) }
        let summaryLog = summaryFile.map { EventLogger(descriptor: fileno($0)) }
        logs = [standardOutputLog, fileLog, summaryLog].compactMap(\.self)
    }

    /// `true` if standard output belongs to a log.
    var usesStandardOutput: Bool { standardOutputLog != nil }

    /// `true` if the reader of standard output has closed it.
    var isStandardOutputClosed: Bool {
        guard case .cannotWrite(_, let reason)? = standardOutputLog?.error else { return false }
        return reason == String(cString: strerror(EPIPE))
    }

    /// The first error of a log.
    var error: EventLogError? { logs.lazy.compactMap(\.error).first }

    func attach(to view: FlowplayerView) {
        for log in logs { view.attach(log) }
    }

    /// Writes the rest of the logs, and prints the summary.
    func finish() {
        for log in logs { log.flush() }
        guard let summaryFile,
            let data = try? Data(contentsOf: URL(filePath: "/proc/self/fd/\(fileno(summaryFile))")),
            let entries = try? EventLogReader.entries(in: data)
        else { return }
        Messages.write("\(EventLogSummary(entries))\n", to: 2)
    }
}
