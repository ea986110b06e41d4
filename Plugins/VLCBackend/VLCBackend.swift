#if VLC
    import Foundation
    import Playback

    /// Plays with libVLC 3.
    ///
    /// With no display or no sound device playback runs on the clock all the same, and a notice says so once.
    public final class VLCBackend: PlaybackBackend {
        public let capabilities = BackendCapabilities(
            features: Set(BackendCapabilities.Feature.allCases))
        public let events: AsyncStream<BackendEvent>
        private let worker: VLCWorker

        /// - Parameter audioOutput: where sound goes.
        public init(audioOutput: AudioOutput = .auto) {
            let (events, continuation) = AsyncStream<BackendEvent>.makeStream()
            self.events = events
            worker = VLCWorker(audioOutput: audioOutput, continuation: continuation)
            // libVLC starts while the host makes up its mind what to play.
            worker.queue.async { _ = VLCInstance.shared }
        }

        deinit { worker.queue.async { [worker] in worker.shutDown() } }

        public func send(_ command: BackendCommand) {
            worker.queue.async { [worker] in worker.handle(command) }
        }

        public func setVideoOutput(_ output: VideoOutput) {
            worker.queue.async { [worker] in worker.setVideoOutput(output) }
        }

        /// How to register this backend.
        public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
            BackendDescriptor(
                name: .vlc, summary: "libVLC 3: files and streams in nearly every format",
                schemes: MediaPreflight.schemes
            ) { VLCBackend(audioOutput: audioOutput) }
        }
    }

    extension BackendName {
        /// libVLC, the default.
        public static let vlc: BackendName = "vlc"
    }
#endif
