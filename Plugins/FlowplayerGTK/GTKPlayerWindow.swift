#if GTK
import CGTK
import FlowplayerSDK
import Foundation

/// A window that shows one player.
///
/// The window keeps itself until the user or `close` closes it. Then it is released, with its player if nobody else has it.
///
/// It fills the screen when the player's `openFullscreen()` is called, and calls it when the window manager fills the screen. While
/// all windows are minimised, the program is in the background with the reason `hidden`.
@MainActor
public final class GTKPlayerWindow {
    /// The content of the window.
    public let view: GTKPlayerView
    /// Called when the window is closed.
    public var onClose: (@MainActor () -> Void)?
    /// `false` while the window is minimised. Under Wayland, GTK 4.8 does not report that.
    public private(set) var isVisible = true
    /// The screen that the window fills when it enters full screen, from 0 to `GTKApplication.screenCount - 1`.
    ///
    /// With `nil`, the default, it is the screen that shows the window. A screen that does not exist counts as `nil`.
    public var screen: Int?
    /// GTK keeps the window until it is closed, so a reference here would keep it open.
    private var window: UnsafeMutablePointer<GtkWidget>?
    private var observer: ObservationToken?

    /// - Parameters:
    ///   - player: the player. Its `videoOutput` becomes the window.
    ///   - title: the title of the window.
    ///   - width: the width of the content at first, in pixels of the desktop.
    ///   - height: the height of the content at first.
    public init(_ player: FlowplayerView, title: String = "", width: Int = 960, height: Int = 540) {
        view = GTKPlayerView(player)
        let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
        self.window = window
        self.title = title
        showTitle()
        gtk_window_set_default_size(window.cast(), Int32(width), Int32(height))
        gtk_window_set_child(window.cast(), view.widget.widget)
        view.followKeys(of: window.raw)
        Signal.connect(window, "destroy") { [weak self] in self?.end() }
        followFullscreen(of: window)
        followVisibility(of: window)
    }

    isolated deinit { close() }

    /// Opens the window, or brings it to the front. Call it from the `activate` of `GTKApplication.run` or later.
    public func present() {
        let isNew = !GTKApplication.openWindows.contains { $0 === self }
        if isNew { GTKApplication.openWindows.append(self) }
        guard let pointer else { return }
        GTKApplication.adopt(pointer)
        gtk_window_present(pointer)
        // GTK gives the focus to the first control, which would take the space from the player after the next Shift.
        if isNew { gtk_window_set_focus(pointer, nil) }
    }

    /// Opens the window with the next frame of the player. Items without video open no window.
    ///
    /// Keep the window until it is open.
    public func presentWithFirstFrame() {
        view.onFrame = { [weak self] in
            self?.view.onFrame = nil
            self?.present()
        }
    }

    /// Opens a page in the browser of the desktop. Other addresses than those of web servers are ignored.
    public func openPage(_ url: URL) {
        guard let pointer, ["http", "https"].contains(url.scheme?.lowercased()) else { return }
        gtk_show_uri(pointer, url.absoluteString, UInt32(GDK_CURRENT_TIME))
    }

    /// Closes the window.
    public func close() { pointer.map(gtk_window_destroy) }

    /// The title of the window.
    public var title: String = "" {
        didSet { showTitle() }
    }

    private func showTitle() { pointer.map { gtk_window_set_title($0, String(title.prefix(Self.longestTitle))) } }

    /// Window managers lay titles out, however long they are.
    private static let longestTitle = 200

    /// `nil` once the window is closed.
    private var pointer: UnsafeMutablePointer<GtkWindow>? { window?.cast() }

    private func end() {
        window = nil
        view.setPictureInPicture(false)
        guard GTKApplication.openWindows.contains(where: { $0 === self }) else { return }
        let handler = onClose
        onClose = nil
        view.player.isVisible = false
        view.player.lifecycle = .destroyed
        handler?()
        // The host may have closed other windows in its callbacks.
        GTKApplication.openWindows.removeAll { $0 === self }
        GTKApplication.visibilityChanged()
    }

    // MARK: Full screen

    private func followFullscreen(of window: UnsafeMutablePointer<GtkWidget>) {
        Signal.connect(window, "notify::fullscreened") { [weak self] in
            guard let self, let pointer else { return }
            // The player ignores what is already so. That ends the circle.
            if gtk_window_is_fullscreen(pointer) != 0 {
                view.player.openFullscreen()
            } else {
                view.player.closeFullscreen()
            }
        }
        observer = view.player.fullscreenObservers.add { [weak self] _ in self?.applyFullscreen() }
    }

    private func applyFullscreen() {
        guard let pointer else { return }
        let isFullscreen = view.player.isFullscreen
        guard isFullscreen != (gtk_window_is_fullscreen(pointer) != 0) else { return }
        guard isFullscreen else { return gtk_window_unfullscreen(pointer) }
        if let monitor = screen.flatMap(Screens.monitor) {
            gtk_window_fullscreen_on_monitor(pointer, monitor.pointer.opaque)
        } else {
            gtk_window_fullscreen(pointer)
        }
    }

    // MARK: Visibility

    /// Minimising does not unmap a window, but its surface has a state.
    private func followVisibility(of window: UnsafeMutablePointer<GtkWidget>) {
        Signal.connect(window, "realize") { [weak self] in
            guard let surface = self?.surface else { return }
            Signal.connect(surface, "notify::state") { [weak self] in self?.stateChanged() }
        }
    }

    private var surface: OpaquePointer? { window.flatMap { gtk_native_get_surface($0.opaque) } }

    private func stateChanged() {
        guard let surface else { return }
        let state = gdk_toplevel_get_state(surface)
        let isVisible = state.rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue == 0
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        view.player.isVisible = isVisible
        GTKApplication.visibilityChanged()
    }
}
#endif
