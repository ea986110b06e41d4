#if VLC
import MediaTransport
import Foundation
import Playback

/// Plays with libVLC 3.
///
/// With no display or no sound device playback runs on the clock all the same, and a notice says so once.
public final class VLCBackend: PlaybackBackend {
    public let capabilities = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases))
    private let supervisor: EngineWatchdog

    /// - Parameters:
    ///   - audioOutput: where sound goes.
    ///   - patience: in seconds: a call of libVLC that takes longer will not return. Its item fails with `engineStuck`, and
    ///     what comes next is played by a fresh engine.
    public init(audioOutput: AudioOutput = .auto, patience: Double = 8) {
        supervisor = EngineWatchdog(audioOutput: audioOutput, patience: patience)
    }

    deinit { supervisor.shutDown() }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { supervisor.start(receive) }

    public func send(_ command: BackendCommand) { supervisor.send(command) }

    public func setVideoOutput(_ output: VideoOutput) { supervisor.setVideoOutput(output) }

    /// How many engines of this process were given up, since a call did not return.
    public static var abandonedEngines: Int { EngineWatchdog.abandonedCount }

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
