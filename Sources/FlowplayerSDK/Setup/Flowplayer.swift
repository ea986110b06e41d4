import Foundation
import Playback

/// The settings that all players of a process share.
///
/// ```swift
/// Flowplayer.current.accessToken = token
/// Flowplayer.current.config.loggerLevels = LogLevel.allCases
/// Flowplayer.current.configure()
/// ```
@preconcurrency @MainActor
public final class Flowplayer {
    /// The instance of this process.
    public static let current = Flowplayer()

    /// The configuration of all players. Changes apply at once.
    public var config = SDKConfig()
    /// The access token for the video platform, which returns the configurations of `MediaOVP`. It is never logged.
    public var accessToken: String?
    /// The address of the video platform, which an `HTTPOVPClient` asks with `accessToken`. Default: `nil`.
    public var platformURL: URL?
    /// A client that replaces the one of `platformURL`. Default: `nil`.
    ///
    /// Without both every `load(ovp:)` fails with `platformMissing`, or with `invalidAccessToken` if there is no token either.
    public var ovpClient: (any OVPClient)?
    /// A random id of this process. It distinguishes sessions on a video platform.
    public let sessionID = Flowplayer.processID
    nonisolated static let processID = UUID()
    /// The version of the SDK, by semantic versioning. Below 1.0 the API may change with each minor version.
    public var version: String? { Self.versionNumber }
    package nonisolated static let versionNumber = "0.2.0"

    private init() {}

    /// Prepares the engine, so that the first player starts faster. Otherwise the first player does this.
    public func configure() { _ = BackendRegistry.withBuiltIn }
}

/// The configuration of all players of a process.
public struct SDKConfig: Hashable, Sendable {
    /// `true` enables logging. Default: `true`.
    public var loggerEnabled = true
    /// The opposite of `loggerEnabled`, under its name of version 4.0.
    public var disableLogging: Bool {
        get { !loggerEnabled }
        set { loggerEnabled = !newValue }
    }
    /// The levels to log, through swift-log with the label `flowplayer`. Default: warnings and errors.
    public var loggerLevels: [LogLevel] = [.warning, .error]

    /// The permitted activities in the background. Default: audio. Without it players pause there, regardless of their policy.
    public var backgroundModes: Set<BackgroundMode> = [.audio]

    /// Creates the default configuration.
    public init() {}

    /// An activity of a host in the background.
    public enum BackgroundMode: String, Codable, Hashable, Sendable, CaseIterable {
        /// Audio continues.
        case audio
    }
}
