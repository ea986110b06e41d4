// Plays a file or an address in a window of GTK 4. Build it with: swift build --traits GTK,VLC --product gtk-player
import Foundation

#if GTK
import FlowplayerGTK
import FlowplayerSDK

@main
struct GTKPlayer {
    @MainActor static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: gtk-player FILE-OR-ADDRESS")
            exit(2)
        }
        let argument = CommandLine.arguments[1]
        let isAddress = argument.contains("://") && !FileManager.default.fileExists(atPath: argument)
        guard let url = isAddress ? URL(string: argument) : URL(filePath: argument) else {
            print("gtk-player: \(argument) is no address.")
            exit(2)
        }
        let status = GTKApplication.run(applicationID: "org.flowplayer.GTKPlayer") {
            let view = FlowplayerView()
            let window = GTKPlayerWindow(view, title: url.lastPathComponent)
            addScalingKey(to: window.view)
            window.present()
            view.autoPlay = true
            view.load(external: MediaExternal(url: url))
        }
        exit(status)
    }

    /// The key z fits the video into the window, fills the window with it, or stretches it.
    @MainActor private static func addScalingKey(to view: GTKPlayerView) {
        view.onKey = { [weak view] key in
            guard let view, key == .character("z") else { return false }
            let (gravity, text): (PlayerLayer.VideoGravity, String) =
                switch view.videoGravity {
                case .resizeAspect: (.resizeAspectFill, "Fill")
                case .resizeAspectFill: (.resize, "Stretch")
                case .resize: (.resizeAspect, "Fit")
                }
            view.videoGravity = gravity
            view.controls.show(message: text)
            return true
        }
    }
}
#else
@main
struct GTKPlayer {
    static func main() {
        print("gtk-player: built without GTK. Build it with: swift build --traits GTK,VLC --product gtk-player")
        exit(1)
    }
}
#endif
