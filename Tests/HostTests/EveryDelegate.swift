import FlowplayerSDK
import Foundation

/// A call of a delegate or a notification: the name of the notification and its value.
struct HostEvent: Equatable, Sendable {
    let name: Notification.Name
    let value: String

    init(_ name: Notification.Name, _ value: Any?) { (self.name, self.value) = (name, value.map { "\($0)" } ?? "nil") }
}

/// Records each call of a delegate as the notification that goes with it.
@MainActor
final class EveryDelegate {
    private(set) var calls: [HostEvent] = []
    /// The called methods, as in `player(_:didChangeState:)`.
    private(set) var methods: Set<String> = []

    private func called(_ name: Notification.Name, _ value: Any?, by method: String = #function) {
        calls.append(HostEvent(name, value))
        methods.insert(method)
    }
}

extension EveryDelegate: FlowplayerDelegate {
    func player(_: FlowplayerAPI, didChangeState state: PlayerState) { called(.flowplayerDidChangeState, state) }
    func player(_: FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        called(.flowplayerDidChangePlaybackState, state)
    }
    func player(_: FlowplayerAPI, didChangeVolume volume: Float) { called(.flowplayerDidChangeVolume, volume) }
    func player(_: FlowplayerAPI, didChangeRate rate: Float) { called(.flowplayerDidChangeRate, rate) }
    func player(_: FlowplayerAPI, didChangeMute isMuted: Bool) { called(.flowplayerDidChangeIsMuted, isMuted) }
    func player(_: FlowplayerAPI, didChangePosition position: Double) {
        called(.flowplayerDidChangePosition, position)
    }
    func player(_: FlowplayerAPI, didChangeDuration duration: Double) {
        called(.flowplayerDidChangeDuration, duration)
    }
    func player(_: FlowplayerAPI, didFailWith error: PlayerError) { called(.flowplayerDidFailWithError, error) }
    func player(_: FlowplayerAPI, loadedTracks tracks: [AudioTrack]) { called(.flowplayerDidLoadAudioTracks, tracks) }
    func player(_: FlowplayerAPI, loadedTracks tracks: [SubtitleTrack]) {
        called(.flowplayerDidLoadSubtitleTracks, tracks)
    }
    func player(_: FlowplayerAPI, didReceiveMediaItem media: any Media) {
        called(.flowplayerDidReceiveMediaItem, media)
    }
    func player(_: FlowplayerAPI, didChangeItem transition: ItemTransition) {
        called(.flowplayerDidChangeItem, transition)
    }
    func player(_: FlowplayerAPI, didReceiveConfig config: OVPConfig) { called(.flowplayerDidReceiveConfig, config) }
    func player(_: FlowplayerAPI, selectedTrack track: AudioTrack) { called(.flowplayerDidSelectAudioTrack, track) }
    func player(_: FlowplayerAPI, selectedTrack track: SubtitleTrack) {
        called(.flowplayerDidSelectSubtitleTrack, track)
    }
    func player(_: FlowplayerAPI, didChangeQuality quality: PlayerQuality) {
        called(.flowplayerDidChangeQuality, quality)
    }
    func player(_: FlowplayerAPI, didChangeSeek state: PlaybackSeekState, to position: Double) {
        called(.flowplayerDidChangeSeekState, (state, position))
    }
    func player(_: FlowplayerAPI, didChangeBufferState state: PlaybackBufferState) {
        called(.flowplayerDidChangeBufferState, state)
    }
    func player(_: FlowplayerAPI, didChangePlaybackType type: PlaybackType) {
        called(.flowplayerDidChangePlaybackType, type)
    }
    func player(_: FlowplayerAPI, didChangeDVRWindow window: DVRWindow) {
        called(.flowplayerDidChangeDVRWindow, window)
    }
    func player(_: FlowplayerAPI, didReceiveMetadata metadata: MediaMetadata) {
        called(.flowplayerDidReceiveMetadata, metadata)
    }
}

extension EveryDelegate: FlowplayerViewDelegate {
    func view(_: FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {
        called(.flowplayerViewDidChangeFullscreen, isFullscreen)
    }
    func view(_: FlowplayerViewAPI, didChangeControlsVisibility isVisible: Bool) {
        called(.flowplayerViewDidChangeControlsVisibility, isVisible)
    }
    func view(_: FlowplayerViewAPI, didEncounterError error: (any Error)?) {
        called(.flowplayerViewDidEncounterError, error)
    }
    func view(_: FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {
        called(.flowplayerViewDidChangeVisibility, isVisible)
    }
    func view(_: FlowplayerViewAPI, didChangeLifecycle lifecycle: ViewLifecycle) {
        called(.flowplayerViewDidChangeLifecycle, lifecycle)
    }
    func viewWasDestroyed(playerID: String) { called(.flowplayerViewDidChangeLifecycle, ViewLifecycle.destroyed) }
}

extension EveryDelegate: FlowplayerAdDelegate {
    func player(_: FlowplayerAPI, didChangeAdState state: AdState, for adType: AdType) {
        called(.flowplayerAdDidChangeState, (state, adType))
    }
    func player(_: FlowplayerAPI, didAdFailWith error: AdError, for type: AdType, with metadata: IMAMetadata?) {
        called(.flowplayerAdDidFail, error)
    }
    func player(_: FlowplayerAPI, didRequestPage url: URL) { called(.flowplayerAdDidRequestPage, url) }
}

extension EveryDelegate: FlowplayerDAIDelegate {
    func player(_: FlowplayerAPI, didStreamChangeState state: DAIStateStream) {
        called(.flowplayerStreamDidChangeState, state)
    }
    func player(_: FlowplayerAPI, didStreamFailWith error: AdError) { called(.flowplayerStreamDidFail, error) }
}
