#if GTK
import CGTK
import PlayerControls

/// A button with an icon or a label. It is absent while its control is.
@MainActor
final class ControlButton {
    let widget: UnsafeMutablePointer<GtkWidget>
    private var action: ControlsAction?
    private var shown: (label: String, icon: String?)?

    init(_ model: ControlsModel) {
        widget = gtk_button_new()
        gtk_widget_set_visible(widget, 0)
        // After a click, keys still belong to the player.
        gtk_widget_set_focus_on_click(widget, 0)
        Signal.connect(widget, "clicked") { [weak self, weak model] in
            if let action = self?.action { model?.perform(action) }
        }
    }

    /// - Parameter icon: its name in the theme; `nil` to show the label.
    func draw(_ button: ControlsState.Button?, icon: String? = nil) {
        action = button?.action
        widget.isVisible = button != nil
        guard let button, shown == nil || shown! != (button.label, icon) else { return }
        shown = (button.label, icon)
        guard let icon else { return gtk_button_set_label(widget.cast(), button.label) }
        gtk_widget_add_css_class(widget, "flat")
        gtk_button_set_icon_name(widget.cast(), icon)
        gtk_widget_set_tooltip_text(widget, button.label)
        widget.setAccessibleLabel(button.label)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// `true` if the widget is shown whenever its parent is.
    var isVisible: Bool {
        get { gtk_widget_get_visible(self) != 0 }
        nonmutating set { if newValue != isVisible { gtk_widget_set_visible(self, newValue ? 1 : 0) } }
    }

    /// Adds or removes a class of the style sheet.
    func setClass(_ name: String, _ isSet: Bool) {
        guard (gtk_widget_has_css_class(self, name) != 0) != isSet else { return }
        if isSet { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
    }

    /// The name for screen readers.
    func setAccessibleLabel(_ text: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, text) }

    /// Sets the text that screen readers say instead of a number.
    func setAccessibleValue(_ text: String) { setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text) }

    private func setAccessible(_ property: GtkAccessibleProperty, _ text: String) {
        var property = property
        var value = GValue()
        g_value_init(&value, GType(16 << 2))
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(raw.opaque, 1, &property, &value)
        g_value_unset(&value)
    }

    func align(_ horizontal: GtkAlign, _ vertical: GtkAlign) {
        gtk_widget_set_halign(self, horizontal)
        gtk_widget_set_valign(self, vertical)
    }

    /// `true` if the text runs from right to left.
    var isRightToLeft: Bool { gtk_widget_get_direction(self) == GTK_TEXT_DIR_RTL }
}

/// A label for text of any origin: never markup, one line, cut off at its end.
@MainActor
final class TextLabel {
    let widget: UnsafeMutablePointer<GtkWidget>
    /// More characters are not shown: GTK would lay all of them out.
    private static let longestText = 500
    private var text = ""

    init(_ style: String...) {
        widget = gtk_label_new(nil)
        gtk_label_set_ellipsize(widget.opaque, PANGO_ELLIPSIZE_END)
        for style in style { gtk_widget_add_css_class(widget, style) }
    }

    /// Shows the text. Without one, the label is absent.
    func draw(_ newText: String?) {
        widget.isVisible = newText != nil
        let newText = String((newText ?? "").prefix(Self.longestText))
        guard newText != text else { return }
        text = newText
        gtk_label_set_text(widget.opaque, newText)
    }
}
#endif
