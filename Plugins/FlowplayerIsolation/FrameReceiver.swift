import Foundation
import Playback
import Synchronization

/// Passes the frames of the engine's process to the sink of the player, without a copy.
final class FrameReceiver: Sendable {
    private struct State {
        var sink: (any VideoFrameSink)?
        /// The memory of the process, by its identifier.
        var memories: [Int32: SharedMemory] = [:]
        weak var process: EngineProcess?
        /// The newest frame, until the sink takes it.
        var next: VideoFrame?
        var isDelivering = false
    }

    /// An engine has a pool of four, and the host keeps some frames.
    private static let memoryLimit = 64

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "swift-flowplayer.isolation.frames", qos: .userInitiated)

    var sink: (any VideoFrameSink)? {
        get { state.withLock(\.sink) }
        set { state.withLock { $0.sink = newValue } }
    }

    /// The process whose frames are shown from now on.
    var process: EngineProcess? {
        get { state.withLock(\.process) }
        set { state.withLock { ($0.process, $0.memories) = (newValue, [:]) } }
    }

    /// Returns `false` if the message is about something else.
    func handle(_ message: EngineMessage, _ memory: SharedMemory?, of process: EngineProcess) -> Bool {
        switch message {
        case .memory(let id, _):
            state.withLock {
                if $0.process === process, $0.memories.count < Self.memoryLimit { $0.memories[id] = memory }
            }
        case .forgetMemory(let id): state.withLock { _ = $0.memories.removeValue(forKey: id) }
        case .frame(let shared): receive(shared, of: process)
        default: return false
        }
        return true
    }

    private func receive(_ shared: SharedFrame, of process: EngineProcess) {
        guard let memory = state.withLock({ $0.process === process ? $0.memories[shared.memory] : nil }),
            shared.fits(in: memory.bytes.count)
        else { return }
        let storage = VideoFrameStorage(memory.bytes) { [memory] in memory.isInUse = false }
        let frame = VideoFrame(
            width: shared.width, height: shared.height, bytesPerRow: shared.bytesPerRow, storage: storage)
        // A sink that is late receives the newest frame.
        let (replaced, mustDeliver) = state.withLock { state in
            let replaced = state.next
            state.next = frame
            defer { state.isDelivering = true }
            return (replaced, !state.isDelivering)
        }
        withExtendedLifetime(replaced) {}
        if mustDeliver { queue.async { self.deliver() } }
    }

    private func deliver() {
        while true {
            let next = state.withLock { state -> (any VideoFrameSink, VideoFrame)? in
                defer { state.next = nil }
                guard let frame = state.next, let sink = state.sink else {
                    state.isDelivering = false
                    return nil
                }
                return (sink, frame)
            }
            guard let (sink, frame) = next else { return }
            sink.receive(frame)
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
