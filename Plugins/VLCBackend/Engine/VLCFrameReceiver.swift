#if VLC
import CVLC
import Foundation
import Playback
import Synchronization

/// Receives the frames of one player from libVLC's memory output, and sends them to a sink.
///
/// The sink receives no frame before the size of the video is known, because libVLC may scale it wrongly until then. While
/// the item is paused, libVLC draws the same frame about 15 times a second. The sink receives it once.
final class VLCFrameReceiver: Sendable {
    private struct State {
        var sink: (any VideoFrameSink)?
        /// `true` if the frames are dropped.
        var isHidden = false
        var isPaused = false
        /// `true` if libVLC has drawn no frame for the sink, or none since `expectFrame`.
        var lacksFrame = true
        var videoSize = Size.unknown
        /// The size of the decoded video; `nil` until it is open.
        var decodedSize: VideoSize?
        /// The sink's limit when the video was opened.
        var limit: VideoSize?
        /// The size of the frames.
        var size: (width: Int, height: Int, bytesPerRow: Int) = (0, 0, 0)
        var pool = VideoFramePool()
        /// The frame that libVLC writes or shows.
        var current: VideoFrameStorage?
        /// The last frame that the sink has received, to detect repetitions.
        var last: VideoFrameStorage?

        /// `true` if frames have the size that they should have with a limit.
        func fits(_ limit: VideoSize?) -> Bool {
            fullSize?.fitted(into: limit) == VideoSize(width: size.width, height: size.height)
        }

        /// The size of the open video without a limit. The known size may still be that of another variant.
        var fullSize: VideoSize? {
            guard let decodedSize, case .known(let size) = videoSize else { return decodedSize }
            return size.width == decodedSize.width || size.height == decodedSize.height ? size : decodedSize
        }

        mutating func takeStorage() -> VideoFrameStorage {
            current = nil
            let storage = pool.storage(byteCount: size.bytesPerRow * size.height, for: sink)
            current = storage
            return storage
        }
    }

    /// The size of the video in square pixels, which libVLC does not report to an output.
    enum Size {
        case unknown
        /// libVLC does not know it. The frames have the decoded size.
        case unavailable
        case known(VideoSize)
    }

    private let state = Mutex(State())
    private let frameDrawn: @Sendable () -> Void

    /// - Parameter frameDrawn: called on libVLC's thread when `lacksFrame` becomes `false`.
    init(frameDrawn: @escaping @Sendable () -> Void) { self.frameDrawn = frameDrawn }

    /// - Parameters:
    ///   - sink: `nil` to drop the frames.
    ///   - isHidden: `true` to drop the frames although they have a sink.
    ///   - isPaused: `true` to drop repetitions.
    func setSink(_ sink: (any VideoFrameSink)?, isHidden: Bool, isPaused: Bool) {
        state.withLock { state in
            if state.sink !== sink {
                (state.last, state.lacksFrame) = (nil, true)
                // The memory may be that of the other sink.
                state.pool = VideoFramePool()
            }
            (state.sink, state.isHidden, state.isPaused) = (sink, isHidden, isPaused)
        }
    }

    func setVideoSize(_ size: Size) { state.withLock { $0.videoSize = size } }

    /// `true` if the frames of the open video should have another size.
    func needsOtherSize(for sink: any VideoFrameSink) -> Bool {
        let limit = sink.maximumFrameSize
        return state.withLock { $0.decodedSize != nil && !$0.fits(limit) }
    }

    /// The sink lacks a frame until libVLC draws the next one.
    func expectFrame() { state.withLock { $0.lacksFrame = true } }

    /// `true` if libVLC has drawn no frame for the sink, or none since `expectFrame`.
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
                let size = receiver.setDecodedSize(VLCFrameReceiver.visibleSize(width: width, height: height))
                memcpy(chroma, "BGRA", 4)
                (width.pointee, height.pointee) = (UInt32(size.width), UInt32(size.height))
                (pitches.pointee, lines.pointee) = (UInt32(size.bytesPerRow), UInt32(size.height))
                return 1
            }, nil)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> VLCFrameReceiver? {
        context.map { Unmanaged<VLCFrameReceiver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The size of the visible part of the frame.
    ///
    /// libVLC 3 offers the size in memory, padded to whole macroblocks, and would stretch the frame to that. The
    /// pointers that it passes are in its `video_format_t`, a public structure of libVLC 3's plugin interface. In it,
    /// width and height are followed by two offsets and the visible width and height. If the values are implausible,
    /// the offered size is used.
    private static func visibleSize(
        width: UnsafeMutablePointer<UInt32>, height: UnsafeMutablePointer<UInt32>
    ) -> VideoSize {
        let offered = VideoSize(width: Int(width.pointee), height: Int(height.pointee))
        guard height == width + 1 else { return offered }
        let visible = VideoSize(width: Int(width[4]), height: Int(width[5]))
        guard visible.width > 0, visible.width <= offered.width, visible.height > 0, visible.height <= offered.height
        else { return offered }
        return visible
    }

    private func setDecodedSize(_ decodedSize: VideoSize) -> (width: Int, height: Int, bytesPerRow: Int) {
        let limit = state.withLock(\.sink)?.maximumFrameSize
        return state.withLock { state in
            (state.decodedSize, state.limit) = (decodedSize, limit)
            let size = (state.fullSize ?? decodedSize).fitted(into: limit)
            state.size = (size.width, size.height, (size.width * 4 + 63) & ~63)
            state.pool = VideoFramePool()
            (state.current, state.last) = (nil, nil)
            return state.size
        }
    }

    private func beginFrame() -> UnsafeMutableRawPointer? { state.withLock { $0.takeStorage().bytes.baseAddress } }

    private func showFrame() {
        let state = state.withLock(\.self)
        guard !state.isHidden, let sink = state.sink, let storage = state.current, state.fits(state.limit) else {
            return
        }
        if case .unknown = state.videoSize { return }
        let size = state.size
        let frame = VideoFrame(
            width: size.width, height: size.height, bytesPerRow: size.bytesPerRow, storage: storage)
        let isRepetition = state.isPaused && state.last.map(frame.showsTheSame) ?? false
        let isFirst = self.state.withLock { state in
            defer { state.lacksFrame = false }
            if !isRepetition { state.last = storage }
            return state.lacksFrame
        }
        if !isRepetition { sink.receive(frame) }
        if isFirst { frameDrawn() }
    }
}

extension VideoFrame {
    /// `true` if the pixels are those of a frame of the same size.
    fileprivate func showsTheSame(as other: VideoFrameStorage) -> Bool {
        guard let pixels = storage.bytes.baseAddress, let others = other.bytes.baseAddress else { return false }
        return stride(from: 0, to: height * bytesPerRow, by: bytesPerRow).allSatisfy { row in
            memcmp(pixels + row, others + row, width * 4) == 0
        }
    }
}
#endif
