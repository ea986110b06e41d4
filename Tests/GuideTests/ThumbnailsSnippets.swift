import FlowplayerSDK
import FlowplayerThumbnails
import Foundation

// The code of the guide to screenshots and thumbnails.

@MainActor
func saveScreenshot(of view: FlowplayerView, to folder: URL) async throws {
    let frame = try await view.screenshot()
    try frame.pngData().write(to: folder.appending(path: "frame.png"))
    try frame.jpegData(compressionQuality: 0.85).write(to: folder.appending(path: "frame.jpg"))
}

@MainActor
func showThumbnail(of thumbnails: Thumbnails, at seconds: Double) async {
    do {
        show(try await thumbnails[at: seconds])
    } catch is CancellationError {
        // A newer question has replaced this one.
    } catch {
        print("no thumbnail:", error.localizedDescription)
    }
}

@MainActor
func makeThumbnails(of item: PlayerItem, track: URL) -> Thumbnails {
    let thumbnails = Thumbnails(of: item, track: track)
    return thumbnails
}

private func show(_ frame: VideoFrame) {}
