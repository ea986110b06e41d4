/// What holds for all players of a process.
public struct SDKConfig: Hashable, Sendable {
    /// Whether nothing at all is logged. `false` by default.
    public var disableLogging = false
    /// What is logged, through swift-log under the label `flowplayer`. By default warnings and errors.
    public var loggerLevels: [LogLevel] = [.warning, .error]

    /// The defaults.
    public init() {}
}
