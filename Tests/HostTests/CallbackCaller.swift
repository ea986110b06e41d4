import EventLog
import FlowplayerSDK
import FlowplayerTesting
import Foundation

/// A command that a host gives in a callback.
enum HostCommand: CaseIterable {
    case play, pause, stop, seek, load, reload, rate, volume, mute, audio, subtitle, detach

    @MainActor
    func give(to player: FlowplayerManager) {
        switch self {
        case .play: player.play()
        case .pause: player.pause()
        case .stop: player.stop()
        case .seek: player.seek(2)
        case .load: player.load(external: MediaExternal(url: URL(filePath: "/media/other.mp4")))
        case .reload: player.reload()
        case .rate: player.rate = player.rate == 2 ? 1 : 2
        case .volume: player.volume = player.volume == 1 ? 0.5 : 1
        case .mute: player.isMuted.toggle()
        case .audio: player.selectTrack(audio: 1)
        case .subtitle: player.selectTrack(subtitle: SubtitleTrack.off.id)
        case .detach:
            let engine = player.avPlayer
            player.avPlayer = nil
            player.avPlayer = engine
        }
    }
}

/// Where a host may be called back: every method of its delegates, and every other way.
enum CallbackPlace: CaseIterable {
    case didChangeState, didChangePlaybackState, didChangeVolume, didChangeRate, didChangeMute, didChangePosition
    case didChangeDuration, didFail, loadedAudio, loadedSubtitles, selectedAudio, selectedSubtitle, didChangeQuality
    case didChangeSeek, didChangeBufferState, didChangePlaybackType, didChangeDVRWindow, didReceiveMetadata
    case didReceiveMediaItem, adDidFail, notification, stream, observer, plugin

    /// An item whose playback calls the host at this place.
    var media: SimulatedMedia {
        if self == .didChangeDVRWindow { return .live() }
        return SimulatedMedia(
            tracks: MediaTracks(
                audio: [AudioTrack(id: 1, name: "English"), AudioTrack(id: 2, name: "Deutsch")],
                subtitles: [SubtitleTrack(id: 3, name: "English")],
                video: [VideoTrack(id: 0, width: 640, height: 360)]),
            subtitle: 3, metadata: MediaMetadata(title: "A title"),
            sizes: [.init(at: 4, VideoSize(width: 1280, height: 720))],
            failure: self == .didFail ? .init(at: 3, error: PlaybackError(.endedEarly, url: nil)) : nil)
    }
}

/// Gives commands from one place. The number is limited, because a command that causes its own callback would never
/// end.
@MainActor
final class CallbackCaller: FlowplayerDelegate, FlowplayerAdDelegate, PlayerPlugin {
    private(set) var calls = 0
    private let place: CallbackPlace
    private let command: () -> Void
    private var observations: Set<ObservationToken> = []
    private var waiting: CheckedContinuation<Void, Never>?
    private static let limit = 5

    init(
        _ player: FlowplayerManager, _ place: CallbackPlace, _ center: NotificationCenter, command: @escaping () -> Void
    ) {
        self.place = place
        self.command = command
        player.delegate = self
        player.adDelegate = self
        switch place {
        case .notification:
            let names: [Notification.Name] = [
                .flowplayerDidChangeState, .flowplayerDidChangePosition, .flowplayerDidChangeSeekState,
            ]
            for name in names {
                _ = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                    MainActor.assumeIsolated { self?.call(.notification) }
                }
            }
        case .stream:
            let events = player.events()
            Task { @MainActor [weak self] in
                for await _ in events { self?.call(.stream) }
            }
        case .observer: player.observe(\.state) { [weak self] _, _ in self?.call(.observer) }.store(in: &observations)
        case .plugin: player.attach(self)
        default: break
        }
    }

    private func call(_ place: CallbackPlace) {
        guard place == self.place, calls < Self.limit else { return }
        calls += 1
        command()
        waiting?.resume()
        waiting = nil
    }

    /// Waits for the first call. The reader of a stream runs on its own.
    func untilCalled() async {
        // Other jobs may run at each `await`.
        await withCheckedContinuation { continuation in
            if calls == 0 { waiting = continuation } else { continuation.resume() }
        }
    }

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) { call(.plugin) }
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) { call(.didChangeState) }
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        call(.didChangePlaybackState)
    }
    func player(_ player: any FlowplayerAPI, didChangeVolume volume: Float) { call(.didChangeVolume) }
    func player(_ player: any FlowplayerAPI, didChangeRate rate: Float) { call(.didChangeRate) }
    func player(_ player: any FlowplayerAPI, didChangeMute isMuted: Bool) { call(.didChangeMute) }
    func player(_ player: any FlowplayerAPI, didChangePosition position: Double) { call(.didChangePosition) }
    func player(_ player: any FlowplayerAPI, didChangeDuration duration: Double) { call(.didChangeDuration) }
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) { call(.didFail) }
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack]) { call(.loadedAudio) }
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) { call(.loadedSubtitles) }
    func player(_ player: any FlowplayerAPI, selectedTrack track: AudioTrack) { call(.selectedAudio) }
    func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack) { call(.selectedSubtitle) }
    func player(_ player: any FlowplayerAPI, didChangeQuality quality: PlayerQuality) { call(.didChangeQuality) }
    func player(_ player: any FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        call(.didChangeSeek)
    }
    func player(_ player: any FlowplayerAPI, didChangeBufferState state: PlaybackBufferState) {
        call(.didChangeBufferState)
    }
    func player(_ player: any FlowplayerAPI, didChangePlaybackType type: PlaybackType) { call(.didChangePlaybackType) }
    func player(_ player: any FlowplayerAPI, didChangeDVRWindow window: DVRWindow) { call(.didChangeDVRWindow) }
    func player(_ player: any FlowplayerAPI, didReceiveMetadata metadata: MediaMetadata) { call(.didReceiveMetadata) }
    func player(_ player: any FlowplayerAPI, didReceiveMediaItem media: any Media) { call(.didReceiveMediaItem) }
    func player(_ player: any FlowplayerAPI, didAdFailWith error: AdError) { call(.adDidFail) }
}

/// Checks a player against the event contract while it lives.
@MainActor
final class LintedLog: PlayerPlugin {
    private(set) var breaches: [EventContractBreach] = []
    private var linter = EventLogLinter()

    init(_ player: FlowplayerManager) { player.attach(self) }

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        let logged = LoggedEvent(event, at: snapshot.position)
        breaches += linter.check(
            EventLogEntry(t: 0, player: player.id, item: snapshot.generation.rawValue, event: logged))
    }
}

/// Takes commands and answers nothing.
final class StuckBackend: PlaybackBackend {
    let capabilities = BackendCapabilities()

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) {}
    func send(_ command: BackendCommand) {}
    func setVideoOutput(_ output: VideoOutput) {}
}
