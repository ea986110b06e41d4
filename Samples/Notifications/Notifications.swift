// Plays a file to its end, and prints one line for each notification.
import FlowplayerSDK
import Foundation

/// Prints the notifications of all players. It needs no reference to a player.
struct NotificationPrinter {
    func start() {
        observe(.flowplayerDidReceiveMediaItem, as: MediaExternal.self) { $0.url.lastPathComponent }
        observe(.flowplayerDidReceiveConfig, as: OVPConfig.self) { $0.metadata?.title ?? "without a title" }
        observe(.flowplayerDidReceiveMetadata, as: MediaMetadata.self) { $0.title ?? "without a title" }
        observe(.flowplayerDidChangePlaybackType, as: PlaybackType.self) { $0.rawValue }
        observe(.flowplayerDidChangeDuration, as: Double.self)
        observe(.flowplayerDidChangeDVRWindow, as: DVRWindow.self) { "\($0.start) \($0.end)" }

        observe(.flowplayerDidChangeState, as: PlayerState.self) { $0.name }
        observe(.flowplayerDidChangePlaybackState, as: PlaybackState.self) { $0.name }
        observe(.flowplayerDidChangePosition, as: Double.self)
        observe(.flowplayerDidChangeSeekState, as: (PlaybackSeekState, Double).self) { "\($0.rawValue) \($1)" }
        observe(.flowplayerDidChangeRate, as: Float.self)
        observe(.flowplayerDidChangeVolume, as: Float.self)
        observe(.flowplayerDidChangeIsMuted, as: Bool.self)
        observe(.flowplayerDidChangeBufferState, as: PlaybackBufferState.self) { $0.rawValue }
        observe(.flowplayerDidFailWithError, as: PlayerError.self) { $0.localizedDescription }

        observe(.flowplayerDidLoadAudioTracks, as: [AudioTrack].self) { "\($0.map(\.name))" }
        observe(.flowplayerDidLoadSubtitleTracks, as: [SubtitleTrack].self) { "\($0.map(\.name))" }
        observe(.flowplayerDidSelectAudioTrack, as: AudioTrack.self) { $0.name }
        observe(.flowplayerDidSelectSubtitleTrack, as: SubtitleTrack.self) { $0.name }
        observe(.flowplayerDidChangeQuality, as: PlayerQuality.self) { $0.rawValue }

        observe(.flowplayerViewDidChangeLifecycle, as: ViewLifecycle.self)
        observe(.flowplayerViewDidChangeVisibility, as: Bool.self)
        observe(.flowplayerViewDidChangeFullscreen, as: Bool.self)
        observe(.flowplayerViewDidChangeControlsVisibility, as: Bool.self)
        observe(.flowplayerViewDidEncounterError, as: (any Error).self) { $0.localizedDescription }

        observe(.flowplayerAdDidChangeState, as: (AdState, AdType).self) { "\($0) \($1)" }
        observe(.flowplayerAdDidFail, as: AdError.self) { $0.localizedDescription }
    }

    /// - Parameters:
    ///   - type: the type of the notification's object.
    ///   - text: returns the text to print for the object.
    private func observe<Value>(
        _ name: Notification.Name, as type: Value.Type, text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        // The notification centre retains the observer. Keep the returned token to remove it.
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            let player = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
            let value = notification.object as? Value
            print(player ?? "?", name.rawValue, value.map(text) ?? "without a value")
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
