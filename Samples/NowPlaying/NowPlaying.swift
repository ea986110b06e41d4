// Keeps playing in the background, and publishes its own title and artist to the desktop. Accepts only Play and Pause from there.
import FlowplayerSDK
import Foundation
import NowPlaying
import TerminalLifecycle

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
        var script: LifecycleScript?
        do {
            script = try arguments.dropFirst().first.map { try LifecycleScript($0) }
        } catch {
            print("now-playing: \(error)")
            exit(2)
        }
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .spokenAudio)
        try session.setActive(true)

        let view = FlowplayerView()
        view.enableBackgroundPlayback = true
        view.autoPlay = true
        publish(view)
        view.load(external: MediaExternal(url: URL(filePath: path)))
        for await event in view.events(startsWithCurrent: true) {
            report(event)
            if event == .state(.play), let changes = script.take() { Task { try await changes.run(on: .shared) } }
        }
    }

    /// Publishes the player, with Play and Pause only.
    @MainActor
    private static func publish(_ view: FlowplayerView) {
        NowPlayingCenter.shared.identity = NowPlayingIdentity(name: "NowPlayingSample", displayName: "Now playing")
        if let player = view.avPlayer { NowPlayingCenter.shared.attach(player) }
        NowPlayingInfoCenter.default().nowPlayingInfo = NowPlayingInfo(title: "Morning show", artist: "Radio")

        let commands = RemoteCommandCenter.shared()
        commands.playCommand.addTarget { _ in
            print("command play")
            view.play()
            return .success
        }
        commands.pauseCommand.addTarget { _ in
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

    private static func report(_ event: PlayerEvent) {
        switch event {
        // The player pauses and resumes automatically.
        case .interruption(let interruption): print("interruption", interruption.rawValue)
        case .playbackState(let state): print("shows", state.name)
        case .error(let error):
            FileHandle.standardError.write(Data("now-playing: \(error.message)\n".utf8))
            exit(1)
        case .state(let state):
            print("state", state.name)
            if state == .complete { exit(0) }
        default: break
        }
    }
}
