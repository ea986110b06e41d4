import Foundation
import Playback
import Synchronization

/// Passes the frames of the engine's process to the sink of the player, without a copy.
final class FrameReceiver: Sendable {
    private struct State {
        var sink: (any VideoFrameSink)?
        /// That of the process whose frames are shown.
        weak var socket: FrameSocket?
    }

    /// An engine has a pool of four, and the host keeps some frames.
    private static let memoryLimit = 64

    private let state = Mutex(State())

    var sink: (any VideoFrameSink)? {
        get { state.withLock(\.sink) }
        set { state.withLock { $0.sink = newValue } }
    }

    /// Shows the frames of a process, and those of no other. Call it once for each process.
    func read(_ process: EngineProcess) {
        let socket = process.frames
        state.withLock { $0.socket = socket }
        Thread { [weak process] in
            if let violation = self.read(socket) { process?.fail(violation) }
        }.start()
    }

    /// Reads until the process has ended or has broken the protocol. Returns the reason.
    private func read(_ socket: FrameSocket) -> String? {
        var limit = MessageRate()
        var memories: [Int: SharedMemory] = [:]
        // A sink that is late receives the newest frame.
        var newest: VideoFrame?
        while true {
            switch socket.receive(waits: newest == nil) {
            case .message(let message, let file):
                defer { if file >= 0 { close(file) } }
                guard limit.permits() else { return "It sends too many messages." }
                switch message {
                case .memory(let id, let byteCount):
                    guard let memory = SharedMemory(of: file, byteCount: byteCount), memories.count < Self.memoryLimit
                    else { return "The memory of its frames is invalid." }
                    memories[id] = memory
                case .frame(let shared):
                    guard let memory = memories[shared.memory], shared.fits(in: memory.bytes.count) else {
                        return "A frame does not fit into its memory."
                    }
                    newest = VideoFrame(
                        width: shared.width, height: shared.height, bytesPerRow: shared.bytesPerRow,
                        storage: VideoFrameStorage(memory.bytes) { [memory] in memory.isInUse = false })
                case .forgetMemory(let id): memories[id] = nil
                }
            case .nothing:
                let sink = state.withLock { $0.socket === socket ? $0.sink : nil }
                if let frame = newest { sink?.receive(frame) }
                newest = nil
            case .nonsense: return "A message about a frame cannot be read."
            case .end: return nil
            }
        }
    }
}

extension SharedFrame {
    /// `true` if the frame does not exceed its memory.
    fileprivate func fits(in byteCount: Int) -> Bool {
        guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15 else { return false }
        return bytesPerRow >= width * 4 && bytesPerRow <= 1 << 20 && height * bytesPerRow <= byteCount
    }
}
