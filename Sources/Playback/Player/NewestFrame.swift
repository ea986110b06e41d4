import Synchronization

/// Passes the frames of a player on to its sink, and keeps the newest one for screenshots.
final class NewestFrame: VideoFrameSink {
    let sink: any VideoFrameSink
    private let frame = Mutex<VideoFrame?>(nil)
    private let frameSwitch: FrameSwitch
    private let source: FrameSwitch.Source

    /// - Parameters:
    ///   - frameSwitch: the switch of the sink.
    ///   - source: the player at the switch.
    init(for sink: any VideoFrameSink, through frameSwitch: FrameSwitch, as source: FrameSwitch.Source) {
        self.sink = sink
        self.frameSwitch = frameSwitch
        self.source = source
    }

    /// `nil` if there is none since `clear`.
    var value: VideoFrame? { frame.withLock(\.self) }

    /// Another item is loaded.
    func clear() { frame.withLock { $0 = nil } }

    var maximumFrameSize: VideoSize? { sink.maximumFrameSize }

    func receive(_ frame: VideoFrame) {
        self.frame.withLock { $0 = frame }
        frameSwitch.pass(frame, of: source, to: sink)
    }
}
