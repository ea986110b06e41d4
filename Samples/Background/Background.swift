// Plays a clip whose host goes to the background and comes back, in the four ways in which hosts go on there or after it.
import FlowplayerSDK
import Foundation

/// Way 1: a flag. Sound goes on in the background, and the picture is back after it.
@MainActor
func useFlag(_ view: FlowplayerView) {
    view.enableBackgroundPlayback = true
}

/// Way 2: the delegate looks at the history, and plays what the background paused.
final class HistoryDelegate: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        playAfterBackground(player)
    }
}

/// Way 3: the same, told by the notification centre.
@MainActor
func useNotification(_ view: FlowplayerView) {
    // The centre keeps the observer; who wants to stop listening keeps the token that this gives.
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

/// Way 4: takes the player out of its view and puts it back. What nobody shows is not paused.
///
/// A host has one of the two styles of callbacks. Both at once, as here, do no harm.
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
