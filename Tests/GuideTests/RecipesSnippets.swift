import FlowplayerSDK
import FlowplayerThumbnails
import Foundation
import ResumePositions

#if GTK
import FlowplayerGTK
#endif

// The code of the recipes.

@MainActor
func playForEver(_ files: [URL], in view: FlowplayerView) {
    view.autoPlay = true
    view.load(queue: files.map { MediaExternal(url: $0) })
    view.queue?.repeatMode = .all
}

@MainActor
func playFromLastPosition(_ film: URL, in view: FlowplayerView, store: ResumeStore) async {
    view.attach(store)
    let position = await store.position(of: film) ?? 0
    view.autoPlay = true
    view.load(external: MediaExternal(url: film), startPosition: position)
}

@MainActor
func retryUntilTheNetworkIsUp(_ view: FlowplayerView, clock: any Clock<Duration> = ContinuousClock())
    -> ObservationToken
{
    let token = view.observe(\.state) { player, state in
        guard state == .failure, player.error?.isRetryable == true else { return }
        Task {
            try await clock.sleep(for: .seconds(5))
            // Another item may be loaded now.
            if player.state == .failure { player.play() }
        }
    }
    return token
}

#if GTK
@MainActor
func showOnTwoScreens(_ left: URL, _ right: URL) {
    for (screen, film) in [left, right].enumerated() {
        let view = FlowplayerView()
        let window = GTKPlayerWindow(view, title: film.lastPathComponent)
        window.screen = screen
        view.openFullscreen()
        window.present()
        view.isMuted = screen > 0
        view.autoPlay = true
        view.load(external: MediaExternal(url: film))
    }
}
#endif

@MainActor
func writeScreenshot(of view: FlowplayerView, to file: URL) async throws {
    let frame = try await view.screenshot()
    try frame.pngData().write(to: file)
}

@MainActor
func showStillImage(_ image: URL, in view: FlowplayerView, _ sink: any VideoFrameSink) {
    view.videoOutput = .frames(sink)
    view.autoPlay = false
    view.load(external: MediaExternal(url: image))
}
