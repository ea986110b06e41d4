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

    /// The name of the level.
    public var description: String { String(describing: self) }

    /// A symbol for the level.
    public var emoji: String {
        switch self {
        case .debug: "🔍"
        case .info: "ℹ️"
        case .warning: "⚠️"
        case .error: "❌"
        }
    }

    var swiftLog: Logger.Level { Logger.Level(rawValue: description) ?? .error }
}

extension PlayerEvent {
    /// Writes the event of a player to the log, at the levels of `Flowplayer.current.config`.
    @MainActor
    func write(to logger: Logger, player id: String) {
        let config = Flowplayer.current.config
        guard config.loggerEnabled, config.loggerLevels.contains(logLevel) else { return }
        logger.log(level: logLevel.swiftLog, "\(logText)", metadata: ["player": "\(id)"])
    }

    private var logLevel: LogLevel {
        switch self {
        case .error: .error
        case .log: .warning
        case .media, .item, .resolved, .state: .info
        default: .debug
        }
    }

    /// The log message. Its addresses have no credentials and no query.
    private var logText: String {
        switch self {
        case .log(let notice): "\(notice.message) (\(notice.code))"
        case .error(let error): "\(error.message) (\(error.code.name), \(error.url ?? "no address"))"
        default: text
        }
    }
}
