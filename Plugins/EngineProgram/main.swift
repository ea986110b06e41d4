import FlowplayerIsolation
import Playback

#if GStreamer
import GStreamerBackend
#endif
#if VLC
import VLCBackend
#endif

// The engines that hosts run in a separate process, see `IsolatedBackend`.
var engines: [String: ([String: String]) -> any PlaybackBackend] = [:]
#if VLC
// A call that hangs ends the process, and another one continues. So the time is shorter than in a host.
engines["vlc"] = { options in
    let audioOutput = options["audio"].flatMap(AudioOutput.init) ?? .auto
    guard let timeout = options["callTimeout"].flatMap(Double.init) else {
        return LibVLCBackend(audioOutput: audioOutput, idleCallTimeout: 0.6)
    }
    return LibVLCBackend(audioOutput: audioOutput, callTimeout: timeout)
}
#endif
#if GStreamer
engines["gstreamer"] = { options in
    let audioOutput = options["audio"].flatMap(AudioOutput.init) ?? .auto
    guard let timeout = options["callTimeout"].flatMap(Double.init) else {
        return LibGStreamerBackend(audioOutput: audioOutput)
    }
    return LibGStreamerBackend(audioOutput: audioOutput, callTimeout: timeout)
}
#endif
EngineServer.run(engines: engines)
