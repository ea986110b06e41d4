#if VLC
import Foundation
import MediaTransport
import Playback
@_exported import enum Playback.AudioOutput

/// Plays with libVLC 3.
///
/// Without a display or an audio device, playback runs on the clock, and a notice reports that once.
public typealias LibVLCBackend = EngineBackend<LibVLC>

/// The library of `LibVLCBackend`.
public enum LibVLC {
    /// libVLC chooses between exact and fast seeks once for each item, not for each seek.
    fileprivate static let capabilities = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.keyframeSeeking]))
}

extension EngineBackend where Library == LibVLC {
    /// - Parameters:
    ///   - audioOutput: the output for audio.
    ///   - callTimeout: the longest time for a call of libVLC, in seconds. After it the item fails with `engineStuck`,
    ///     and another engine plays the next item.
    ///   - idleCallTimeout: the same while no thread of the process has a core or waits for one; by default `callTimeout`.
    public convenience init(
        audioOutput: AudioOutput = .auto, callTimeout: Double = 8, idleCallTimeout: Double? = nil
    ) {
        ProcessMemory.limitHeaps
        self.init(
            label: "swift-flowplayer.vlc", library: "libVLC", capabilities: LibVLC.capabilities,
            callTimeout: callTimeout, idleCallTimeout: idleCallTimeout,
            make: { VLCEngine(queue: $0, audioOutput: audioOutput, settings: $1, send: $2) },
            onStuck: { VLCInstance.renew() })
        VLCExit.prepare
        // libVLC starts and its modules are loaded before the first item arrives.
        async {
            VLCExit.start {
                VLCModulePreload.loadCxxModules
                VLCExit.prepareWithLibraries
                VLCModulePreload.start()
                _ = VLCInstance.shared
            }
        }
    }

    /// The descriptor for `BackendRegistry`.
    public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
        BackendDescriptor(
            name: .vlc, summary: "libVLC 3: files and streams in nearly every format",
            schemes: VLCModules.schemes, installation: { VLCModules.installation },
            make: { LibVLCBackend(audioOutput: audioOutput) })
    }
}

extension BackendName {
    /// libVLC, the default.
    public static let vlc: BackendName = "vlc"
}
#endif
