#if GTK
import CGTK
import PlayerControls

/// Shows an advertisement's place in its break and the rest of its time, with the buttons to skip it and to open its page.
///
/// It is visible as long as the advertisement, also while the bar is hidden.
@MainActor
final class AdPanel {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let bar: UnsafeMutablePointer<GtkWidget>
    private let text = TextLabel("numeric")
    private let countdown = TextLabel("numeric")
    private let page: ControlButton
    private let skip: ControlButton

    /// - Parameter bar: the bar at the lower edge, which the panel does not cover.
    init(_ model: ControlsModel, bar: UnsafeMutablePointer<GtkWidget>) {
        self.bar = bar
        widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        widget.align(GTK_ALIGN_END, GTK_ALIGN_END)
        gtk_widget_set_margin_end(widget, 12)
        gtk_widget_add_css_class(widget, "osd")
        gtk_widget_add_css_class(widget, "flowplayer-ad")
        (page, skip) = (ControlButton(model), ControlButton(model))
        skip.widget.setAccessibleLabel("Skip advertisement")
        for child in [text.widget, page.widget, countdown.widget, skip.widget] { gtk_box_append(widget.cast(), child) }
        widget.isVisible = false
    }

    func draw(_ state: ControlsState) {
        let ad = state.ad
        if ad != nil, !widget.isVisible {
            var height: Int32 = 0
            gtk_widget_measure(bar, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
            gtk_widget_set_margin_bottom(widget, height)
        }
        widget.isVisible = ad != nil
        text.draw(ad?.text)
        countdown.draw(ad?.countdown)
        page.draw(ad?.page)
        skip.draw(ad?.skip)
    }
}
#endif
