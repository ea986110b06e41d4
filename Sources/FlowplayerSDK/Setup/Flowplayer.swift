import Foundation

/// The settings that all players of a process share.
///
/// ```swift
/// Flowplayer.current.accessToken = token
/// Flowplayer.current.config.loggerLevels = LogLevel.allCases
/// Flowplayer.current.configure()
/// ```
@MainActor
public final class Flowplayer {
    /// The instance of this process.
    public static let current = Flowplayer()

    /// The configuration of all players. Changes apply at once.
    public var config = SDKConfig()
    /// The access token for the video platform, which returns the configurations of `MediaOVP`. It is never logged.
    public var accessToken: String?
    /// The client that gets the configurations of `MediaOVP`. Default: `nil`.
    ///
    /// Without a client every `load(ovp:)` fails with `invalidConfig`, or with `invalidAccessToken` if there is no token either.
    public var ovpClient: (any OVPClient)?
    /// A random id of this process. It distinguishes sessions on a video platform.
    public let sessionID = UUID()
    /// The version of the SDK.
    public var version: String? { FlowplayerVersion.current }

    private init() {}

    /// Prepares the engine, so that the first player starts faster. Otherwise the first player does this.
    public func configure() { _ = BackendRegistry.withBuiltIn }
}

/// The configuration of all players of a process.
public struct SDKConfig: Hashable, Sendable {
    /// `true` disables logging. Default: `false`.
    public var disableLogging = false
    /// The levels to log, through swift-log with the label `flowplayer`. Default: warnings and errors.
    public var loggerLevels: [LogLevel] = [.warning, .error]

    /// The permitted activities in the background. Default: audio. Without it players pause there, regardless of their policy.
    public var backgroundModes: Set<BackgroundMode> = [.audio]

    /// Creates the default configuration.
    public init() {}
}

/// An activity of a host in the background.
public enum BackgroundMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Audio continues.
    case audio
}

/// The version of this SDK.
public enum FlowplayerVersion {
    /// The version number, by semantic versioning. Below 1.0 the API may change with each minor version.
    public static let current = "0.2.0"
}
