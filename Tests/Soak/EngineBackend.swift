import FlowplayerSDK

/// The real engine, with sound that goes nowhere.
func engineBackend() -> any PlaybackBackend {
    #if VLC
    VLCBackend(audioOutput: .none)
    #else
    fatalError("This program was built without libVLC.")
    #endif
}

/// What it had to leave behind: nothing that a soak does may let a call of libVLC hang.
var abandonedEngines: [String] {
    #if VLC
    VLCBackend.abandonedEngines == 0 ? [] : ["\(VLCBackend.abandonedEngines) engines were stuck"]
    #else
    []
    #endif
}
