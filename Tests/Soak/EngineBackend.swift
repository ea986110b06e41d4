import FlowplayerSDK

/// The real engine without an audio device.
func engineBackend() -> any PlaybackBackend {
    #if VLC
    VLCBackend(audioOutput: .none)
    #else
    fatalError("This program was built without libVLC.")
    #endif
}

/// The number of abandoned engines. A soak must not make a call of libVLC hang.
var abandonedEngines: [String] {
    #if VLC
    VLCBackend.abandonedEngines == 0 ? [] : ["\(VLCBackend.abandonedEngines) engines were stuck"]
    #else
    []
    #endif
}
