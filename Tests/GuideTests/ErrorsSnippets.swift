import FlowplayerSDK
import Foundation

// The code of the guide to errors.

final class ErrorScreen: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        guard let error = error.playbackError else { return }
        show(error.message)
        if error.isRetryable { offerAnotherAttempt() }
    }

    private func show(_ message: String) { print(message) }
    private func offerAnotherAttempt() { print("Try again?") }
}

func patientItem(_ radio: URL) -> PlayerItem {
    var item = PlayerItem(url: radio)
    item.retryPolicy.giveUpAfter = 300  // seconds: a kiosk with a bad network
    item.retryPolicy.stallTimeout = 300  // .infinity: for ever
    return item
}

struct Portal: Sendable {
    func sign(_ path: String) async throws -> URL { URL(filePath: path) }
}

struct Signer: MediaURLProvider {
    let portal: Portal

    func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
        try await portal.sign(item.url.path())
    }
}

@MainActor
func renewAddresses(of view: FlowplayerView, from portal: Portal) {
    view.avPlayer?.urlProvider = Signer(portal: portal)
}
