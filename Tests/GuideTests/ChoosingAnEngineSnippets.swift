import FlowplayerSDK
import Foundation
import Playback

// The code of the guide to engines.

@MainActor
func chooseByName() -> (FlowplayerView, MediaPlayer) {
    let view = FlowplayerView(backend: .named("vlc"))
    let player = MediaPlayer(backend: .auto)
    return (view, player)
}

@MainActor
func chooseByContainer(_ url: URL) -> FlowplayerView {
    let descriptor = BackendRegistry.withBuiltIn.descriptor(for: url, contentType: "audio/wav")
    let view = FlowplayerView(backend: descriptor?.name ?? .default)
    return view
}
