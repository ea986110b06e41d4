// Plays an item of an online video platform by its id. The platform is a small server in this program.
import FlowplayerSDK
import Foundation

@main
struct OVP {
    private static let token = "let-me-in"

    @MainActor
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.isEmpty || arguments == ["--wrong-token"] else {
            print("usage: ovp [--wrong-token]")
            exit(2)
        }
        guard let platform = try? await Platform(token: token) else {
            print("ovp: the server could not start")
            exit(1)
        }
        Flowplayer.current.accessToken = arguments.isEmpty ? token : "wrong"
        Flowplayer.current.ovpClient = HTTPOVPClient(baseURL: platform.address)

        let view = FlowplayerView()
        view.autoPlay = true
        view.load(ovp: MediaOVP(mediaId: "tour", playerId: "lobby"))
        for await event in view.events(startsWithCurrent: true) {
            switch event {
            case .resolved: print("title", view.ovpConfig?.metadata?.title ?? "none")
            case .error(let error):
                print("error", error.code.name)
                FileHandle.standardError.write(Data("ovp: \(error.message)\n".utf8))
            case .state(let state):
                print("state", state.name)
                if state == .failure { exit(1) }
            case .playbackState(.ended):
                print("the end at", view.position?.seconds ?? 0)
                exit(0)
            default: break
            }
        }
    }
}
