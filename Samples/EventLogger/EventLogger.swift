// Plays a file to its end, and prints one line for each delegate call.
import FlowplayerSDK
import Foundation

@MainActor
final class EventLogger {
    private let view = FlowplayerView()

    func start(_ path: String) {
        view.delegate = self
        view.viewDelegate = self
        view.adDelegate = self
        view.daiDelegate = self
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: path)))
        // The effects of commands are reported like all other events.
        view.volume = 0.8
        view.openFullscreen()
    }

    private func log(_ name: String, _ values: Any...) {
        print(name, values.map { "\($0)" }.joined(separator: " "))
    }
}

/// The type of the first argument of each delegate method.
typealias Player = any FlowplayerAPI
typealias View = any FlowplayerViewAPI

extension EventLogger: FlowplayerDelegate {
    func player(_ player: Player, didChangeState state: PlayerState) {
        log("state", state.name)
        if state == .failure { exit(1) }
    }

    func player(_ player: Player, didChangePlaybackState state: PlaybackState) {
        log("playbackState", state.name)
        // The last event of an item, after the state `complete`.
        if state == .ended { exit(0) }
    }

    func player(_ player: Player, didFailWith error: PlayerError) {
        log("error", error.playbackError?.code.name ?? error)
        FileHandle.standardError.write(Data("event-logger: \(error.localizedDescription)\n".utf8))
    }

    func player(_ player: Player, didReceiveMediaItem media: any Media) { log("media") }
    func player(_ player: Player, didChangeItem item: ItemTransition) { log("item", item.index, item.reason.rawValue) }
    func player(_ player: Player, didChangePlaybackType type: PlaybackType) { log("playbackType", type.rawValue) }
    func player(_ player: Player, didChangeDuration duration: Double) { log("duration", duration) }
    func player(_ player: Player, didChangeDVRWindow window: DVRWindow) { log("dvrWindow", window.start, window.end) }
    func player(_ player: Player, didReceiveMetadata metadata: MediaMetadata) { log("metadata", metadata.title ?? "") }
    func player(_ player: Player, didReceiveConfig config: OVPConfig) { log("config", config.metadata?.title ?? "") }

    func player(_ player: Player, didChangePosition position: Double) { log("position", position) }
    func player(_ player: Player, didChangeSeek state: PlaybackSeekState, to position: Double) {
        log("seek", state.rawValue, position)
    }

    func player(_ player: Player, didChangeVolume volume: Float) { log("volume", volume) }
    func player(_ player: Player, didChangeRate rate: Float) { log("rate", rate) }
    func player(_ player: Player, didChangeMute isMuted: Bool) { log("mute", isMuted) }
    func player(_ player: Player, didChangeBufferState state: PlaybackBufferState) { log("buffer", state.rawValue) }
    func player(_ player: Player, didChangeQuality quality: PlayerQuality) { log("quality", quality.rawValue) }

    func player(_ player: Player, loadedTracks tracks: [AudioTrack]) { log("audioTracks", tracks.map(\.name)) }
    func player(_ player: Player, loadedTracks tracks: [SubtitleTrack]) { log("subtitleTracks", tracks.map(\.name)) }
    func player(_ player: Player, selectedTrack track: AudioTrack) { log("audio", track.id, track.name) }
    func player(_ player: Player, selectedTrack track: SubtitleTrack) { log("subtitle", track.id, track.name) }
}

extension EventLogger: FlowplayerViewDelegate {
    func view(_ view: View, didChangeFullscreen isFullscreen: Bool) { log("fullscreen", isFullscreen) }
    func view(_ view: View, didChangeControlsVisibility isVisible: Bool) { log("controls", isVisible) }
    func view(_ view: View, didChangeViewVisibility isVisible: Bool) { log("visible", isVisible) }
    func view(_ view: View, didChangeLifecycle lifecycle: ViewLifecycle) { log("lifecycle", lifecycle) }
    func viewWasDestroyed(playerID: String) { log("destroyed") }
    func view(_ view: View, didEncounterError error: (any Error)?) {
        log("viewError", error?.localizedDescription ?? "unknown")
    }
}

extension EventLogger: FlowplayerAdDelegate {
    func player(_ player: Player, didChangeAdState state: AdState, for adType: AdType) {
        log("ad", state, adType)
    }

    func player(_ player: Player, didAdFailWith error: AdError) { log("adError", error) }
    func player(_ player: Player, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?) {
        log("adError", error, type, metadata?.adTitle ?? "")
    }
}

extension EventLogger: FlowplayerDAIDelegate {
    func player(_ player: Player, didStreamChangeState state: DAIStateStream) { log("stream", state) }
    func player(_ player: Player, didStreamFailWith error: AdError) { log("streamError", error) }
}

@main
struct Main {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: event-logger FILE")
            exit(2)
        }
        let logger = EventLogger()
        logger.start(CommandLine.arguments[1])
        withExtendedLifetime(logger) { RunLoop.main.run() }
    }
}
