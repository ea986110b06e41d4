#if GTK
import CGTK
import PlayerControls

/// Shows the spinner, messages, failures and the list of keys over the video.
@MainActor
final class StatusOverlay {
    /// The widgets, the lowest first.
    let widgets: [UnsafeMutablePointer<GtkWidget>]
    private let spinner: UnsafeMutablePointer<GtkWidget>
    private let message = TextLabel("osd", "flowplayer-message")
    private let failure: UnsafeMutablePointer<GtkWidget>
    private let failureText: UnsafeMutablePointer<GtkWidget>
    private let retry: ControlButton
    private let keys: UnsafeMutablePointer<GtkWidget>
    private let keyPanel: UnsafeMutablePointer<GtkWidget>
    private let bar: UnsafeMutablePointer<GtkWidget>
    private var shownKeys: [KeyMap.Row]?
    private var shownFailure: String?

    /// - Parameter bar: the bar at the lower edge, which covers no key.
    init(_ model: ControlsModel, bar: UnsafeMutablePointer<GtkWidget>) {
        self.bar = bar
        spinner = gtk_spinner_new()
        gtk_widget_set_size_request(spinner, 48, 48)
        spinner.align(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        spinner.isVisible = false
        spinner.setAccessibleLabel("Loading")
        gtk_widget_set_can_target(spinner, 0)

        message.widget.align(GTK_ALIGN_CENTER, GTK_ALIGN_START)
        gtk_widget_set_margin_top(message.widget, 24)
        gtk_widget_set_can_target(message.widget, 0)
        message.widget.isVisible = false

        failure = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        failure.align(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(failure, "osd")
        gtk_widget_add_css_class(failure, "flowplayer-panel")
        failure.isVisible = false
        let icon = gtk_image_new_from_icon_name("dialog-error-symbolic")!
        gtk_image_set_icon_size(icon.opaque, GTK_ICON_SIZE_LARGE)
        failureText = gtk_label_new(nil)
        gtk_label_set_wrap(failureText.opaque, 1)
        gtk_label_set_max_width_chars(failureText.opaque, 46)
        gtk_label_set_justify(failureText.opaque, GTK_JUSTIFY_CENTER)
        retry = ControlButton(model)
        gtk_widget_set_halign(retry.widget, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(retry.widget, "pill")
        for child in [icon, failureText, retry.widget] { gtk_box_append(failure.cast(), child) }

        keys = gtk_grid_new()
        gtk_grid_set_column_spacing(keys.cast(), 24)
        gtk_grid_set_row_spacing(keys.cast(), 4)
        // A small window has room for a part.
        keyPanel = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(keyPanel.opaque, keys)
        gtk_scrolled_window_set_propagate_natural_width(keyPanel.opaque, 1)
        gtk_scrolled_window_set_propagate_natural_height(keyPanel.opaque, 1)
        keyPanel.align(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(keyPanel, "osd")
        gtk_widget_add_css_class(keyPanel, "flowplayer-panel")
        keyPanel.isVisible = false

        widgets = [spinner, message.widget, failure, keyPanel]
    }

    func draw(_ state: ControlsState) {
        if spinner.isVisible != state.showsSpinner {
            spinner.isVisible = state.showsSpinner
            // A spinner that turns unseen would redraw.
            gtk_spinner_set_spinning(spinner.opaque, state.showsSpinner ? 1 : 0)
        }
        message.draw(state.prompt ?? state.message)
        retry.draw(state.failure?.retry)
        if state.failure?.text != shownFailure {
            shownFailure = state.failure?.text
            gtk_label_set_text(failureText.opaque, shownFailure.map { String($0.prefix(1000)) } ?? "")
            failure.isVisible = shownFailure != nil
        }
        if state.keyList != shownKeys { draw(state.keyList) }
    }

    private func draw(_ rows: [KeyMap.Row]?) {
        shownKeys = rows
        while let child = gtk_widget_get_first_child(keys) { gtk_grid_remove(keys.cast(), child) }
        // Two columns of rows fit into a small window.
        let half = ((rows?.count ?? 0) + 1) / 2
        for (index, row) in (rows ?? []).enumerated() {
            let column = Int32(index < half ? 0 : 2)
            let (key, title) = (gtk_label_new(row.keys)!, gtk_label_new(row.title)!)
            gtk_widget_add_css_class(key, "flowplayer-key")
            gtk_widget_set_halign(key, GTK_ALIGN_END)
            gtk_widget_set_halign(title, GTK_ALIGN_START)
            gtk_grid_attach(keys.cast(), key, column, Int32(index % max(1, half)), 1, 1)
            gtk_grid_attach(keys.cast(), title, column + 1, Int32(index % max(1, half)), 1, 1)
        }
        var height: Int32 = 0
        gtk_widget_measure(bar, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
        gtk_widget_set_margin_bottom(keyPanel, height)
        keyPanel.isVisible = rows != nil
    }
}
#endif
