import FlowplayerSDK
import Foundation

// A host as it is written for the original SDK: what remains of one once its UIKit parts are gone.

/// A replacement for UIKit.
@MainActor
class ViewController {
    func viewDidLoad() {}
}

struct VideoSingle {
    let title: String
    let media: Media
    let autoStart: Bool
}

class PlayController: ViewController {
    let playerView: FlowplayerView
    var video: VideoSingle?
    var storedPlayer: AVPlayer?
    var lines: [String] = []
    var observers: [NSObjectProtocol] = []

    init(playerView: FlowplayerView = FlowplayerView()) {
        self.playerView = playerView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        playerView.delegate = self
        playerView.viewDelegate = self
        playerView.adDelegate = self
        playerView.enableBackgroundPlayback = true

        let controls = ControlsConfig.create()
        controls.setMuteControl(true)
        controls.setVolumeControl(false)
        controls.enablePlugins(["speed", "qsel", "asel", "subtitles"])
        controls.setCustom(key: "speed.options", value: [0.5, 1, 2])
        controls.setCustom(key: "speed.labels", value: ["Half", "Normal", "Double"])
        playerView.controlsConfig = controls.build()

        guard let video = video else { return }
        playerView.autoPlay = video.autoStart
        if let ovp = video.media as? MediaOVP {
            playerView.load(ovp: ovp)
        }
        if let external = video.media as? MediaExternal {
            playerView.load(external: external)
        }
    }

    func thinControls() -> ControlsConfig {
        return ControlsConfig.create().setUseThinControlBar(true).setUsePlay2(true).setFullscreenControl(false).build()
    }

    func didEnterBackground() {
        storedPlayer = playerView.avPlayer
        playerView.avPlayer = nil
    }

    func willEnterForeground() {
        playerView.avPlayer = storedPlayer
        storedPlayer = nil
    }

    func observe(_ center: NotificationCenter) {
        let observer = center.addObserver(
            forName: .flowplayerDidChangePlaybackState, object: nil, queue: nil
        ) { notification in
            guard let state = notification.object as? PlaybackState else { return }
            let id = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
            MainActor.assumeIsolated { self.lines.append("notification \(state) of \(id ?? "nobody")") }
        }
        observers.append(observer)
        observers.append(
            center.addObserver(forName: .flowplayerDidChangeSeekState, object: nil, queue: nil) { notification in
                guard let (state, position) = notification.object as? (PlaybackSeekState, Double) else { return }
                MainActor.assumeIsolated { self.lines.append("notification \(state) \(position)") }
            })
    }

    /// Hosts pass players on by their protocol.
    func describe(_ player: FlowplayerAPI) -> String {
        let seconds = player.position.map { CMTimeGetSeconds($0) } ?? 0
        return "\(player.state) at \(Int(seconds)) of \(player.duration?.seconds ?? 0)"
    }

    func mute(_ player: any FlowplayerAPI) {
        player.isMuted = true
        player.volume = 0.5
    }
}

extension PlayController: FlowplayerDelegate {
    func player(_ player: FlowplayerAPI, didChangeState state: PlayerState) {
        lines.append("state \(state)")
        if player.playbackStateList.prefix(2) == [.playing, .background], state == .pause {
            player.play()
        }
    }

    func player(_ player: FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        lines.append("playback state \(state)")
    }

    func player(_: FlowplayerAPI, didFailWith error: PlayerError) {
        switch error {
        case .invalidConfig: lines.append("invalid config")
        case .invalidAccessToken: lines.append("invalid access token")
        case .playbackError(let inner): lines.append("playback error \(inner)")
        }
    }

    func player(_: FlowplayerAPI, loadedTracks audioList: [AudioTrack]) {
        lines.append("audio \(audioList.map(\.name))")
    }

    func player(_: FlowplayerAPI, selectedTrack subtitle: SubtitleTrack) {
        lines.append("subtitle \(subtitle.name)")
    }

    func player(_: FlowplayerAPI, didChangeQuality quality: PlayerQuality) { lines.append("quality \(quality)") }

    func player(_: FlowplayerAPI, didReceiveConfig config: OVPConfig) {
        lines.append("config \(config.metadata?.title ?? "")")
    }

    func player(_: FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        lines.append("seek \(state) \(position)")
    }
}

extension PlayController: FlowplayerViewDelegate, FlowplayerAdDelegate {
    func view(_ view: FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {
        lines.append("fullscreen \(isFullscreen)")
    }

    func view(_ view: FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {
        lines.append("controls \(isVisible)")
    }

    func player(_ player: FlowplayerAPI, didAdFailWith error: AdError) {
        lines.append("ad \(error)")
    }
}

/// A host without a view, as on a set-top box.
final class RemoteScreen: FlowplayerDelegate {
    let player: AVPlayer
    lazy var manager = FlowplayerManager(avPlayer: player)

    init(player: AVPlayer) { self.player = player }

    func begin(_ item: AVPlayerItem) -> FlowplayerManagerAPI {
        manager.delegate = self
        manager.autoPlay = true
        manager.load(external: MediaExternal(url: item.url, adSchedule: nil, preferredPeakBitRate: 2_000_000))
        return manager
    }
}
