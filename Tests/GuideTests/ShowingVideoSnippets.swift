import FlowplayerSDK
import Synchronization

// The code of the guide to video, word for word, beside its samples.

final class NewestFrameSink: VideoFrameSink {
    private let newest = Mutex<VideoFrame?>(nil)

    func receive(_ frame: VideoFrame) { newest.withLock { $0 = frame } }

    /// Returns the frame once. Call it when your toolkit draws.
    func take() -> VideoFrame? {
        newest.withLock { frame in
            defer { frame = nil }
            return frame
        }
    }
}

@MainActor
func show(_ view: FlowplayerView, in sink: NewestFrameSink) {
    view.videoOutput = .frames(sink)
}
