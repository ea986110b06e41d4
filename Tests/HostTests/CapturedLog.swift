import Logging
import Synchronization

/// The log of this process.
final class CapturedLog: Sendable {
    static let shared = CapturedLog()

    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock(\.self) }

    private init() {
        LoggingSystem.bootstrap { _ in Handler() }
    }

    private struct Handler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.level) \(event.message) \(event.metadata ?? [:])"
            CapturedLog.shared.kept.withLock { $0.append(line) }
        }
    }
}
