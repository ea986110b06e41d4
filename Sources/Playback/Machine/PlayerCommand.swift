import Foundation

/// What a host, a remote control or the environment asks of a player.
public enum PlayerCommand: Codable, Hashable, Sendable {
    case load(URL, autoPlay: Bool, startPosition: Double = 0)
    case reload(autoPlay: Bool)
    case play
    case pause
    /// Unloads.
    case stop
    /// To a position in seconds.
    case seek(Double)
    case setRate(Double)
    case setVolume(Double)
    case setMuted(Bool)
    /// Tells the observers of something that was asked for and cannot be.
    case warn(PlaybackNotice)
    /// The environment holds playback.
    case suppress(SuppressionReason)
    /// The environment lets go.
    case unsuppress(SuppressionReason)
}
