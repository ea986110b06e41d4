#if GTK
import CGTK
import PlayerControls

/// The bar at the lower edge of the video, with the seek bar, buttons and menus.
///
/// While it is hidden, it is transparent and keeps its place. GTK sends a click to the widget that was under the pointer at the last
/// motion, so a bar that appeared below a resting pointer would miss the click.
@MainActor
final class ControlBar {
    let widget: UnsafeMutablePointer<GtkWidget>
    let menu: SettingsMenu
    /// The label above the seek bar, which lies over the video.
    let hover: HoverLabel
    private let model: ControlsModel
    private let seekBar: SeekBarWidget
    private let previous, play, next, mute, live, pictureInPicture, fullscreen: ControlButton
    private let volume: UnsafeMutablePointer<GtkWidget>
    private let names = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    private let position = TextLabel("numeric", "flowplayer-time")
    private let duration = TextLabel("numeric", "flowplayer-time")
    private let title = TextLabel("heading")
    private let chapter = TextLabel("dim-label", "caption")
    private let speed = TextLabel("numeric", "flowplayer-badge")
    private let liveText = TextLabel("numeric", "flowplayer-badge")
    private var focus: KeyboardFocus?
    private var isDrawing = false

    /// - Parameters:
    ///   - owner: the overlay of the whole player.
    ///   - thumbnails: the frames above the seek bar.
    init(_ model: ControlsModel, owner: UnsafeMutablePointer<GtkWidget>, thumbnails: SeekThumbnails) {
        self.model = model
        let button = { ControlButton(model) }
        (previous, play, next, mute) = (button(), button(), button(), button())
        (live, pictureInPicture, fullscreen) = (button(), button(), button())
        hover = HoverLabel(owner: owner)
        seekBar = SeekBarWidget(model, owner: owner, hover: hover, thumbnails: thumbnails)
        menu = SettingsMenu(model, owner: owner)
        volume = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.05)
        widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_widget_add_css_class(widget, "osd")
        gtk_widget_add_css_class(widget, "flowplayer-bar")
        makeVolume()
        ignoreClicksWhileHidden()
        gtk_box_append(widget.cast(), timeRow())
        gtk_box_append(widget.cast(), buttonRow())
        holdWhileFocused()
    }

    private func timeRow() -> UnsafeMutablePointer<GtkWidget> {
        let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8)!
        for label in [position, duration] { gtk_widget_set_valign(label.widget, GTK_ALIGN_CENTER) }
        gtk_box_append(row.cast(), position.widget)
        gtk_box_append(row.cast(), seekBar.widget)
        gtk_box_append(row.cast(), duration.widget)
        return row
    }

    private func buttonRow() -> UnsafeMutablePointer<GtkWidget> {
        let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)!
        gtk_widget_set_hexpand(names, 1)
        gtk_widget_set_valign(names, GTK_ALIGN_CENTER)
        gtk_widget_set_margin_start(names, 8)
        for label in [title, chapter] {
            gtk_widget_set_halign(label.widget, GTK_ALIGN_START)
            gtk_box_append(names.cast(), label.widget)
        }
        for label in [speed, liveText] { gtk_widget_set_valign(label.widget, GTK_ALIGN_CENTER) }
        let children = [
            previous.widget, play.widget, next.widget, mute.widget, volume, names, liveText.widget, live.widget,
            speed.widget, menu.widget, pictureInPicture.widget, fullscreen.widget,
        ]
        for child in children { gtk_box_append(row.cast(), child) }
        return row
    }

    private func makeVolume() {
        gtk_scale_set_draw_value(volume.cast(), 0)
        gtk_widget_set_size_request(volume, 90, -1)
        volume.setAccessibleLabel("Volume")
        Signal.connect(volume, "value-changed") { [weak self] in
            guard let self, !isDrawing else { return }
            model.perform(.setVolume(gtk_range_get_value(volume.cast())))
        }
    }

    /// A control that the user has reached by keyboard is visible.
    private func holdWhileFocused() {
        Signal.connect(widget, "realize") { [weak self] in
            // A widget that moves within its window is realized again.
            guard let self, let window = gtk_widget_get_root(widget), focus?.window.raw != window.raw else { return }
            focus = KeyboardFocus(of: window.raw.cast(to: GtkWindow.self)) { [weak self] in
                guard let self else { return }
                model.hold(.keyboardFocus, focus?.isInside(widget) ?? false)
            }
        }
    }

    /// Takes the focus from a control that the user has reached by keyboard. Returns `false` if there is none.
    @discardableResult func leaveFocus() -> Bool {
        guard let focus, focus.isInside(widget) else { return false }
        focus.leave()
        return true
    }

    /// `true` if a height in another widget belongs to the bar.
    func covers(_ y: Double, of other: UnsafeMutablePointer<GtkWidget>) -> Bool {
        var (left, top) = (0.0, 0.0)
        return gtk_widget_translate_coordinates(widget, other, 0, 0, &left, &top) != 0 && y >= top
    }

    /// A click on a bar that nobody sees shows it.
    private func ignoreClicksWhileHidden() {
        let controller = gtk_event_controller_legacy_new()!
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.handle(controller, "event") { [weak model] arguments in
            guard let event = arguments.pointer(0), let model, !model.state.areVisible else { return false }
            let isPress = [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN].contains(gdk_event_get_event_type(event.opaque))
            guard isPress else { return false }
            model.reveal()
            return true
        }
        gtk_widget_add_controller(widget, controller)
    }

    func draw(_ state: ControlsState) {
        widget.isVisible = state.areAllowed
        widget.setClass("flowplayer-hidden", !state.areVisible)
        // Nobody sees a hidden bar, and each change of it would be painted.
        guard state.areVisible else { return hover.hide() }
        isDrawing = true
        defer { isDrawing = false }
        drawDesign(state)
        seekBar.draw(state)
        position.draw(state.position)
        duration.draw(state.duration)
        title.draw(state.title)
        chapter.draw(state.chapter)
        speed.draw(state.speedBadge)
        liveText.draw(state.live?.text)
        previous.draw(state.previous, icon: "media-skip-backward-symbolic")
        next.draw(state.next, icon: "media-skip-forward-symbolic")
        play.draw(state.play, icon: Self.playIcon(state.play))
        mute.draw(state.mute, icon: Self.volumeIcon(state))
        live.draw(state.live.flatMap { $0.button.isOn ? nil : $0.button }, icon: "media-seek-forward-symbolic")
        pictureInPicture.draw(state.pictureInPicture, icon: "focus-windows-symbolic")
        let isFull = state.fullscreen?.isOn == true
        fullscreen.draw(state.fullscreen, icon: isFull ? "view-restore-symbolic" : "view-fullscreen-symbolic")
        menu.draw(state.menus)
        volume.isVisible = state.volume != nil
        if let level = state.volume, level != gtk_range_get_value(volume.cast()) {
            gtk_range_set_value(volume.cast(), level)
            volume.setAccessibleValue("\(Int((level * 100).rounded())) percent")
        }
    }

    /// A thin bar has one row, without the names and without space around it.
    private func drawDesign(_ state: ControlsState) {
        widget.setClass("flowplayer-thin", state.usesThinBar)
        seekBar.widget.setClass("flowplayer-no-handle", !state.usesDragHandle)
        names.isVisible = !state.usesThinBar
        let orientation = state.usesThinBar ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL
        if gtk_orientable_get_orientation(widget.opaque) != orientation {
            gtk_orientable_set_orientation(widget.opaque, orientation)
        }
    }

    private static func playIcon(_ button: ControlsState.Button?) -> String {
        switch button?.label {
        case "Pause": "media-playback-pause-symbolic"
        case "Play": "media-playback-start-symbolic"
        default: "view-refresh-symbolic"
        }
    }

    private static func volumeIcon(_ state: ControlsState) -> String {
        let volume = state.mute?.isOn == true ? 0 : state.volume ?? 1
        return switch volume {
        case 0: "audio-volume-muted-symbolic"
        case ..<0.34: "audio-volume-low-symbolic"
        case ..<0.67: "audio-volume-medium-symbolic"
        default: "audio-volume-high-symbolic"
        }
    }
}
#endif
