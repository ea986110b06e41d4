import FlowplayerSDK
import Foundation
import NowPlaying

// The code of the guide to remote control, word for word.

@MainActor
func controlFromElsewhere(_ player: MediaPlayer) {
    NowPlayingCenter.shared.attach(player)
}

@MainActor
func sayWhatPlays() {
    NowPlayingInfoCenter.default().nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")
}

@MainActor
protocol StationList: AnyObject {
    func next() -> Bool
}

@MainActor
func replaceCommands(_ playlist: any StationList) -> ObservationToken {
    let commands = RemoteCommandCenter.shared()
    let token = commands.nextTrackCommand.addTarget { _ in
        playlist.next() ? .success : .noSuchContent
    }
    commands.changePlaybackPositionCommand.isEnabled = false
    commands.skipForwardCommand.isEnabled = false
    commands.skipBackwardCommand.isEnabled = false
    return token
}

@MainActor
protocol KioskWindow: AnyObject {
    func show()
    func close()
}

@MainActor
func sayWhoPlays(_ window: any KioskWindow, _ player: MediaPlayer) {
    let center = NowPlayingCenter.shared
    center.identity = NowPlayingIdentity(
        name: "Kiosk", displayName: "The kiosk", desktopEntry: "org.example.kiosk", uriSchemes: ["https"])
    center.raiseHandler = { window.show() }
    center.quitHandler = { window.close() }
    center.openHandler = { url in
        player.load(url, autoPlay: true)
        return .success
    }
}

@MainActor
func showPreview(_ preview: MediaPlayer, _ queue: any NowPlayingQueue) {
    let session = NowPlayingCenter.shared.attach(preview, queue: queue)
    session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Preview")
    session.becomeActive()
}
