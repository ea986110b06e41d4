import FlowplayerSDK

/// The real engine without an audio device.
func engineBackend() -> any PlaybackBackend {
    #if VLC
    VLCBackend(audioOutput: .none)
    #else
    fatalError("This program was built without libVLC.")
    #endif
}
