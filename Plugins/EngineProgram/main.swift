import FlowplayerIsolation
import Playback

#if VLC
import VLCBackend
#endif

// The engines that hosts run in a separate process, see `IsolatedBackend`.
var engines: [String: ([String: String]) -> any PlaybackBackend] = [:]
#if VLC
// A call that hangs ends the process, so the time is shorter than in a host.
engines["vlc"] = { options in
    LibVLCBackend(
        audioOutput: options["audio"].flatMap(AudioOutput.init) ?? .auto,
        callTimeout: options["callTimeout"].flatMap(Double.init) ?? 1.5)
}
#endif
EngineServer.run(engines: engines)
