import Playback
import Synchronization

/// Keeps the sizes of the frames that a player shows.
public final class FrameSizes: VideoFrameSink {
    private let sizes = Mutex<Set<VideoSize>>([])

    public init() {}

    public var received: Set<VideoSize> { sizes.withLock { $0 } }

    public func receive(_ frame: VideoFrame) {
        sizes.withLock { _ = $0.insert(VideoSize(width: frame.width, height: frame.height)) }
    }
}
