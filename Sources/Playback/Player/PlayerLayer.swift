/// Shows the video of a player without a view, by the classic rule for the background: visible video pauses and stays
/// paused after the return. Audio without video, or with detached video, continues.
///
/// ```swift
/// let layer = PlayerLayer(player: player)
/// layer.player = nil    // in the background: the audio continues
/// layer.player = player
/// ```
@preconcurrency @MainActor
public final class PlayerLayer {
    /// How a view fits the video into its bounds.
    public enum VideoGravity: String, Codable, Hashable, Sendable, CaseIterable {
        /// The whole video, with its aspect ratio. The rest of the bounds stays empty.
        case resizeAspect
        /// The bounds are full, and the video keeps its aspect ratio. Its edges may be cut off.
        case resizeAspectFill
        /// The bounds are full, and the video is stretched.
        case resize
    }

    /// The destination of the video of each player that the layer is given.
    public let videoOutput: VideoOutput
    /// How the video fits into its view. `resizeAspect` by default.
    ///
    /// A view that draws frames reads it with each frame. The engine's own window always uses `resizeAspect`.
    public var videoGravity = VideoGravity.resizeAspect
    /// The player. If it is replaced or removed, the previous player's video is no longer decoded.
    ///
    /// A player that is given back in a handler of the return to the foreground continues to play.
    public var player: MediaPlayer? {
        didSet {
            guard player !== oldValue else { return }
            // If two hosts each restore the player that they have stored, the second one has stored `nil`.
            if player == nil, background.isComingBack {
                player = oldValue
                return
            }
            oldValue.map(letGo)
            player.map(show)
        }
    }

    private let background = BackgroundFollower()
    private var isInBackground = false

    /// - Parameters:
    ///   - player: the player.
    ///   - videoOutput: the destination of its video.
    ///   - lifecycle: the lifecycle of the host.
    public init(
        player: MediaPlayer? = nil, videoOutput: VideoOutput = .window, lifecycle: ApplicationLifecycle = .shared
    ) {
        self.videoOutput = videoOutput
        self.player = player
        player.map(show)
        background.follow(lifecycle) { [weak self] in self?.follow($0) }
    }

    isolated deinit {
        background.end()
        player.map(letGo)
    }

    private func show(_ player: MediaPlayer) {
        player.videoOutput = videoOutput
        player.isVideoAttached = true
        if isInBackground { enterBackground(player) }
    }

    private func letGo(_ player: MediaPlayer) {
        player.isVideoAttached = false
        if isInBackground { player.leaveBackground() }
    }

    private func follow(_ reasons: Set<BackgroundReason>) {
        let counting = reasons.thatCount.subtracting([.pictureInPicture])
        guard counting.isEmpty == isInBackground else { return }
        isInBackground = !counting.isEmpty
        if isInBackground { player.map(enterBackground) } else { player?.leaveBackground() }
    }

    private func enterBackground(_ player: MediaPlayer) {
        guard !background.isComingBack else { return }
        let hasVideo = player.snapshot.tracks.map { !$0.video.isEmpty } ?? true
        player.enterBackground(hasVideo ? .pause : .continueAudio)
    }
}
