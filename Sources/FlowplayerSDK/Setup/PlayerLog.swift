import Logging

/// The level of a log message.
public enum LogLevel: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// All events of all players.
    case debug
    /// Loads and state changes.
    case info
    /// Playback continues with a restriction.
    case warning
    /// Playback failed.
    case error

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    var swiftLog: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

extension LogLevel: CustomStringConvertible {
    /// The name of the level.
    public var description: String { swiftLog.rawValue }
}

/// Writes the events of a player to the process's log, at the levels of `Flowplayer.current.config`.
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

    /// The log message. Its addresses have no credentials and no query.
    fileprivate var logText: String {
        switch self {
        case .log(let notice): "\(notice.message) (\(notice.code))"
        case .error(let error): "\(error.message) (\(error.code.name), \(error.url ?? "no address"))"
        default: text
        }
    }
}
