import FlowplayerSDK
import Foundation
import NowPlaying

// A host in Swift 5 mode that remote controls can control.

/// A controller without isolation, as it is written for MediaPlayer of Apple's platforms.
public class NowPlayingHost {
    public private(set) var lines: [String] = []
    private let session: NowPlayingSession
    private var tokens: [ObservationToken] = []

    public init(player: AVPlayer, center: NowPlayingCenter) {
        session = center.attach(player)
        session.nowPlayingInfoCenter.nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")
        let commands = session.remoteCommandCenter
        commands.nextTrackCommand.isEnabled = false
        let token = commands.playCommand.addTarget { [weak self] _ in
            self?.lines.append("play")
            player.play()
            return .success
        }
        tokens.append(token)
    }

    public func close() {
        for token in tokens { token.cancel() }
        session.end()
    }
}
