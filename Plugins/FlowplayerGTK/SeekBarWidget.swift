#if GTK
import CGTK
import PlayerControls

/// The seek bar: position, buffered part, chapters, and the time under the pointer.
@MainActor
final class SeekBarWidget {
    /// The bar, with the hover label above it.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let scale: UnsafeMutablePointer<GtkWidget>
    private let hover = TextLabel("flowplayer-hover", "osd")
    private let model: ControlsModel
    private var marks: [SeekBar.Mark] = []
    /// `true` while the program moves the handle, which must not seek.
    private var isDrawing = false
    private var isPressed = false
    private var spoken = ""

    init(_ model: ControlsModel) {
        self.model = model
        widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.001)
        gtk_scale_set_draw_value(scale.cast(), 0)
        gtk_range_set_show_fill_level(scale.cast(), 1)
        gtk_range_set_restrict_to_fill_level(scale.cast(), 0)
        gtk_widget_set_hexpand(scale, 1)
        gtk_widget_add_css_class(scale, "flowplayer-seek")
        scale.setAccessibleLabel("Seek")
        gtk_widget_set_halign(hover.widget, GTK_ALIGN_START)
        // The label keeps its place while it is not shown, so that the bar does not move.
        gtk_widget_set_opacity(hover.widget, 0)
        gtk_label_set_text(hover.widget.opaque, " ")
        gtk_box_append(widget.cast(), hover.widget)
        gtk_box_append(widget.cast(), scale)
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
        if marks != bar.marks {
            marks = bar.marks
            gtk_scale_clear_marks(scale.cast())
            for mark in marks { gtk_scale_add_mark(scale.cast(), mark.fraction, GTK_POS_TOP, nil) }
            // With marks on one side only, the handle would have a tip.
            gtk_widget_add_css_class(scale, "marks-after")
        }
        // A screen reader would speak each change, so the value follows the text: whole seconds or minutes.
        if spoken != bar.spokenPosition {
            spoken = bar.spokenPosition
            scale.setAccessibleValue(spoken)
        }
    }

    private func valueChanged() {
        guard !isDrawing else { return }
        let fraction = gtk_range_get_value(scale.cast())
        if isPressed { model.drag(to: fraction) } else { model.perform(.seekToFraction(fraction)) }
    }

    // MARK: The mouse

    /// The gestures of the scale take the button for themselves. Events of the capture phase come before.
    private func watchButton() {
        let controller = gtk_event_controller_legacy_new()!
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.connectEvent(controller) { [weak self] type in
            switch type {
            case GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN: self?.isPressed = true
            case GDK_BUTTON_RELEASE, GDK_TOUCH_END: self?.release()
            case GDK_TOUCH_CANCEL, GDK_GRAB_BROKEN: self?.cancel()
            default: break
            }
            return false
        }
        gtk_widget_add_controller(scale, controller)
    }

    private func release() {
        isPressed = false
        model.endDrag()
    }

    private func cancel() {
        isPressed = false
        model.cancelDrag()
    }

    private func watchPointer() {
        let controller = gtk_event_controller_motion_new()!
        Signal.connectPoint(controller, "motion") { [weak self] x, _ in self?.showHover(at: x) }
        Signal.connect(controller, "leave") { [weak self] in self?.hideHover() }
        gtk_widget_add_controller(scale, controller)
    }

    private func showHover(at x: Double) {
        guard let label = model.state.seekBar.hover(at: fraction(at: x)) else { return hideHover() }
        hover.draw(label.chapter.map { "\(label.time)  \($0)" } ?? label.time)
        gtk_widget_set_opacity(hover.widget, 1)
        var (minimum, natural): (Int32, Int32) = (0, 0)
        gtk_widget_set_margin_start(hover.widget, 0)
        gtk_widget_measure(hover.widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
        let width = Double(gtk_widget_get_width(scale))
        let place = (scale.isRightToLeft ? width - x : x) - Double(natural) / 2
        gtk_widget_set_margin_start(hover.widget, Int32(max(0, min(place, width - Double(natural)))))
    }

    private func hideHover() { gtk_widget_set_opacity(hover.widget, 0) }

    /// The value to which a click at a place moves the handle. The handle covers half its width at both ends.
    private func fraction(at x: Double) -> Double {
        var area = GdkRectangle()
        gtk_range_get_range_rect(scale.cast(), &area)
        var (start, end): (Int32, Int32) = (0, 0)
        gtk_range_get_slider_range(scale.cast(), &start, &end)
        let handle = Double(end - start)
        let length = Double(area.width) - handle
        guard length > 0 else { return 0 }
        let fraction = (x - Double(area.x) - handle / 2) / length
        return min(max(0, scale.isRightToLeft ? 1 - fraction : fraction), 1)
    }
}
#endif
