#if VLC
import Foundation
import Playback

/// How a backend plays, whatever the item.
struct VLCControls {
    var rate = 1.0
    var volume = 1.0
    var isMuted = false
    var isPictureShown = true
    var role: AudioRole?
    var videoOutput = VideoOutput.none

    var isPictureSeen: Bool {
        if case .none = videoOutput { false } else { isPictureShown }
    }

    /// Where frames go now.
    var sink: (any VideoFrameSink)? {
        if isPictureShown, case .frames(let sink) = videoOutput { sink } else { nil }
    }

    var opensWindow: Bool {
        if case .window = videoOutput { Self.hasDisplay } else { false }
    }

    static var hasDisplay: Bool {
        let environment = ProcessInfo.processInfo.environment
        return ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    }
}
#endif
