import FlowplayerSDK

#if GTK
import FlowplayerGTK
import PlayerControls

/// A window of GTK. It opens with the first frame, so that audio opens none.
@MainActor
final class Window {
    private let window: GTKPlayerWindow

    /// - Parameter onEnd: called when the user closes the window, or presses `q` in it.
    init(_ view: FlowplayerView, onEnd: @escaping @MainActor () -> Void) {
        window = GTKPlayerWindow(view)
        window.onClose = onEnd
        window.view.onKey = { key in
            guard key == .character("q") else { return false }
            onEnd()
            return true
        }
        window.presentWithFirstFrame()
    }

    var title: String {
        get { window.title }
        set { window.title = newValue }
    }

    /// `true` if there is a display.
    static var isAvailable: Bool { GTKApplication.hasDisplay }

    /// Runs GTK's main loop until the last window is closed.
    ///
    /// - Parameter start: called when windows can be opened.
    static func runMainLoop(_ start: @escaping @MainActor () -> Void) {
        GTKApplication.onDisplayLost = { CrashGuard.restore() }
        _ = GTKApplication.run(applicationID: "org.flowplayer.flowplay", activate: start)
    }
}
#else
/// Windows of GTK need the trait `GTK`.
@MainActor
final class Window {
    static let isAvailable = false
    var title = ""

    init(_ view: FlowplayerView, onEnd: @escaping @MainActor () -> Void) {}

    static func runMainLoop(_ start: @escaping @MainActor () -> Void) { start() }
}
#endif
