/// Reads one frame of an item, with another player that is muted.
@MainActor
package enum FrameReader {
    /// The longest time to open the item, in seconds.
    private static let timeout = 15.0

    /// Opens an item at a position, and returns its first frame there.
    ///
    /// - Parameters:
    ///   - item: the item to read.
    ///   - seconds: the position.
    ///   - backend: an engine for this frame alone, if possible without audio output.
    ///   - clock: the clock of the timeout.
    ///   - maximumFrameSize: the size that the frame must not exceed; `nil` for the size of the video.
    /// - Throws: the `PlaybackError` of the item; `noPlayableStream` if it has no video, and `timedOut` after 15 s.
    package static func frame(
        of item: PlayerItem, at seconds: Double, backend: any PlaybackBackend, clock: any PlaybackClock,
        maximumFrameSize: VideoSize? = nil
    ) async throws -> (frame: VideoFrame, playbackType: PlaybackType) {
        let (frames, continuation) = AsyncThrowingStream<VideoFrame, any Error>.makeStream()
        let player = MediaPlayer(backend: backend, audioSession: AudioSession(focus: AudioFocus()))
        let errors = player.observe { _, snapshot in
            if let error = snapshot.error ?? snapshot.missingVideo { continuation.finish(throwing: error) }
        }
        let timer = clock.schedule(at: clock.hostTime + .seconds(timeout)) {
            continuation.finish(throwing: PlaybackError(.timedOut, url: item.url))
        }
        defer {
            errors.cancel()
            timer.cancel()
            player.close()
        }
        player.isMuted = true
        player.videoOutput = .frames(FrameInbox(maximumFrameSize: maximumFrameSize) { continuation.yield($0) })
        // libVLC shows no frame at the start position of a paused item without a further seek.
        player.load(item.duplicate, autoPlay: true, startPosition: seconds)
        for try await frame in frames {
            // The type of a stream is known then.
            try await player.waitUntilReady()
            return (frame, player.snapshot.playbackType)
        }
        throw CancellationError()
    }
}

extension PlayerSnapshot {
    /// The error of an item without video; `nil` if it has video, or its tracks are not known.
    package var missingVideo: PlaybackError? {
        guard let tracks, tracks.video.isEmpty, !tracks.audio.isEmpty else { return nil }
        return PlaybackError(.noPlayableStream, url: item?.source?.url, detail: "The item has no video.")
    }
}

/// Passes each frame to a handler, on a thread of the engine.
private final class FrameInbox: VideoFrameSink {
    let maximumFrameSize: VideoSize?
    private let handler: @Sendable (VideoFrame) -> Void

    init(maximumFrameSize: VideoSize?, handler: @escaping @Sendable (VideoFrame) -> Void) {
        self.maximumFrameSize = maximumFrameSize
        self.handler = handler
    }

    func receive(_ frame: VideoFrame) { handler(frame) }
}
