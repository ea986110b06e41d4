#if GTK
import CGTK
import PlayerControls

/// The seek bar: position, buffered part, chapters, and what is under the pointer.
@MainActor
final class SeekBarWidget {
    /// A `GtkScale`.
    let widget: UnsafeMutablePointer<GtkWidget>
    private var scale: UnsafeMutablePointer<GtkWidget> { widget }
    private let owner: UnsafeMutablePointer<GtkWidget>
    private let hover: HoverLabel
    private let thumbnails: SeekThumbnails
    private let model: ControlsModel
    private var marks: [Double] = []
    /// `true` while the program moves the handle, which must not seek.
    private var isDrawing = false
    private var isPressed = false
    private var spoken = ""
    /// Between the label and the bar, in pixels.
    private static let distance = 10.0

    /// - Parameters:
    ///   - owner: the overlay with the label.
    ///   - hover: the label for the place under the pointer.
    init(
        _ model: ControlsModel, owner: UnsafeMutablePointer<GtkWidget>, hover: HoverLabel, thumbnails: SeekThumbnails
    ) {
        (self.model, self.owner, self.hover, self.thumbnails) = (model, owner, hover, thumbnails)
        widget = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.001)
        gtk_scale_set_draw_value(scale.cast(), 0)
        gtk_range_set_show_fill_level(scale.cast(), 1)
        gtk_range_set_restrict_to_fill_level(scale.cast(), 0)
        gtk_widget_set_hexpand(scale, 1)
        gtk_widget_add_css_class(scale, "flowplayer-seek")
        scale.setAccessibleLabel("Seek")
        Signal.connect(scale, "value-changed") { [weak self] in self?.valueChanged() }
        watchButton()
        watchPointer()
    }

    func draw(_ state: ControlsState) {
        isDrawing = true
        defer { isDrawing = false }
        let bar = state.seekBar
        gtk_widget_set_sensitive(scale, bar.isEnabled ? 1 : 0)
        gtk_range_set_fill_level(scale.cast(), bar.bufferedFraction)
        if !isPressed { gtk_range_set_value(scale.cast(), bar.fraction) }
        let marks = bar.marks.map(\.fraction) + bar.adMarks
        if self.marks != marks {
            self.marks = marks
            gtk_scale_clear_marks(scale.cast())
            for mark in marks { gtk_scale_add_mark(scale.cast(), mark, GTK_POS_TOP, nil) }
            // With marks on one side only, the handle would have a tip.
            gtk_widget_add_css_class(scale, "marks-after")
        }
        // A screen reader would speak each change, so the value follows the text: whole seconds or minutes.
        if spoken != bar.spokenPosition {
            spoken = bar.spokenPosition
            scale.setAccessibleValue(spoken)
        }
    }

    /// A key or a screen reader has moved the handle. The mouse has its own way.
    private func valueChanged() {
        if !isDrawing && !isPressed { model.perform(.seekToFraction(gtk_range_get_value(scale.cast()))) }
    }

    // MARK: The mouse

    /// The gestures of the scale take the button for themselves. Events of the capture phase come before.
    ///
    /// The handle follows the gestures. The player seeks to the place of the event, whose frame the label has shown. GTK's value for
    /// this place may be another one.
    private func watchButton() {
        let controller = gtk_event_controller_legacy_new()!
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.handle(controller, "event") { [weak self] arguments in
            if let event = arguments.pointer(0) { self?.follow(event.opaque) }
            return false
        }
        gtk_widget_add_controller(scale, controller)
    }

    private func follow(_ event: OpaquePointer) {
        switch gdk_event_get_event_type(event) {
        case GDK_BUTTON_PRESS where gdk_button_event_get_button(event) == GDK_BUTTON_PRIMARY, GDK_TOUCH_BEGIN:
            isPressed = true
            drag(to: event)
        case GDK_MOTION_NOTIFY where isPressed, GDK_TOUCH_UPDATE where isPressed: drag(to: event)
        case GDK_BUTTON_RELEASE, GDK_TOUCH_END:
            isPressed = false
            model.endDrag()
        case GDK_TOUCH_CANCEL, GDK_GRAB_BROKEN:
            isPressed = false
            model.cancelDrag()
        default: break
        }
    }

    private func drag(to event: OpaquePointer) {
        var (x, y, left, top) = (0.0, 0.0, 0.0, 0.0)
        guard let native = gtk_widget_get_native(scale), gdk_event_get_position(event, &x, &y) != 0 else { return }
        // The event is relative to the surface, which is larger than the window.
        gtk_native_get_surface_transform(native, &left, &top)
        var (place, height) = (0.0, 0.0)
        gtk_widget_translate_coordinates(native.widget, scale, x - left, y - top, &place, &height)
        model.drag(to: fraction(at: place))
        showHover(at: place)
    }

    private func watchPointer() {
        let controller = gtk_event_controller_motion_new()!
        Signal.connect(controller, "motion") { [weak self] in self?.showHover(at: $0.double(0)) }
        Signal.connect(controller, "leave") { [weak self] in self?.hover.hide() }
        gtk_widget_add_controller(scale, controller)
    }

    private func showHover(at x: Double) {
        guard let label = model.state.seekBar.hover(at: fraction(at: x)) else { return hover.hide() }
        var (place, top) = (0.0, 0.0)
        gtk_widget_translate_coordinates(scale, owner, x, 0, &place, &top)
        hover.show(label.chapter.map { "\(label.time)  \($0)" } ?? label.time, x: place, y: top - Self.distance)
        thumbnails.read(at: label.seconds) { [weak hover] in hover?.draw($0) }
    }

    /// The place in the bar, in `0...1`.
    private func fraction(at x: Double) -> Double {
        var area = GdkRectangle()
        gtk_range_get_range_rect(scale.cast(), &area)
        guard area.width > 0 else { return 0 }
        let fraction = min(max(0, (x - Double(area.x)) / Double(area.width)), 1)
        return scale.isRightToLeft ? 1 - fraction : fraction
    }
}
#endif
