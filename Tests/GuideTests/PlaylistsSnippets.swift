import FlowplayerSDK
import Foundation
import Playback
import Playlists

// The code of the guide to playlists, and of the guide to engines.

@MainActor
func play(_ url: URL, with backend: any PlaybackBackend) async throws -> QueuePlayer {
    let playlist = try await Playlist.load(url)
    for problem in playlist.problems { print(problem) }
    let player = QueuePlayer(items: playlist.items, backend: backend)
    return player
}

@MainActor
func chooseGStreamer() -> FlowplayerView {
    let view = FlowplayerView(backend: .named("gstreamer"))
    return view
}
