#if GTK
import CGTK
import FlowplayerSDK
import PlayerControls

/// A small window with the video of a player, above the other windows.
///
/// Both windows paint the same frames. GTK 4 cannot keep a window above the others. Under X11 the window manager is asked to; Wayland
/// has no such request, so the window may be covered there.
@MainActor
final class PictureInPicture {
    private static let width: Int32 = 360
    private var window: UnsafeMutablePointer<GtkWidget>?
    private let play: ControlButton
    private let close: ControlButton
    private let buttons: UnsafeMutablePointer<GtkWidget>
    private let onClose: @MainActor () -> Void
    private let motion = gtk_event_controller_motion_new()!
    private var focus: KeyboardFocus?

    /// - Parameter onClose: called when the user has closed the window.
    init(of view: GTKPlayerView, onClose: @escaping @MainActor () -> Void) {
        self.onClose = onClose
        let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
        self.window = window
        (play, close) = (ControlButton(view.controls), ControlButton(view.controls))
        buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)
        // Window managers and users recognise it by its title.
        gtk_window_set_title(window.cast(), "Picture in picture")
        gtk_window_set_decorated(window.cast(), 0)
        let ratio = view.paintable.aspectRatio ?? 16 / 9
        gtk_window_set_default_size(window.cast(), Self.width, Int32(Double(Self.width) / ratio))
        if let application = GTKApplication.application {
            gtk_window_set_application(window.cast(), application.cast())
        }
        gtk_window_set_child(window.cast(), content(view))
        view.followKeys(of: window.raw)
        Signal.connect(window, "map") { [weak self] in self?.keepAbove() }
        Signal.connect(window, "destroy") { [weak self] in self?.end() }
        Signal.connect(motion, "notify::contains-pointer") { [weak self] in self?.reveal() }
        gtk_widget_add_controller(window, motion)
        focus = KeyboardFocus(of: window.cast()) { [weak self] in self?.reveal() }
        draw(view.controls.state)
        gtk_window_present(window.cast())
        // Until the user presses Tab, keys belong to the player.
        gtk_window_set_focus(window.cast(), nil)
        reveal()
    }

    isolated deinit { dismiss() }

    /// `true` if the window manager is asked to keep the window above the others.
    var staysAbove: Bool { gdk_display_get_default().map { cgtk_display_is_x11($0) != 0 } ?? false }

    func dismiss() { window.map { gtk_window_destroy($0.cast()) } }

    func draw(_ state: ControlsState) {
        let isPlaying = state.play?.action == .pause
        play.draw(state.play, icon: isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
        close.draw(state.pictureInPicture, icon: "window-close-symbolic")
    }

    private func content(_ view: GTKPlayerView) -> UnsafeMutablePointer<GtkWidget> {
        let picture = gtk_picture_new_for_paintable(view.paintable.pointer.opaque)!
        gtk_picture_set_can_shrink(picture.opaque, 1)
        gtk_widget_add_css_class(picture, "flowplayer-video")
        // The user drags the window by the video.
        let handle = gtk_window_handle_new()!
        gtk_window_handle_set_child(handle.opaque, picture)

        for name in ["osd", "flowplayer-small-bar"] { gtk_widget_add_css_class(buttons, name) }
        for button in [play, close] { gtk_box_append(buttons.cast(), button.widget) }
        buttons.align(GTK_ALIGN_CENTER, GTK_ALIGN_END)

        let overlay = gtk_overlay_new()!
        gtk_overlay_set_child(overlay.opaque, handle)
        gtk_overlay_add_overlay(overlay.opaque, buttons)
        return overlay
    }

    /// Shows the buttons while the pointer is over the window, or the user has reached them by keyboard. Hidden ones are transparent, so
    /// that the keyboard and screen readers find them.
    private func reveal() {
        guard window != nil else { return }
        let isPointerInside = gtk_event_controller_motion_contains_pointer(motion) != 0
        buttons.setClass("flowplayer-hidden", !isPointerInside && focus?.isInside(buttons) != true)
    }

    private func keepAbove() {
        guard let window, let surface = gtk_native_get_surface(window.opaque) else { return }
        _ = cgtk_keep_above(surface)
    }

    private func end() {
        guard window != nil else { return }
        window = nil
        onClose()
    }
}
#endif
