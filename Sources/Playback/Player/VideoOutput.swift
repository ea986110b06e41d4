/// The destination of a player's video.
public enum VideoOutput: Sendable {
    /// None: video is not decoded if audio can do without it.
    case none
    /// A window that the backend opens. Where there is no display, as `none`, with a notice.
    case window
    /// Frames, as the backend shows them.
    case frames(any VideoFrameSink)
}

/// Takes the frames of a player.
public protocol VideoFrameSink: AnyObject, Sendable {
    /// One frame, at the moment when it is to be seen.
    ///
    /// Called on a thread of the engine, one frame at a time: copy what you need, or keep the frame, and return.
    func receive(_ frame: VideoFrame)
}
