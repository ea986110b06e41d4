import FlowplayerSDK

/// The real engine, with sound that goes nowhere.
func engineBackend() -> any PlaybackBackend {
    #if VLC
    VLCBackend(audioOutput: .none)
    #else
    fatalError("This program was built without libVLC.")
    #endif
}
