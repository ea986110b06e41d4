// Keeps playing in the background, and publishes its own title and artist to the desktop. Accepts only Play and Pause from there.
import FlowplayerSDK
import Foundation
import NowPlaying
import TerminalLifecycle

@MainActor
final class Radio: FlowplayerDelegate {
    private let view = FlowplayerView()

    func start(_ path: String) throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .spokenAudio)
        try session.setActive(true)
        observeInterruptions()

        view.delegate = self
        view.enableBackgroundPlayback = true
        view.autoPlay = true
        NowPlayingCenter.shared.identity = NowPlayingIdentity(name: "NowPlayingSample", displayName: "Now playing")
        if let player = view.avPlayer { NowPlayingCenter.shared.attach(player) }
        NowPlayingInfoCenter.default().nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")
        enablePlayAndPauseOnly()
        view.load(external: MediaExternal(url: URL(filePath: path)))
    }

    private func enablePlayAndPauseOnly() {
        let commands = RemoteCommandCenter.shared()
        commands.playCommand.addTarget { [view] _ in
            print("command play")
            view.play()
            return .success
        }
        commands.pauseCommand.addTarget { [view] _ in
            print("command pause")
            view.pause()
            return .success
        }
        commands.stopCommand.isEnabled = false
        commands.nextTrackCommand.isEnabled = false
        commands.previousTrackCommand.isEnabled = false
        commands.skipForwardCommand.isEnabled = false
        commands.skipBackwardCommand.isEnabled = false
        commands.changePlaybackPositionCommand.isEnabled = false
    }

    /// Prints interruptions. The player pauses and resumes automatically.
    private func observeInterruptions() {
        // The notification centre retains the observer. Keep the returned token to remove it.
        _ = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
        ) { notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            switch type.flatMap(AVAudioSession.InterruptionType.init) {
            case .began: print("interruption began")
            case .ended: print("interruption ended")
            case nil: break
            }
        }
    }

    func player(_ player: any FlowplayerAPI, didChangePlaybackState state: PlaybackState) {
        print("shows", state.name)
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        print("state", state.name)
        if state == .complete { exit(0) }
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        FileHandle.standardError.write(Data("now-playing: \(error.playbackError?.message ?? "")\n".utf8))
        exit(1)
    }
}

@main
struct Main {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count <= 2 else {
            print("usage: now-playing FILE [SCRIPT]")
            print("SCRIPT simulates background changes, as in \"1s hidden; 2s foreground\".")
            exit(2)
        }
        let radio = Radio()
        try radio.start(path)
        if let script = arguments.dropFirst().first { try await LifecycleScript(script).run(on: .shared) }
        // Runs until the item ends, or until Ctrl-C.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
