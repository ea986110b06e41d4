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

/// The number of abandoned engines. A soak must not make a call of libVLC hang.
var abandonedEngines: [String] {
    #if VLC
    LibVLCBackend.abandonedEngines == 0 ? [] : ["\(LibVLCBackend.abandonedEngines) engines were stuck"]
    #else
    []
    #endif
}
