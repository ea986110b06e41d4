import FlowplayerSDK
import Foundation

// A host in Swift 5 mode, as it is written for the original SDK. Its compiler warnings are errors.

/// A class without isolation, with its conformances in extensions.
public class Swift5Host {
    public private(set) var lines: [String] = []
    private let player: FlowplayerManager

    public init(player: AVPlayer) {
        self.player = FlowplayerManager(avPlayer: player)
        self.player.delegate = self
        self.player.adDelegate = self
        self.player.daiDelegate = self
        self.player.autoPlay = true
        Flowplayer.current.config.loggerEnabled = true
        Flowplayer.current.configure()
    }

    public func load(_ url: URL) {
        player.load(external: MediaExternal(url: url, adSchedule: AdScheduleRemote(url: url)))
    }

    deinit { player.stop() }
}

extension Swift5Host: FlowplayerDelegate {
    public func player(_ player: FlowplayerAPI, didChangeState state: PlayerState) {
        lines.append("\(state)")
        player.volume = 0.5
    }
}

extension Swift5Host: FlowplayerAdDelegate {
    public func player(_: FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?) {
        lines.append("\(error) \(type) \(metadata?.type?.stringValue ?? "without metadata")")
    }
}

extension Swift5Host: FlowplayerDAIDelegate {
    public func player(_: FlowplayerAPI, didStreamChangeState state: DAIStateStream) { lines.append("\(state)") }
    public func player(_: FlowplayerAPI, didStreamFailWith error: AdError) { lines.append("\(error)") }
}

/// The media of the original samples.
public func daiMedia() -> [Media] {
    [
        MediaDAI(
            stream: DAIStreamVOD(
                contentSourceID: "1",
                videoID: "film",
                bookmark: 10,
                backupStream: .init(string: "https://media.example/film.m3u8")!
            )
        ),
        MediaDAI(
            stream: DAIStreamLive(assetKey: "key", backupStream: .init(string: "https://media.example/live.m3u8")!)),
        MediaDAI(
            stream: DAIStreamPodLive(
                networkCode: "1",
                streamData: .init(streamURL: .init(string: "https://media.example/pod.m3u8")!),
                customAssetKey: "key",
                apiKey: "",
                backupStream: .init(string: "https://media.example/backup.m3u8")!
            )
        ),
    ]
}

/// A double of the player, as hosts write it for their tests: the members of the original interface, and no others.
public class PlayerDouble: FlowplayerViewAPI {
    public var id = "double"
    public weak var delegate: FlowplayerDelegate?
    public weak var viewDelegate: FlowplayerViewDelegate?
    public weak var adDelegate: FlowplayerAdDelegate?
    public var state = PlayerState.idle
    public var stateList: [PlayerState] = []
    public var playbackState = PlaybackState.idle
    public var playbackStateList: [PlaybackState] = []
    public var isReady = false
    public var media: Media?
    public var mediaHistoryList: [Media] = []
    public var sourceURL: URL?
    public var ovpConfig: OVPConfig?
    public var playbackType = PlaybackType(rawValue: String?.none) ?? .unknown
    public var dvrWindow: DVRWindow?
    public var duration: CMTime?
    public var position: CMTime?
    public var rate: Float = 1
    public var volume: Float = 1
    public var isMuted = false
    public var bufferState = PlaybackBufferState.empty
    public var bufferLoadedPercentage = 0.0
    public var quality: PlayerQuality?
    public var preferredPeakBitRate: Double?
    public var audioList: [AudioTrack] = []
    public var subtitleList: [SubtitleTrack] = []
    public var currentAudio: AudioTrack?
    public var currentSubtitle: SubtitleTrack?
    public var avPlayer: AVPlayer?
    public var autoPlay = false
    public var isFullscreen = false
    public var orientation = Orientation.portrait
    public var orientationControlsFullscreen = false
    public var fullscreenControlsOrientation = false
    public var hideControls = false
    public var controlsConfig: ControlsConfig?
    public var enableBackgroundPlayback = false

    public init() {}

    public func load(external media: MediaExternal) { self.media = media }
    public func load(ovp media: MediaOVP) { self.media = media }
    public func reload() -> Bool { false }
    public func play() { state = .play }
    public func pause() { state = .pause }
    public func stop() { state = .idle }
    public func seek(_ seconds: Double) {}
    public func selectTrack(audio id: Int) {}
    public func selectTrack(subtitle id: Int) {}
    public func openFullscreen() { isFullscreen = true }
    public func closeFullscreen() { isFullscreen = false }
}
