import FlowplayerSDK
import Foundation
import PlayerControls

#if GTK
import FlowplayerGTK

/// A window of GTK. It opens with the first frame, so that audio opens none.
@MainActor
final class Window {
    private let window: GTKPlayerWindow

    /// - Parameters:
    ///   - onKey: called with the keys that the controls do not use. Returns `false` if the key has no effect.
    ///   - onEnd: called when the user closes the window.
    init(
        _ view: FlowplayerView, onKey: @escaping @MainActor (ControlsKey, ControlsModel) -> Bool,
        onEnd: @escaping @MainActor () -> Void
    ) {
        window = GTKPlayerWindow(view)
        window.onClose = onEnd
        let controls = window.view.controls
        window.view.onKey = { onKey($0, controls) }
        window.presentWithFirstFrame()
    }

    var title: String {
        get { window.title }
        set { window.title = newValue }
    }

    /// Opens the page of an advertisement in the browser of the desktop.
    func openPage(_ url: URL) { window.openPage(url) }

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
    func openPage(_ url: URL) {}

    init(
        _ view: FlowplayerView, onKey: @escaping @MainActor (ControlsKey, ControlsModel) -> Bool,
        onEnd: @escaping @MainActor () -> Void
    ) {}

    static func runMainLoop(_ start: @escaping @MainActor () -> Void) { start() }
}
#endif
