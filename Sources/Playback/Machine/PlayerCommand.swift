import Foundation

/// A command of a host, a remote control or the environment.
public enum PlayerCommand: Codable, Hashable, Sendable {
    /// Replaces the loaded item. The start position is in seconds. For a deferred item, `resolve` or `failResolving` follows.
    case load(PlayerItem, autoPlay: Bool, startPosition: Double = 0)
    /// Changes the queue, or goes to another of its items.
    case queue(QueueCommand)
    /// The item of a deferred load. Without effect for another generation than the current one.
    case resolve(Generation, PlayerItem)
    /// The failure of a deferred load.
    case failResolving(Generation, PlaybackError)
    /// Loads the same item again, from its start position. Without effect if none is loaded.
    case reload(autoPlay: Bool)
    /// Plays at the default rate. After the end, playback starts from the beginning; after a failure, from the same
    /// position. In a background that pauses, the player continues without video. Overrides every interruption.
    case play
    /// Pauses, until the next `play`.
    case pause
    /// Unloads.
    case stop
    /// Seeks to a position in seconds.
    case seek(Double, tolerance: SeekTolerance = .exact)
    /// Repeats a part of the item, in seconds. An empty part is reported as a notice.
    case setLoop(ClosedRange<Double>?)
    /// Plays at a rate in media seconds a second, clamped to the rates of the backend. 0 pauses. Any other value is
    /// reported as a notice.
    case setRate(Double)
    /// Sets the rate of `play`, clamped in the same way. It does not change the current rate. 0 is reported as a notice.
    case setDefaultRate(Double)
    /// Clamped to `0...1`. A value that is not a number is reported as a notice.
    case setVolume(Double)
    /// Leaves the volume as it is.
    case setMuted(Bool)
    /// Shows subtitles so many seconds later, clamped to `-600...600`. A value that is not a number is reported as a notice.
    case setSubtitleDelay(Double)
    /// Selects an audio track by its `id`.
    case selectAudio(Int)
    /// Selects a subtitle track by its `id`; `nil` or the `id` of `SubtitleTrack.off` for none.
    case selectSubtitle(Int?)
    /// Selects a quality; `nil` for the backend's choice.
    case selectQuality(VideoQuality?)
    /// The languages of the audio, the most preferred one first.
    case preferAudio([String])
    /// The languages of the subtitles, the most preferred one first. Empty for the engine's choice.
    case preferSubtitles([String])
    /// `true` if the host provides new addresses. Holds from the next opening on.
    case provideAddresses(Bool)
    /// `true` if interstitials may interrupt the item. Holds from the next opening on.
    case expectInterstitials(Bool)
    /// `false` to open each item only when its turn comes.
    case allowPreloading(Bool)
    /// The new address of an item that a server refuses; `nil` if there is none. Without effect for an item that is
    /// neither open nor prepared.
    case readdress(Generation, to: URL?)
    /// Sends a notice to the observers.
    case warn(PlaybackNotice)
    /// The host is in the background, with this effect on playback. Replaces the effect before. If the background no
    /// longer pauses, `resumes` is `true` to resume playback automatically.
    case enterBackground(BackgroundAction, resumes: Bool)
    /// The host is in the foreground again.
    case leaveBackground(resumes: Bool)
    /// Attaches or detaches the video.
    case attachVideo(Bool)
    /// The environment holds playback.
    case suppress(SuppressionReason)
    /// The environment no longer holds playback.
    case unsuppress(SuppressionReason)
    /// The reason that holds playback when the item has played to its end, until `unsuppress` removes it; `nil` for none.
    case suppressEnd(SuppressionReason?)
    /// The advertisement that plays in place of the item; `nil` for none.
    case advertise(Advertisement?)
    /// The breaks in the item, in seconds.
    case setAdBreaks([ClosedRange<Double>])
    /// Sends an event of advertisements to the observers.
    case reportAd(AdEvent)
    /// An interruption began.
    case beginInterruption(InterruptionCause)
    /// An interruption ended. If `shouldResume` is `true`, the player resumes automatically.
    case endInterruption(InterruptionCause, shouldResume: Bool)
    /// The role of the audio; `nil` for the backend's choice.
    case setRole(AudioRole?)
    /// `true` to lower the audio below that of others. The reported volume stays the same.
    case duck(Bool)
}
