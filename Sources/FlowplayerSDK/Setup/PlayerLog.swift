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

    /// Without anything that is secret: addresses have neither credentials nor query.
    fileprivate var logText: String {
        switch self {
        case .media(let url): "load \(url?.redacted ?? "by configuration")"
        case .item(let transition): "item \(transition.index) of the queue (\(transition.reason.rawValue))"
        case .resolved(let url): "resolved to \(url.redacted)"
        case .state(let state): "state \(state.name)"
        case .log(let notice): "\(notice.message) (\(notice.code))"
        case .error(let error): "\(error.message) (\(error.code.name), \(error.url ?? "no address"))"
        case .metadata(let metadata): "metadata \(metadata.title ?? "without a title")"
        default: "\(self)"
        }
    }
}
