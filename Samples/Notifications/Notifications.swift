// Plays a file to its end, and prints one line for each notification.
import FlowplayerSDK
import Foundation

/// Prints the notifications of all players. It needs no reference to a player.
struct NotificationPrinter {
    func start() {
        observeMedia()
        observePlayback()
        observeTracks()
        observeView()
        observeAdvertisements()
    }

    private func observeMedia() {
        observe(.flowplayerDidReceiveMediaItem) { ($0.object as? MediaExternal)?.url.lastPathComponent }
        observe(.flowplayerDidReceiveConfig) { ($0.object as? OVPConfig)?.metadata?.title }
        observe(.flowplayerDidReceiveMetadata) { ($0.object as? MediaMetadata).map { $0.title ?? "without a title" } }
        observe(.flowplayerDidChangePlaybackType) { ($0.object as? PlaybackType)?.rawValue }
        observe(.flowplayerDidChangeDuration) { ($0.object as? Double).map { "\($0)" } }
        observe(.flowplayerDidChangeDVRWindow) { ($0.object as? DVRWindow).map { "\($0.start) \($0.end)" } }
    }

    private func observePlayback() {
        observe(.flowplayerDidChangeState) { ($0.object as? PlayerState)?.name }
        observe(.flowplayerDidChangePlaybackState) { ($0.object as? PlaybackState)?.name }
        observe(.flowplayerDidChangePosition) { ($0.object as? Double).map { "\($0)" } }
        observe(.flowplayerDidChangeSeekState) { notification in
            let seek = notification.object as? (PlaybackSeekState, Double)
            return seek.map { state, position in "\(state.rawValue) \(position)" }
        }
        observe(.flowplayerDidChangeRate) { ($0.object as? Float).map { "\($0)" } }
        observe(.flowplayerDidChangeVolume) { ($0.object as? Float).map { "\($0)" } }
        observe(.flowplayerDidChangeIsMuted) { ($0.object as? Bool).map { "\($0)" } }
        observe(.flowplayerDidChangeBufferState) { ($0.object as? PlaybackBufferState)?.rawValue }
        observe(.flowplayerDidFailWithError) { ($0.object as? PlayerError)?.localizedDescription }
    }

    private func observeTracks() {
        observe(.flowplayerDidLoadAudioTracks) { ($0.object as? [AudioTrack]).map { "\($0.map(\.name))" } }
        observe(.flowplayerDidLoadSubtitleTracks) { ($0.object as? [SubtitleTrack]).map { "\($0.map(\.name))" } }
        observe(.flowplayerDidSelectAudioTrack) { ($0.object as? AudioTrack)?.name }
        observe(.flowplayerDidSelectSubtitleTrack) { ($0.object as? SubtitleTrack)?.name }
        observe(.flowplayerDidChangeQuality) { ($0.object as? PlayerQuality)?.rawValue }
    }

    private func observeView() {
        observe(.flowplayerViewDidChangeLifecycle) { ($0.object as? ViewLifecycle).map { "\($0)" } }
        observe(.flowplayerViewDidChangeVisibility) { ($0.object as? Bool).map { "\($0)" } }
        observe(.flowplayerViewDidChangeFullscreen) { ($0.object as? Bool).map { "\($0)" } }
        observe(.flowplayerViewDidChangeControlsVisibility) { ($0.object as? Bool).map { "\($0)" } }
        observe(.flowplayerViewDidEncounterError) { ($0.object as? any Error)?.localizedDescription ?? "unknown" }
    }

    private func observeAdvertisements() {
        observe(.flowplayerAdDidChangeState) { notification in
            let ad = notification.object as? (AdState, AdType)
            return ad.map { state, type in "\(state.name) \(type.name)" }
        }
        observe(.flowplayerAdDidFail) { ($0.object as? AdError)?.localizedDescription }
    }

    private func observe(_ name: Notification.Name, value: @escaping @Sendable (Notification) -> String?) {
        // The notification centre retains the observer. Keep the returned token to remove it.
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            let player = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
            print(player ?? "?", name.rawValue, value(notification) ?? "without a value")
            endIfOver(notification)
        }
    }
}

/// Exits at the end. The printing observer calls it, since the order of several observers is undefined.
private func endIfOver(_ notification: Notification) {
    if let error = notification.object as? PlayerError {
        FileHandle.standardError.write(Data("notifications: \(error.localizedDescription)\n".utf8))
    }
    if notification.object as? PlayerState == .failure { exit(1) }
    // The last event of an item, after the state `complete`.
    if notification.object as? PlaybackState == .ended { exit(0) }
}

@main
struct Main {
    @MainActor
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: notifications FILE")
            exit(2)
        }
        NotificationPrinter().start()
        let view = FlowplayerView()
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: CommandLine.arguments[1])))
        // The effects of commands are reported like all other events.
        view.volume = 0.8
        view.openFullscreen()
        withExtendedLifetime(view) { RunLoop.main.run() }
    }
}
