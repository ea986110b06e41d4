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

extension EventLogger: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        log("state", state.name)
        if state == .failure { exit(1) }
    }

    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        log("playbackState", state.name)
        // The last event of an item, after the state `complete`.
        if state == .ended { exit(0) }
    }

    func player(_ player: any FlowplayerAPI, didChangeItem transition: ItemTransition) {
        log("item", transition.index, transition.reason.rawValue)
    }

    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float) { log("volume", volume) }
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) { log("rate", rate) }
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool) { log("mute", isMuted) }
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double) { log("position", position) }
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) { log("duration", duration) }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        log("error", error.playbackError?.code.name ?? error)
        let message = "event-logger: \(error.localizedDescription)\n"
        FileHandle.standardError.write(Data(message.utf8))
    }

    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack]) {
        log("audioTracks", tracks.map(\.name))
    }

    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) {
        log("subtitleTracks", tracks.map(\.name))
    }

    func player(_ player: any FlowplayerAPI, selectedTrack track: AudioTrack) { log("audio", track.id, track.name) }
    func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack) {
        log("subtitle", track.id, track.name)
    }

    func player(_ player: any FlowplayerAPI, didReceiveConfig config: OVPConfig) {
        log("config", config.metadata?.title ?? "without a title")
    }

    func player(_ player: any FlowplayerAPI, didChangeQuality quality: PlayerQuality) {
        log("quality", quality.rawValue)
    }

    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        log("seek", state.rawValue, position)
    }

    func player(_ player: any FlowplayerAPI, didChangeBufferState state: PlaybackBufferState) {
        log("buffer", state.rawValue)
    }

    func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType) {
        log("playbackType", type.rawValue)
    }

    func player(_ player: any FlowplayerAPI, didChangeDVRWindow window: DVRWindow) {
        log("dvrWindow", window.start, window.end)
    }

    func player(_ player: any FlowplayerAPI, didReceiveMetadata metadata: MediaMetadata) {
        log("metadata", metadata.title ?? "without a title")
    }
}

extension EventLogger: FlowplayerViewDelegate {
    func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) { log("fullscreen", isFullscreen) }
    func view(_ view: any FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) { log("controls", isVisible) }
    func view(_ view: any FlowplayerViewAPI, didEncounterError error: (any Error)?) {
        log("viewError", error?.localizedDescription ?? "unknown")
    }

    func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) { log("visible", isVisible) }
    func view(_ view: any FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {
        log("lifecycle", lifecycle)
    }
}

extension EventLogger: FlowplayerAdDelegate {
    func player(_ player: any FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {
        log("ad", state.name, adType.name)
    }

    func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError) { log("adError", error) }
    func player(
        _ player: any FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?
    ) {
        log("adError", error, type.name, metadata?.adTitle ?? "without a title")
    }
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
