#if VLC
import Foundation
import Playback
import Synchronization

/// The settings of a backend, for all its items.
struct VLCSettings {
    var rate = 1.0
    var volume = 1.0
    var isMuted = false
    var showsVideo = true
    var role: AudioRole?
    var videoOutput = VideoOutput.none

    /// `true` if a view shows the video.
    var isVideoVisible: Bool {
        if case .none = videoOutput { false } else { showsVideo }
    }

    /// The sink for frames; `nil` if there is none or the video is not visible.
    var sink: (any VideoFrameSink)? {
        if showsVideo, case .frames(let sink) = videoOutput { sink } else { nil }
    }

    var opensWindow: Bool {
        if case .window = videoOutput { Self.hasDisplay } else { false }
    }

    static var hasDisplay: Bool {
        let environment = ProcessInfo.processInfo.environment
        return ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    }
}

/// The only copy of a backend's settings. The backend writes it. The engine and its items read it, on the engine's
/// queue.
final class VLCSettingsStore: Sendable {
    private let settings = Mutex(VLCSettings())

    var current: VLCSettings { settings.withLock { $0 } }

    func apply(_ command: BackendCommand) {
        settings.withLock { settings in
            switch command {
            case .setRate(let rate): settings.rate = rate
            case .setVolume(let volume): settings.volume = volume
            case .setPicture(let isShown): settings.showsVideo = isShown
            case .setMuted(let isMuted): settings.isMuted = isMuted
            case .setRole(let role): settings.role = role
            default: break
            }
        }
    }

    func setVideoOutput(_ output: VideoOutput) { settings.withLock { $0.videoOutput = output } }
}
#endif
