/// What holds for all players of a process.
public struct SDKConfig: Hashable, Sendable {
    /// Whether nothing at all is logged. `false` by default.
    public var disableLogging = false
    /// What is logged, through swift-log under the label `flowplayer`. By default warnings and errors.
    public var loggerLevels: [LogLevel] = [.warning, .error]

    /// What the host does in the background. By default, sound is allowed; without it players pause there whatever their
    /// policy.
    public var backgroundModes: Set<BackgroundMode> = [.audio]

    /// The defaults.
    public init() {}
}
