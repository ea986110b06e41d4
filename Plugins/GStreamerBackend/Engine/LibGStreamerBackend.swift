#if GStreamer
import Foundation
import Playback
@_exported import enum Playback.AudioOutput
import Synchronization

/// Plays with GStreamer 1.22 or later.
///
/// Without an audio device, playback runs on the clock, and a notice reports that once. Features whose GStreamer plugins
/// are not installed are not declared.
///
/// The work is done by a `GStreamerEngine` on its own queue. If a call of GStreamer hangs, the backend leaves that engine
/// behind and creates another one. The open item then ends with `engineStuck`.
public final class LibGStreamerBackend: PlaybackBackend {
    private static let abandoned = Atomic(0)

    /// The capabilities that the installed plugins give.
    public static var installedCapabilities: BackendCapabilities { GStreamerPlugins.capabilities }

    public let capabilities = GStreamerPlugins.capabilities
    private let host: EngineHost<GStreamerEngine>

    /// - Parameters:
    ///   - audioOutput: the output for audio.
    ///   - callTimeout: the longest time for a call of GStreamer, in seconds. After it the item fails with `engineStuck`,
    ///     and another engine plays the next item. The first call reads all plugins, which takes several seconds after
    ///     plugins were installed.
    public init(audioOutput: AudioOutput = .auto, callTimeout: Double = 20) {
        host = EngineHost(
            label: "swift-flowplayer.gstreamer", callTimeout: callTimeout,
            make: { GStreamerEngine(queue: $0.queue, audioOutput: audioOutput, settings: $0.settings, send: $0.send) },
            reportStuck: Self.reportStuck)
        // GStreamer starts before the first item arrives.
        host.async { _ = GStreamerPlugins.areLoaded }
    }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { host.start(receive) }

    public func send(_ command: BackendCommand) { host.send(command) }

    public func setVideoOutput(_ output: VideoOutput) { host.setVideoOutput(output) }

    /// The descriptor for `BackendRegistry`.
    public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
        BackendDescriptor(
            name: .gstreamer, summary: "GStreamer: files, HTTP, HLS and live streams, with the decoders of the machine",
            schemes: GStreamerPlugins.schemes, installation: { GStreamerPlugins.installation },
            make: { LibGStreamerBackend(audioOutput: audioOutput) })
    }

    @Sendable
    private static func reportStuck() -> PlaybackNotice {
        let count = abandoned.wrappingAdd(1, ordering: .relaxed).newValue
        return PlaybackNotice(
            code: "engineStuck",
            message: "A call of GStreamer did not return. Its engine was replaced (\(count) in this process so far).")
    }
}

extension BackendName {
    /// GStreamer, in builds with the trait `GStreamer`.
    public static let gstreamer: BackendName = "gstreamer"
}
#endif
