#if GTK
import Foundation
import Playback
import Synchronization

/// Keeps the newest frame of a player until it is painted.
///
/// The engine's thread writes, the main actor reads. Frames that come while one waits replace it. Engines send no repeated frame
/// while paused.
final class FrameToPaint: VideoFrameSink {
    private struct State {
        var newest: VideoFrame?
        /// `true` if `newest` has not been painted.
        var isNew = false
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

    func receive(_ frame: VideoFrame) {
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
#endif
