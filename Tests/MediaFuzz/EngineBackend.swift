import FlowplayerSDK
import Playback

#if VLC
import VLCBackend
#endif

/// The real engine without an audio device.
func engineBackend() -> any PlaybackBackend {
    #if VLC
    LibVLCBackend(audioOutput: .none)
    #else
    fatalError("This program was built without libVLC.")
    #endif
}
