// Plays the files of a folder in a loop, on a whole screen. kiosk.service starts it with the machine.
import Foundation

#if GTK
import FlowplayerGTK
import FlowplayerSDK
import Playlists

@MainActor
final class Kiosk: PlayerPlugin {
    private let folder: URL
    private let screen: Int?
    private let view = FlowplayerView()
    private let queue: QueuePlayer

    /// - Parameter screen: the number of the screen, from 0. `nil`: the desktop decides.
    init?(folder: URL, screen: Int?) {
        guard let queue = view.queue else { return nil }
        (self.folder, self.screen, self.queue) = (folder, screen, queue)
    }

    func start() {
        let window = GTKPlayerWindow(view, title: "Kiosk")
        window.screen = screen
        if let screen, !(0..<GTKApplication.screenCount).contains(screen) {
            report("There is no screen \(screen). Using another one.")
        }
        window.view.alwaysHidesPointer = true
        view.hideControls = true
        view.openFullscreen()
        window.present()
        view.attach(self)
        Task { await play() }
    }

    /// Reads the folder again for each round, so files can be added and removed.
    private func play() async {
        let items = (try? await Playlist.load(folder))?.items ?? []
        if items.isEmpty {
            report("\(folder.path()) has no media files. Looking again in 5 s.")
            return playAgain(after: .seconds(5))
        }
        queue.load(items, autoPlay: true)
    }

    private func playAgain(after delay: Duration) {
        Task {
            try await Task.sleep(for: delay)
            await play()
        }
    }

    func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
        switch event {
        case .error(let error): report("\(error.url ?? "item"): \(error.message)")
        // The queue continues after an item that fails. A round without a single good item must not spin.
        case .state(.complete) where queue.isOver: playAgain(after: .zero)
        case .state(.failure) where queue.isOver: playAgain(after: .seconds(2))
        default: break
        }
    }

    private func report(_ message: String) { FileHandle.standardError.write(Data("kiosk: \(message)\n".utf8)) }
}

@main
struct Program {
    @MainActor static func main() {
        let arguments = CommandLine.arguments
        let screen = arguments.count > 2 ? Int(arguments[2]) : nil
        guard arguments.count == 2 || arguments.count == 3 && screen != nil else {
            print("usage: kiosk FOLDER [SCREEN]")
            exit(2)
        }
        let kiosk = Kiosk(folder: URL(filePath: arguments[1], directoryHint: .isDirectory), screen: screen)
        exit(GTKApplication.run(applicationID: "org.flowplayer.Kiosk") { kiosk?.start() })
    }
}
#else
@main
struct Program {
    static func main() {
        print("kiosk: built without GTK. Build it with: swift build --traits GTK,VLC --product kiosk")
        exit(1)
    }
}
#endif
