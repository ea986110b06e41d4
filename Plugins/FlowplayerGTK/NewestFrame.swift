#if GTK
import Foundation
import Playback
import Synchronization

/// Keeps the newest frame of a player until it is painted.
///
/// The engine's thread writes, the main actor reads. Frames that come while one waits replace it.
final class NewestFrame: VideoFrameSink {
    private struct State {
        var newest: VideoFrame?
        /// `true` if `newest` has not been painted.
        var isNew = false
        /// `true` while the player is paused, where engines send the same frame again and again.
        var isPaused = false
        var repeatedFrames = 0
        /// `true` if the main actor is going to be called.
        var isAnnounced = false
    }

    private let state = Mutex(State())
    private let announce: @MainActor () -> Void

    let maximumFrameSize: VideoSize?

    /// - Parameters:
    ///   - maximumFrameSize: the size of the screen, which no frame needs to exceed; `nil` if it is unknown.
    ///   - announce: called when there is a new frame, once for all frames until it runs.
    init(maximumFrameSize: VideoSize?, announce: @escaping @MainActor () -> Void) {
        self.maximumFrameSize = maximumFrameSize
        self.announce = announce
    }

    var repeatedFrames: Int { state.withLock { $0.repeatedFrames } }

    var newest: VideoFrame? { state.withLock { $0.newest } }

    /// The newest frame, unless it was taken before.
    func take() -> VideoFrame? {
        state.withLock { state in
            guard state.isNew else { return nil }
            state.isNew = false
            return state.newest
        }
    }

    func clear() {
        state.withLock { ($0.newest, $0.isNew) = (nil, false) }
    }

    /// While paused, only a frame with other pixels than the last one counts.
    func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    func receive(_ frame: VideoFrame) {
        let (isPaused, last) = state.withLock { ($0.isPaused, $0.newest) }
        if isPaused, let last, frame.hasSamePixels(as: last) {
            state.withLock { $0.repeatedFrames += 1 }
            return
        }
        let isFirst = state.withLock { state in
            state.newest = frame
            state.isNew = true
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        guard isFirst else { return }
        DispatchQueue.main.async { [self] in
            state.withLock { $0.isAnnounced = false }
            MainActor.assumeIsolated(announce)
        }
    }
}

extension VideoFrame {
    /// Compares what is visible, without the padding of the rows.
    fileprivate func hasSamePixels(as other: VideoFrame) -> Bool {
        guard (width, height, bytesPerRow) == (other.width, other.height, other.bytesPerRow) else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return false }
                return (0..<height).allSatisfy {
                    memcmp(mine + $0 * bytesPerRow, theirs + $0 * bytesPerRow, width * 4) == 0
                }
            }
        }
    }
}
#endif
