import Foundation

/// What all players of a process share.
///
/// ```swift
/// Flowplayer.current.accessToken = token
/// Flowplayer.current.config.loggerLevels = LogLevel.allCases
/// Flowplayer.current.configure()
/// ```
@MainActor
public final class Flowplayer {
    /// The one of this process.
    public static let current = Flowplayer()

    /// What holds for all players. Takes effect at once.
    public var config = SDKConfig()
    /// With which the video platform is asked for the configurations of `MediaOVP`. Never logged.
    public var accessToken: String?
    /// Where the configurations of `MediaOVP` come from. `nil`, the default: there is nowhere to ask, and every
    /// `load(ovp:)` fails with `invalidConfig`, or with `invalidAccessToken` if there is no token either.
    public var ovpClient: (any OVPClient)?
    /// Random, and new for each process: with it a video platform tells plays apart.
    public let sessionID = UUID()
    /// The version of the SDK.
    public var version: String? { FlowplayerVersion.current }

    private init() {}

    /// Gets the engine ready, so that the first player starts sooner. Players do this by themselves otherwise.
    public func configure() { _ = BackendRegistry.withBuiltIn }
}
