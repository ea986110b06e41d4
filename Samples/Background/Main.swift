import FlowplayerSDK
import Foundation
import TerminalLifecycle

@main
struct Main {
    /// Simulates a window that is minimised and shown again. The last step only waits.
    private static let script = "1s hidden; 1.5s foreground; 1s foreground"

    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let path = arguments.dropFirst().first ?? "Samples/Media/sample.mp4"
        let view = FlowplayerView()
        let (history, detacher) = (HistoryDelegate(), Detacher(view))
        switch arguments.count <= 2 ? arguments.first : nil {
        case "flag": useFlag(view)
        case "delegate": view.delegate = history
        case "notification": useNotification(view)
        case "detach":
            ApplicationLifecycle.shared.applicationDelegate = detacher
            ApplicationLifecycle.shared.sceneDelegate = detacher
        default:
            print("usage: background flag|delegate|notification|detach [FILE]")
            exit(2)
        }

        let observations = [
            view.observe(\.state) { _, state in print("state", state.name) },
            view.observe(\.playbackState) { view, _ in
                print("playbackStateList", view.playbackStateList.map(\.name))
            },
        ]
        defer { for observation in observations { observation.cancel() } }
        view.autoPlay = true
        view.load(external: MediaExternal(url: URL(filePath: path)))
        for await event in view.events(startsWithCurrent: true) {
            if case .error(let error) = event { fail(error) }
            if event == .state(.play) { break }
        }
        try await LifecycleScript(script).run(on: .shared)
        exit(view.state == .play ? 0 : 1)
    }

    private static func fail(_ error: PlaybackError) -> Never {
        FileHandle.standardError.write(Data("background: \(error.message)\n".utf8))
        exit(1)
    }
}
