import Synchronization

/// Passes the frames of a player on to its sink, and keeps the newest one for screenshots.
final class NewestFrame: VideoFrameSink {
    let sink: any VideoFrameSink
    private let frame = Mutex<VideoFrame?>(nil)

    init(for sink: any VideoFrameSink) { self.sink = sink }

    /// `nil` if there is none since `clear`.
    var value: VideoFrame? { frame.withLock(\.self) }

    /// Another item is loaded.
    func clear() { frame.withLock { $0 = nil } }

    var maximumFrameSize: VideoSize? { sink.maximumFrameSize }

    func receive(_ frame: VideoFrame) {
        self.frame.withLock { $0 = frame }
        sink.receive(frame)
    }
}
