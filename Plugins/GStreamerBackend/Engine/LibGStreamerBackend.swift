#if GStreamer
import Foundation
import MediaTransport
import Playback
@_exported import enum Playback.AudioOutput

/// Plays with GStreamer 1.22 or later.
///
/// Without an audio device, playback runs on the clock, and a notice reports that once. Features whose GStreamer plugins
/// are not installed are not declared.
public typealias LibGStreamerBackend = EngineBackend<LibGStreamer>

/// The library of `LibGStreamerBackend`.
public enum LibGStreamer {}

extension EngineBackend where Library == LibGStreamer {
    /// The capabilities that the installed plugins give.
    public static var installedCapabilities: BackendCapabilities { GStreamerPlugins.capabilities }

    /// - Parameters:
    ///   - audioOutput: the output for audio.
    ///   - callTimeout: the longest time for a call of GStreamer, in seconds. After it the item fails with `engineStuck`,
    ///     and another engine plays the next item. The first call reads all plugins, which takes several seconds after
    ///     plugins were installed.
    public convenience init(audioOutput: AudioOutput = .auto, callTimeout: Double = 20) {
        ProcessMemory.limitHeaps
        self.init(
            label: "swift-flowplayer.gstreamer", library: "GStreamer", capabilities: GStreamerPlugins.capabilities,
            callTimeout: callTimeout,
            make: { GStreamerEngine(queue: $0, audioOutput: audioOutput, settings: $1, send: $2) })
        GStreamerPlugins.prepareForExit()
        // GStreamer starts before the first item arrives.
        async { if GStreamerPlugins.areLoaded { GStreamerPlugins.preloading } }
    }

    /// The descriptor for `BackendRegistry`.
    public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
        BackendDescriptor(
            name: .gstreamer,
            summary: "GStreamer: files, HTTP, HLS, DASH and live streams, with the decoders of the machine",
            schemes: GStreamerPlugins.schemes, installation: { GStreamerPlugins.installation },
            make: { LibGStreamerBackend(audioOutput: audioOutput) })
    }
}

extension BackendName {
    /// GStreamer, in builds with the trait `GStreamer`.
    public static let gstreamer: BackendName = "gstreamer"
}
#endif
