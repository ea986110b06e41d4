/// The destination of a player's video.
public enum VideoOutput: Sendable {
    /// None: video is not decoded if audio can do without it.
    case none
    /// A window that the backend opens. Where there is no display, as `none`, with a notice.
    case window
    /// Frames, as the backend shows them.
    case frames(any VideoFrameSink)

    /// `false` if there is none, or no display for a window.
    package var isAvailable: Bool {
        switch self {
        case .none: false
        case .frames: true
        case .window: Display.isAvailable()
        }
    }
}

/// Takes the frames of a player.
public protocol VideoFrameSink: AnyObject, Sendable {
    /// The size that frames must not exceed, in pixels; `nil`, the default, for the size of the video.
    ///
    /// The engine scales larger video down, and keeps its proportions. It does not enlarge video. Scaling in the engine
    /// is cheaper than in a view.
    ///
    /// Read on any thread when the video opens, and when the output is set. To apply a new size to an open item, set the
    /// same output again. The video is reopened if the size of its frames changes, so round the size up and set it
    /// rarely. A paused item applies it when it resumes.
    var maximumFrameSize: VideoSize? { get }

    /// One frame, at the moment when it is to be seen.
    ///
    /// While the item is paused, a frame comes only if it differs from the last one, such as after a seek.
    ///
    /// Called on a thread of the engine, one frame at a time: copy what you need, or keep the frame, and return.
    func receive(_ frame: VideoFrame)
}

extension VideoFrameSink {
    public var maximumFrameSize: VideoSize? { nil }
}
