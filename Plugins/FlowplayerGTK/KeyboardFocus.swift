#if GTK
import CGTK

/// The widget of a window that the user has reached by keyboard.
///
/// GTK stops marking the focus 3 s after the last key. A user may need longer, so here the widget keeps it until it moves.
@MainActor
final class KeyboardFocus {
    private(set) var widget: UnsafeMutablePointer<GtkWidget>?
    let window: UnsafeMutablePointer<GtkWindow>

    /// - Parameter changed: called after each change of `widget`.
    init(of window: UnsafeMutablePointer<GtkWindow>, changed: @escaping @MainActor () -> Void = {}) {
        self.window = window
        for property in ["focus-widget", "focus-visible"] {
            Signal.connect(window, "notify::" + property) { [weak self] in
                self?.update()
                changed()
            }
        }
    }

    private func update() {
        let focus = gtk_window_get_focus(window)
        if gtk_window_get_focus_visible(window) != 0 { widget = focus } else if widget != focus { widget = nil }
    }

    /// `true` if the widget is in another one.
    func isInside(_ other: UnsafeMutablePointer<GtkWidget>) -> Bool {
        widget.map { gtk_widget_is_ancestor($0, other) != 0 } ?? false
    }

    /// `true` if the widget is a button.
    var isButton: Bool {
        guard let widget else { return false }
        return [gtk_button_get_type(), gtk_toggle_button_get_type(), gtk_menu_button_get_type()].contains {
            g_type_check_instance_is_a(widget.cast(), $0) != 0
        }
    }

    /// Takes the focus from the widget.
    func leave() { gtk_window_set_focus(window, nil) }
}
#endif
