#if VLC
import Foundation
import MediaTransport
import Playback
@_exported import enum Playback.AudioOutput
import Synchronization

/// Plays with libVLC 3.
///
/// Without a display or an audio device, playback runs on the clock, and a notice reports that once.
///
/// The work is done by a `VLCEngine` on its own queue. If a call of libVLC hangs, the backend leaves that engine behind
/// and creates another one. Open items then end with `engineStuck`, and the new engine performs the commands that the
/// old one had not started.
public final class LibVLCBackend: PlaybackBackend {
    private static let abandoned = Atomic(0)

    /// libVLC chooses between exact and fast seeks once for each item, not for each seek.
    public let capabilities = BackendCapabilities(
        features: Set(BackendCapabilities.Feature.allCases).subtracting([.keyframeSeeking]))
    private let host: EngineHost<VLCEngine>

    /// - Parameters:
    ///   - audioOutput: the output for audio.
    ///   - callTimeout: the longest time for a call of libVLC, in seconds. After it the item fails with `engineStuck`,
    ///     and another engine plays the next item.
    ///   - idleCallTimeout: the same while no thread of the process has a core or waits for one; by default `callTimeout`.
    public init(audioOutput: AudioOutput = .auto, callTimeout: Double = 8, idleCallTimeout: Double? = nil) {
        ProcessMemory.limitHeaps
        host = EngineHost(
            label: "swift-flowplayer.vlc", callTimeout: callTimeout, idleCallTimeout: idleCallTimeout,
            make: { VLCEngine(queue: $0.queue, audioOutput: audioOutput, settings: $0.settings, send: $0.send) },
            reportStuck: Self.reportStuck)
        VLCExit.prepare
        // libVLC starts and its modules are loaded before the first item arrives.
        host.async {
            VLCExit.start {
                VLCModulePreload.loadCxxModules
                VLCExit.prepareWithLibraries
                VLCModulePreload.start()
                _ = VLCInstance.shared
            }
        }
    }

    public func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { host.start(receive) }

    public func send(_ command: BackendCommand) { host.send(command) }

    public func setVideoOutput(_ output: VideoOutput) { host.setVideoOutput(output) }

    /// The number of engines in this process that were left behind, because a call did not return.
    public static var abandonedEngines: Int { abandoned.load(ordering: .relaxed) }

    /// The descriptor for `BackendRegistry`.
    public static func descriptor(audioOutput: AudioOutput = .auto) -> BackendDescriptor {
        BackendDescriptor(
            name: .vlc, summary: "libVLC 3: files and streams in nearly every format",
            schemes: VLCModules.schemes, installation: { VLCModules.installation },
            make: { LibVLCBackend(audioOutput: audioOutput) })
    }

    @Sendable
    private static func reportStuck() -> PlaybackNotice {
        let count = abandoned.wrappingAdd(1, ordering: .relaxed).newValue
        VLCInstance.renew()
        return PlaybackNotice(
            code: "engineStuck",
            message: "A call of libVLC did not return. Its engine was replaced (\(count) in this process so far).")
    }
}

extension BackendName {
    /// libVLC, the default.
    public static let vlc: BackendName = "vlc"
}
#endif
