#if GTK
import CGTK
import Foundation

/// A window from which the user drags files.
@MainActor
enum DragSource {
    /// - Parameter list: addresses, one in each line, as the media type `text/uri-list` has them.
    static func present(_ list: String) {
        let window = gtk_window_new()!
        gtk_window_set_title(window.cast(), "source")
        gtk_window_set_default_size(window.cast(), 200, 200)
        gtk_window_set_application(window.cast(), UnsafeMutableRawPointer(g_application_get_default())?.cast())
        let bytes = Array(list.utf8).withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        let content = gdk_content_provider_new_for_bytes("text/uri-list", bytes)
        g_bytes_unref(bytes)
        let source = gtk_drag_source_new()
        gtk_drag_source_set_content(source, content)
        let began: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, drag, _ in
            guard let drag else { return }
            DragSource.follow(drag)
        }
        connect(UnsafeMutableRawPointer(source!), "drag-begin", unsafeBitCast(began, to: GCallback.self))
        let label = gtk_label_new("drag me")!
        gtk_widget_add_controller(label, source)
        gtk_window_set_child(window.cast(), label)
        gtk_window_present(window.cast())
    }

    /// Prints when a window is ready to take what is dragged, and when it has taken it.
    private nonisolated static func follow(_ drag: gpointer) {
        let changed: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { drag, _, _ in
            let action = gdk_drag_get_selected_action(OpaquePointer(drag))
            GTKProgram.say(action.rawValue == 0 ? "refused" : "accepted")
        }
        connect(drag, "notify::selected-action", unsafeBitCast(changed, to: GCallback.self))
        let finished: @convention(c) (gpointer?, gpointer?) -> Void = { _, _ in GTKProgram.say("finished") }
        connect(drag, "dnd-finished", unsafeBitCast(finished, to: GCallback.self))
        GTKProgram.say("dragging")
    }

    private nonisolated static func connect(_ object: gpointer, _ signal: String, _ handler: GCallback) {
        g_signal_connect_data(object, signal, handler, nil, nil, GConnectFlags(0))
    }
}

extension UnsafeMutablePointer {
    fileprivate func cast<Target>() -> UnsafeMutablePointer<Target> { UnsafeMutableRawPointer(self).cast() }
}

extension UnsafeMutableRawPointer {
    fileprivate func cast<Target>() -> UnsafeMutablePointer<Target> { assumingMemoryBound(to: Target.self) }
}
#endif
