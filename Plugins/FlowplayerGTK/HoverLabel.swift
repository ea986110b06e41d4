#if GTK
import CGTK
import Playback

/// The label above the seek bar: the position under the pointer, the title of the chapter, and the frame of the position.
///
/// It lies over the video, so it takes no place in the bar.
@MainActor
final class HoverLabel {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let owner: UnsafeMutablePointer<GtkWidget>
    private let picture: UnsafeMutablePointer<GtkWidget>
    private let text = TextLabel("numeric")
    /// In the coordinates of the owner: the place under which the label is centred, and the lower edge of the label.
    private var anchor: (x: Double, y: Double)?

    /// - Parameter owner: the overlay that contains the label.
    init(owner: UnsafeMutablePointer<GtkWidget>) {
        self.owner = owner
        widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        picture = gtk_picture_new()
        gtk_widget_add_css_class(widget, "osd")
        gtk_widget_add_css_class(widget, "flowplayer-hover")
        gtk_widget_set_can_target(widget, 0)
        // The margin is the distance from the left edge, whatever the direction of the text is.
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
        widget.align(GTK_ALIGN_START, GTK_ALIGN_END)
        picture.isVisible = false
        widget.isVisible = false
        for child in [picture, text.widget] { gtk_box_append(widget.cast(), child) }
    }

    /// Shows the label.
    ///
    /// - Parameters:
    ///   - x: the place under the pointer, in the coordinates of the overlay.
    ///   - y: the lower edge of the label.
    func show(_ text: String, x: Double, y: Double) {
        // The frame of another place.
        if !widget.isVisible { draw(nil) }
        self.text.draw(text)
        anchor = (x, y)
        place()
        widget.isVisible = true
    }

    func hide() { widget.isVisible = false }

    /// Shows a frame above the text; `nil` for none.
    func draw(_ frame: VideoFrame?) {
        picture.isVisible = frame != nil
        guard let frame else { return gtk_picture_set_paintable(picture.opaque, nil) }
        let texture = FramePaintable.texture(of: frame)
        gtk_picture_set_paintable(picture.opaque, texture)
        g_object_unref(texture.raw)
        place()
    }

    private func place() {
        guard let anchor else { return }
        var (minimum, natural): (Int32, Int32) = (0, 0)
        gtk_widget_set_margin_start(widget, 0)
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
        let room = max(0, Double(gtk_widget_get_width(owner) - natural))
        gtk_widget_set_margin_start(widget, Int32(min(max(0, anchor.x - Double(natural) / 2), room)))
        gtk_widget_set_margin_bottom(widget, Int32(max(0, Double(gtk_widget_get_height(owner)) - anchor.y)))
    }
}
#endif
