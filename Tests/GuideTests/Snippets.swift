import FlowplayerSDK
import Foundation

// The code of the articles. `print` writes to the paper of the test that runs it.

// MARK: The landing page

@MainActor
final class Kiosk: FlowplayerDelegate {
    let view = FlowplayerView()

    func show(_ path: String) {
        view.delegate = self
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: path)))
    }

    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        if state == .complete { player.play() }  // from the beginning
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        print(error.localizedDescription)
    }
}

// MARK: Hearing what happens

final class Lobby: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didChangeState state: PlayerState) {
        print(player.id, state.name)
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        guard let error = error.playbackError else { return }
        print(player.id, error.code.name, error.message)
    }
}

@MainActor
func distinguish(_ main: FlowplayerView, _ side: FlowplayerView, _ lobby: Lobby) {
    main.id = "main"
    side.id = "side"
    main.delegate = lobby
    side.delegate = lobby
}

func listen(on center: NotificationCenter) -> any NSObjectProtocol {
    let observer = center.addObserver(
        forName: .flowplayerDidChangeState, object: nil, queue: nil
    ) { notification in
        guard let state = notification.object as? PlayerState,
            let id = notification.userInfo?[FlowplayerNotificationKey.playerID] as? String
        else { return }
        print(id, state.name)
    }
    return observer
}

@MainActor
func observePlayback(of view: FlowplayerView) -> ObservationToken {
    let token = view.observe(\.playbackState, startsWithCurrent: true) { player, state in
        print(player.id, state.name)
    }
    return token
}

@MainActor
func follow(_ view: FlowplayerView) async {
    for await event in view.events(startsWithCurrent: true) {
        switch event {
        case .state(let state): print("state", state.name)
        case .error(let error): print("error", error.code.name)
        case .missed(let count): print("too slow for", count)
        default: break
        }
    }
}

final class Tally: PlayerPlugin {
    private(set) var seeks = 0

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        if case .seek(.seeked, _) = event { seeks += 1 }
    }
}

@MainActor
func count(in view: FlowplayerView) -> Tally {
    let tally = Tally()
    view.attach(tally)
    return tally
}

// MARK: Tracks and subtitles

final class Languages: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, loadedTracks tracks: [AudioTrack]) {
        guard let french = tracks.first(where: { ["fr", "fra", "fre"].contains($0.lang) }) else { return }
        player.selectTrack(audio: french.id)
    }

    func player(_ player: any FlowplayerAPI, selectedTrack track: AudioTrack) {
        print("audio", track.name)
    }

    func player(_ player: any FlowplayerAPI, selectedTrack track: SubtitleTrack) {
        print("subtitles", track.name)
    }
}

/// Selects the next entry of a subtitle menu.
@MainActor
func showNextSubtitle(of view: FlowplayerView) {
    let choices = [SubtitleTrack.off] + view.subtitleList
    let current = choices.firstIndex(of: view.currentSubtitle ?? .off) ?? 0
    view.selectTrack(subtitle: choices[(current + 1) % choices.count].id)
}

@MainActor
func loadWithSubtitles(_ view: FlowplayerView) {
    let folder = URL(filePath: "/srv/films")
    view.load(
        external: MediaExternal(
            url: folder.appending(path: "film.mp4"),
            subtitles: [
                ExternalSubtitle(url: folder.appending(path: "film.en.srt"), name: "English", lang: "en"),
                ExternalSubtitle(url: folder.appending(path: "film.de.vtt"), name: "Deutsch", lang: "de"),
            ]))
}

@MainActor
func warnings(of view: FlowplayerView) async {
    for await case .log(let notice) in view.events() {
        print(notice.code, notice.message)
    }
}

@MainActor
func canChoose(_ view: FlowplayerView) -> Bool {
    let canChoose = view.avPlayer?.capabilities.can(.trackSelection) ?? false
    return canChoose
}

// MARK: Media of a video platform

@MainActor
func loadFromThePlatform(_ view: FlowplayerView, _ platform: URL, token: String) {
    Flowplayer.current.accessToken = token
    Flowplayer.current.platformURL = platform

    view.autoPlay = true
    view.load(ovp: MediaOVP(mediaId: "tour", playerId: "lobby"))
}

@MainActor
func loadFromAFolder(_ view: FlowplayerView, _ folder: URL) {
    Flowplayer.current.ovpClient = DirectoryOVPClient(directory: folder)
    view.load(ovp: MediaOVP(mediaId: "tour", playerId: "lobby"))
}

final class Titles: FlowplayerDelegate {
    func player(_ player: any FlowplayerAPI, didReceiveConfig config: OVPConfig) {
        print("title", config.metadata?.title ?? "none")
    }

    func player(_ player: any FlowplayerAPI, didFailWith error: PlayerError) {
        switch error {
        case .invalidAccessToken: print("The platform wants another token.")
        case .invalidConfig: print("The platform's answer cannot be used.")
        case .playbackError: print(error.playbackError?.code.name ?? "unknown")
        }
    }
}

/// Finds items by name in a list inside the program.
struct Catalogue: OVPClient {
    let addresses: [String: String]

    func config(for request: OVPRequest) async throws(OVPError) -> OVPConfig {
        guard let address = addresses[request.mediaId] else { throw .notFound }
        var config = OVPConfig(src: [address])
        config.metadata = OVPConfig.Metadata()
        config.metadata?.title = request.mediaId
        return config
    }
}

@MainActor
func prefer(in view: FlowplayerView) {
    view.preferredAudioLanguages = ["de", "en"]
    view.preferredSubtitleLanguages = ["de"]
}
