#if VLC || GStreamer
import FlowplayerSDK
import Playback

#if GStreamer
import GStreamerBackend
#endif

/// The engines of this build, without audio, for tests of hosts with real media.
enum RealEngine: CaseIterable {
    #if VLC
    case libVLC
    #endif
    #if GStreamer
    case gStreamer
    #endif

    func makeBackend() -> any PlaybackBackend {
        switch self {
        #if VLC
        case .libVLC: LibVLCBackend(audioOutput: .none)
        #endif
        #if GStreamer
        case .gStreamer: LibGStreamerBackend(audioOutput: .none)
        #endif
        }
    }

    @MainActor
    func makePlayer() -> MediaPlayer { MediaPlayer(backend: makeBackend()) }
}
#endif
