import Foundation

/// What a host, a remote control or the environment asks of a player.
public enum PlayerCommand: Codable, Hashable, Sendable {
    case load(PlayerItem, autoPlay: Bool, startPosition: Double = 0)
    /// Loads what is not known yet: `resolve` or `failResolving` follows.
    case loadDeferred(autoPlay: Bool, startPosition: Double = 0)
    /// What was to be loaded is known now. Without effect for another generation than the current one.
    case resolve(Generation, PlayerItem)
    /// What was to be loaded cannot be known.
    case failResolving(Generation, PlaybackError)
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
    /// By the `id` of one of the item's sounds.
    case selectAudio(Int)
    /// By the `id` of one of the item's texts; `nil` or that of `SubtitleTrack.off` for none.
    case selectSubtitle(Int?)
    /// Tells the observers of something that was asked for and cannot be.
    case warn(PlaybackNotice)
    /// The environment holds playback.
    case suppress(SuppressionReason)
    /// The environment lets go.
    case unsuppress(SuppressionReason)
}
