#if VLC || GStreamer
import FlowplayerSDK
import Playback

#if GStreamer
import GStreamerBackend
#endif

/// The engines of this build, for tests of hosts with real media.
enum RealEngine: CaseIterable {
    #if VLC
    case libVLC
    #endif
    #if GStreamer
    case gStreamer
    #endif

    /// - Parameter audio: the output for audio; none by default.
    func makeBackend(audio: AudioOutput = .none) -> any PlaybackBackend {
        switch self {
        #if VLC
        case .libVLC: LibVLCBackend(audioOutput: audio)
        #endif
        #if GStreamer
        case .gStreamer: LibGStreamerBackend(audioOutput: audio)
        #endif
        }
    }

    @MainActor
    func makePlayer() -> MediaPlayer { MediaPlayer(backend: makeBackend()) }
}
#endif
