// Four ways to keep playing in the background, or to resume after it.
import FlowplayerSDK
import Foundation

/// Way 1: a flag. Audio continues in the background, and the video returns in the foreground.
@MainActor
func useFlag(_ view: FlowplayerView) {
    view.enableBackgroundPlayback = true
}

/// Way 2: a delegate. It checks the history and resumes the playback that the background paused.
final class HistoryDelegate: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        playAfterBackground(player)
    }
}

/// Way 3: a notification. It does the same as the delegate.
@MainActor
func useNotification(_ view: FlowplayerView) {
    // The notification centre retains the observer. Keep the returned token to remove it.
    _ = NotificationCenter.default.addObserver(
        forName: .flowplayerDidChangePlaybackState, object: nil, queue: nil
    ) { [weak view] _ in
        MainActor.assumeIsolated {
            if let view { playAfterBackground(view) }
        }
    }
}

@MainActor
private func playAfterBackground(_ player: any FlowplayerAPI) {
    if player.playbackStateList.prefix(2) == [.playing, .background], player.state == .pause { player.play() }
}

/// Way 4: detach the player from its view, and attach it again. A player without a view is not paused.
///
/// A host uses one of the two styles of callbacks. Both together, as here, also work.
final class Detacher: ApplicationLifecycleDelegate, SceneLifecycleDelegate {
    private let view: FlowplayerView
    private var player: MediaPlayer?

    @MainActor
    init(_ view: FlowplayerView) { self.view = view }

    func applicationDidEnterBackground(_ application: ApplicationLifecycle) { detach() }
    func applicationWillEnterForeground(_ application: ApplicationLifecycle) { attach() }

    func sceneDidEnterBackground(_ scene: ApplicationLifecycle) { detach() }
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle) { attach() }

    private func detach() {
        guard let player = view.avPlayer else { return }
        self.player = player
        view.avPlayer = nil
    }

    private func attach() {
        guard let player else { return }
        view.avPlayer = player
        self.player = nil
    }
}
