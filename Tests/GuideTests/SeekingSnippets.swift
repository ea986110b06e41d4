import FlowplayerSDK
import Foundation
import ResumePositions

// The code of the guide to seeking.

@MainActor
func loadAndSeek(_ view: FlowplayerView, _ url: URL) async throws {
    try await view.load(MediaExternal(url: url))
    view.play()
    let isThere = await view.seek(to: 90)
    print(isThere ? "at 90 s" : "somewhere else")
}

@MainActor
func printStates(of view: FlowplayerView) async {
    for await state in view.values(of: \.state) {
        print("state", state.name)
    }
}

@MainActor
func scrub(_ view: FlowplayerView, to sliderPosition: Double) {
    view.seek(to: sliderPosition, tolerance: .keyframe)
    view.skip(by: -10)
    view.loop = 30...45
}

@MainActor
func stepForwardAndBack(_ player: MediaPlayer) {
    player.step(byCount: 1)
    player.step(byCount: -1)
}

@MainActor
func returnToLive(_ view: FlowplayerView) {
    if !view.isAtLiveEdge {
        view.seekToLive()
    }
}

@MainActor
func resume(_ view: FlowplayerView, _ url: URL) async {
    let store = ResumeStore { error in print(error) }
    view.attach(store)
    let position = await store.position(of: url) ?? 0
    view.load(external: MediaExternal(url: url), startPosition: position)
}
