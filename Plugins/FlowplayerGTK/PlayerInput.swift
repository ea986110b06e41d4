#if GTK
import CGTK
import Foundation
import PlayerControls

/// Passes keys, the pointer and dropped files of a widget to the controls.
@MainActor
struct PlayerInput {
    let model: ControlsModel

    /// Follows the pointer over the player, and the double click on the video.
    ///
    /// The bar may appear under a pointer that rests, and then GTK does not say that the pointer has entered it.
    ///
    /// - Parameters:
    ///   - isOverBar: returns `true` for the height of a place that belongs to the bar.
    ///   - pressed: called when the user presses on the video.
    func followPointer(
        over widget: UnsafeMutablePointer<GtkWidget>, video: UnsafeMutablePointer<GtkWidget>,
        isOverBar: @escaping @MainActor (Double) -> Bool, pressed: @escaping @MainActor () -> Void
    ) {
        let motion = gtk_event_controller_motion_new()!
        Signal.connect(motion, "motion") { [model] arguments in
            let (x, y) = (arguments.double(0), arguments.double(1))
            model.pointerMoved(x: x, y: y)
            model.hold(.pointerOverControls, model.state.areVisible && isOverBar(y))
        }
        Signal.connect(motion, "leave") { [model] in model.pointerLeft() }
        gtk_widget_add_controller(widget, motion)

        let click = gtk_gesture_click_new()!
        Signal.connect(click, "pressed") { [model] arguments in
            pressed()
            if arguments.int(0) == 2 { model.perform(.toggleFullscreen) }
        }
        gtk_widget_add_controller(video, click.raw.opaque)

        let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)!
        // Otherwise the seek bar would take the wheel and seek.
        gtk_event_controller_set_propagation_phase(scroll, GTK_PHASE_CAPTURE)
        Signal.handle(scroll, "scroll") { [model] arguments in
            model.press(arguments.double(1) < 0 ? .up : .down)
            return true
        }
        gtk_widget_add_controller(widget, scroll)
    }

    /// Follows the keys of a window.
    ///
    /// A window uses the space and the arrows to move the focus, so the controller sees keys before its children do.
    ///
    /// - Parameters:
    ///   - isMenuOpen: returns `true` if keys belong to a menu.
    ///   - leaveFocus: takes the focus from a control. Returns `false` if no control has it.
    ///   - others: called with keys that have no action. Returns `true` if the key has an effect.
    func followKeys(
        of window: UnsafeMutablePointer<GtkWidget>, isMenuOpen: @escaping @MainActor () -> Bool,
        leaveFocus: @escaping @MainActor () -> Bool,
        others: @escaping @MainActor (ControlsKey) -> Bool
    ) {
        let focus = KeyboardFocus(of: window.raw.cast(to: GtkWindow.self))
        let keys = gtk_event_controller_key_new()!
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        Signal.handle(keys, "key-pressed") { [model] arguments in
            guard !isMenuOpen(), arguments.flags(2) & Self.commandModifiers == 0, let key = Self.key(arguments.uint(0))
            else { return false }
            // A button that the user has reached by keyboard is pressed by the space.
            if case .character(" ") = key, focus.isButton { return false }
            if case .escape = key, leaveFocus() { return true }
            return model.press(key) || others(key)
        }
        gtk_widget_add_controller(window, keys)
    }

    private static let commandModifiers =
        GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue | GDK_META_MASK.rawValue

    private static func key(_ value: UInt32) -> ControlsKey? {
        switch Int32(value) {
        case GDK_KEY_Left, GDK_KEY_KP_Left: .left
        case GDK_KEY_Right, GDK_KEY_KP_Right: .right
        case GDK_KEY_Up, GDK_KEY_KP_Up: .up
        case GDK_KEY_Down, GDK_KEY_KP_Down: .down
        case GDK_KEY_Home, GDK_KEY_KP_Home: .home
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: .pageUp
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: .pageDown
        case GDK_KEY_BackSpace: .backspace
        case GDK_KEY_Return, GDK_KEY_KP_Enter: .enter
        case GDK_KEY_Escape: .escape
        default:
            Unicode.Scalar(gdk_keyval_to_unicode(value)).flatMap { $0.value == 0 ? nil : .character(Character($0)) }
        }
    }

    /// Receives dropped files. Addresses of other schemes are left out: a web page must not choose the address.
    func receiveFiles(on widget: UnsafeMutablePointer<GtkWidget>, _ handler: @escaping @MainActor ([URL]) -> Void) {
        let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)!
        Signal.handle(target, "drop") { arguments in
            // The argument is a value that holds the list.
            guard let value = arguments.pointer(0), let list = g_value_get_boxed(value.cast()) else { return false }
            var urls: [URL] = []
            let node = gdk_file_list_get_files(list.opaque)
            defer { g_slist_free(node) }
            var next = node
            while let current = next {
                if let file = current.pointee.data, let path = g_file_get_path(file.opaque) {
                    urls.append(URL(filePath: String(cString: path)))
                    g_free(path)
                }
                next = current.pointee.next
            }
            handler(urls)
            return !urls.isEmpty
        }
        gtk_widget_add_controller(widget, target)
    }
}
#endif
