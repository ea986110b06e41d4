import Logging

/// Writes what a player does into the process's log, so far as `Flowplayer.current.config` asks for it.
@MainActor
struct PlayerLog {
    private let logger = Logger(label: "flowplayer")

    func write(_ event: PlayerEvent, of id: String) {
        let level = event.logLevel
        let config = Flowplayer.current.config
        guard !config.disableLogging, config.loggerLevels.contains(level) else { return }
        logger.log(level: level.swiftLog, "\(event.logText)", metadata: ["player": "\(id)"])
    }
}

extension PlayerEvent {
    fileprivate var logLevel: LogLevel {
        switch self {
        case .error: .error
        case .log: .warning
        case .media, .item, .resolved, .state: .info
        default: .debug
        }
    }

    /// The line of the log. Addresses have no credentials and no query.
    fileprivate var logText: String {
        switch self {
        case .log(let notice): "\(notice.message) (\(notice.code))"
        case .error(let error): "\(error.message) (\(error.code.name), \(error.url ?? "no address"))"
        default: text
        }
    }
}
