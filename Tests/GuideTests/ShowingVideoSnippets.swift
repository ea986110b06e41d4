import FlowplayerSDK
import FlowplayerTerminal
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

@MainActor
func showInTerminal(_ view: FlowplayerView) throws -> TerminalView {
    let terminal = try TerminalView(asksForImages: true)
    view.videoOutput = .frames(terminal)
    terminal.enter()
    return terminal
}

@MainActor
func keys(in bytes: [UInt8], of terminal: TerminalView, _ view: FlowplayerView) -> [UInt8] {
    // When the program has read bytes from the terminal:
    let size = terminal.maximumFrameSize
    let keys = terminal.keys(in: bytes)
    if terminal.maximumFrameSize != size { view.videoOutput = .frames(terminal) }
    return keys
}
