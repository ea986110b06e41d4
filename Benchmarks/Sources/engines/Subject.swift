#if GStreamer
import FlowplayerIsolation
import Foundation
import GStreamerBackend
import Measuring
import Playback
import VLCBackend

/// A player of the comparison. Each of its runs has its own process.
enum Subject: String, CaseIterable {
    case vlc, gstreamer
    case isolatedVLC = "isolated:vlc"
    case isolatedGStreamer = "isolated:gstreamer"
    case mpv

    /// The number of players at once.
    static let crowd = 50
    /// The positions of the seeks, in seconds.
    static let targets = (1...20).map { Double($0 * 37 % 60) + 0.3 }
    /// The time that an engine has to start before the first item, in seconds.
    static let warmUp = 0.7

    /// - Returns: `nil` for mpv, which is a program.
    func makeBackend(audio: AudioOutput = .none) -> (any PlaybackBackend)? {
        let options = ["audio": audio.rawValue]
        return switch self {
        case .vlc: LibVLCBackend(audioOutput: audio)
        case .gstreamer: LibGStreamerBackend(audioOutput: audio)
        case .isolatedVLC: IsolatedBackend(options: options)
        case .isolatedGStreamer:
            IsolatedBackend(
                running: .gstreamer, options: options, capabilities: LibGStreamerBackend.installedCapabilities)
        case .mpv: nil
        }
    }

    var isIsolated: Bool { [.isolatedVLC, .isolatedGStreamer].contains(self) }
}

/// The figures of one run.
enum Run: String {
    /// The time from `load` to the first frame, in milliseconds.
    case start
    /// The CPU time of all processes, in percent of a core.
    case play
    /// The time from each exact seek of a paused item to its frame, in milliseconds.
    case seek
    /// The memory of all processes of many players at once, in MB.
    case crowd
    /// Plays the files over PulseAudio. No figure.
    case queue
}
#endif
