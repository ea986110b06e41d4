import Logging

/// How much something in the log matters.
public enum LogLevel: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Every event of every player.
    case debug
    /// What is loaded, and what becomes of it.
    case info
    /// Playback goes on, but not quite as asked.
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
