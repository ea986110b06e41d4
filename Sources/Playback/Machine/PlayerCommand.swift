import Foundation

/// What a host, a remote control or the environment asks of a player.
public enum PlayerCommand: Codable, Hashable, Sendable {
    /// Replaces what is loaded. The start is in seconds.
    case load(PlayerItem, autoPlay: Bool, startPosition: Double = 0)
    /// Changes the queue, or goes to another of its items.
    case queue(QueueCommand)
    /// Loads what is not known yet: `resolve` or `failResolving` follows.
    case loadDeferred(autoPlay: Bool, startPosition: Double = 0)
    /// What was to be loaded is known now. Without effect for another generation than the current one.
    case resolve(Generation, PlayerItem)
    /// What is being loaded cannot be known, or cannot be played.
    case failResolving(Generation, PlaybackError)
    /// Loads the same item again, from its beginning. Without effect if none is loaded.
    case reload(autoPlay: Bool)
    /// Says that playback is wanted: after the end from the beginning, after a failure from where it broke off. In a
    /// background that pauses, it plays without the picture. It overrides every interruption that there is.
    case play
    /// Says that playback is not wanted.
    case pause
    /// Unloads.
    case stop
    /// To a position in seconds.
    case seek(Double)
    /// Media seconds a second, held to the rates of the backend. 0 pauses and keeps the rate; less is told as a notice.
    case setRate(Double)
    /// Held to `0...1`; told as a notice if it is not a number.
    case setVolume(Double)
    /// Leaves the volume as it is.
    case setMuted(Bool)
    /// By the `id` of one of the item's sounds.
    case selectAudio(Int)
    /// By the `id` of one of the item's texts; `nil` or that of `SubtitleTrack.off` for none.
    case selectSubtitle(Int?)
    /// Whether somebody gives new addresses of what expires. Holds from the next opening on.
    case provideAddresses(Bool)
    /// Where what a server refuses is now; `nil`: nobody knows. Without effect for what is neither open nor prepared.
    case readdress(Generation, to: URL?)
    /// Tells the observers of something that was asked for and cannot be.
    case warn(PlaybackNotice)
    /// The host is in the background, and this becomes of playback. Replaces what was said before; if the background paused
    /// until now and does not any more, `resumes` says whether playback goes on by itself.
    case enterBackground(BackgroundAction, resumes: Bool)
    /// The host is in the foreground again.
    case leaveBackground(resumes: Bool)
    /// Whether somebody wants the picture.
    case attachPicture(Bool)
    /// The environment holds playback.
    case suppress(SuppressionReason)
    /// The environment lets go.
    case unsuppress(SuppressionReason)
    /// Something more important sounds.
    case beginInterruption(InterruptionCause)
    /// It sounds no more. `shouldResume`: whether what it has stopped goes on by itself.
    case endInterruption(InterruptionCause, shouldResume: Bool)
    /// What the sound is for; `nil`: what the backend takes it for.
    case setRole(AudioRole?)
    /// Whether others are to be heard above this player. The volume that is told stays as it is.
    case duck(Bool)
}
