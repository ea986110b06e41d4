#if GTK
import CGTK
import Playback

/// The screens of the desktop.
@MainActor
enum Screens {
    /// The number of screens. 0 without a display.
    static var count: Int { monitors.map { Int(g_list_model_get_n_items($0)) } ?? 0 }

    /// Returns the `GdkMonitor` with a number; `nil` if there is none.
    static func monitor(_ number: Int) -> ObjectReference? {
        guard (0..<count).contains(number), let monitor = g_list_model_get_item(monitors, guint(number)) else {
            return nil
        }
        return ObjectReference(owned: monitor)
    }

    /// The size of the largest screen, in its own pixels. `nil` without a screen.
    static var largestSize: VideoSize? {
        let sizes = (0..<count).compactMap { monitor($0) }.map { monitor in
            var area = GdkRectangle()
            gdk_monitor_get_geometry(monitor.pointer.opaque, &area)
            let scale = Int(gdk_monitor_get_scale_factor(monitor.pointer.opaque))
            return VideoSize(width: Int(area.width) * scale, height: Int(area.height) * scale)
        }
        return sizes.max { $0.width * $0.height < $1.width * $1.height }
    }

    private static var monitors: OpaquePointer? { gdk_display_get_default().flatMap { gdk_display_get_monitors($0) } }
}
#endif
