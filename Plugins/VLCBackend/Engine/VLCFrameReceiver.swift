#if VLC
import CVLC
import Foundation
import Playback
import Synchronization

/// Receives the frames of one player from libVLC's memory output, and sends them to a sink.
final class VLCFrameReceiver: Sendable {
    private struct State {
        var sink: (any VideoFrameSink)?
        /// `true` if the sink waits for the first frame after a seek.
        var lacksFrame = false
        var size: (width: Int, height: Int, bytesPerRow: Int) = (0, 0, 0)
        var pool: [VideoFrameStorage] = []
        /// The frame that libVLC writes or shows.
        var current: VideoFrameStorage?

        mutating func takeStorage() -> VideoFrameStorage {
            current = nil
            let free = pool.indices.first { isKnownUniquelyReferenced(&pool[$0]) }
            let storage = free.map { pool[$0] } ?? VideoFrameStorage(byteCount: size.bytesPerRow * size.height)
            if free == nil, pool.count < Self.poolCapacity { pool.append(storage) }
            current = storage
            return storage
        }

        /// If a sink keeps more frames than this, their memory returns to the system, not to the pool.
        private static let poolCapacity = 4
    }

    private let state = Mutex(State())

    /// - Parameter sink: `nil` to drop the frames.
    func setSink(_ sink: (any VideoFrameSink)?) { state.withLock { $0.sink = sink } }

    /// The next frame is the first one after a seek.
    func expectFrame() { state.withLock { $0.lacksFrame = $0.sink != nil } }

    /// `true` if the sink has received no frame since `expectFrame`.
    var lacksFrame: Bool { state.withLock { $0.lacksFrame } }

    /// Call it before the video is selected. The receiver must outlive the player.
    func attach(to player: OpaquePointer) {
        libvlc_video_set_callbacks(
            player,
            { context, planes in
                planes?.pointee = VLCFrameReceiver.from(context)?.beginFrame()
                return nil
            }, nil,
            { context, _ in VLCFrameReceiver.from(context)?.showFrame() },
            Unmanaged.passUnretained(self).toOpaque())
        libvlc_video_set_format_callbacks(
            player,
            { context, chroma, width, height, pitches, lines in
                guard let receiver = VLCFrameReceiver.from(context?.pointee),
                    let chroma, let width, let height, let pitches, let lines
                else { return 0 }
                let size = receiver.setSize(VLCFrameReceiver.visibleSize(width: width, height: height))
                memcpy(chroma, "BGRA", 4)
                (width.pointee, height.pointee) = (UInt32(size.width), UInt32(size.height))
                (pitches.pointee, lines.pointee) = (UInt32(size.bytesPerRow), UInt32(size.height))
                return 1
            }, nil)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> VLCFrameReceiver? {
        context.map { Unmanaged<VLCFrameReceiver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The visible part of the frame.
    ///
    /// libVLC 3 offers the size in memory, padded to whole macroblocks, and would stretch the frame to that. The
    /// pointers that it passes are in its `video_format_t`, a public structure of libVLC 3's plugin interface. In it,
    /// width and height are followed by two offsets and the visible width and height. If the values are implausible,
    /// the offered size is used.
    private static func visibleSize(
        width: UnsafeMutablePointer<UInt32>, height: UnsafeMutablePointer<UInt32>
    ) -> (width: Int, height: Int) {
        let offered = (width: Int(width.pointee), height: Int(height.pointee))
        guard height == width + 1 else { return offered }
        let visible = (width: Int(width[4]), height: Int(width[5]))
        guard visible.width > 0, visible.width <= offered.width, visible.height > 0, visible.height <= offered.height
        else { return offered }
        return visible
    }

    private func setSize(_ visible: (width: Int, height: Int)) -> (width: Int, height: Int, bytesPerRow: Int) {
        state.withLock { state in
            state.size = (visible.width, visible.height, (visible.width * 4 + 63) & ~63)
            state.pool = []
            state.current = nil
            return state.size
        }
    }

    private func beginFrame() -> UnsafeMutableRawPointer? { state.withLock { $0.takeStorage().bytes.baseAddress } }

    private func showFrame() {
        let (frame, sink) = state.withLock { state in
            let size = state.size
            let frame = state.current.map {
                VideoFrame(width: size.width, height: size.height, bytesPerRow: size.bytesPerRow, storage: $0)
            }
            state.lacksFrame = false
            return (frame, state.sink)
        }
        if let frame { sink?.receive(frame) }
    }
}
#endif
