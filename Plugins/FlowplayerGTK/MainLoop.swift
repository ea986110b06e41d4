#if GTK
import CGTK
import Foundation

/// Lets GLib's main loop serve Swift's main queue and Foundation's timers.
///
/// GLib knows nothing of either: without the two sources here, tasks of the main actor never run while GTK runs.
/// See the design decision on the GTK view.
@MainActor
enum MainLoop {
    private static var isAttached = false

    /// Attaches both sources to the default context. Attaching twice is harmless.
    static func attach() {
        guard !isAttached else { return }
        isAttached = true
        attachMainQueue()
        attachTimers()
    }

    /// The main queue has an eventfd, which is readable while the queue has work.
    private static func attachMainQueue() {
        let callback: GUnixFDSourceFunc = { descriptor, _, _ in
            // An eventfd that is not read stays readable, and the loop would spin.
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
            _dispatch_main_queue_callback_4CF(nil)
            return gboolean(1)
        }
        let source = g_unix_fd_source_new(_dispatch_get_main_queue_handle_4CF(), G_IO_IN)
        g_source_set_callback(source, unsafeBitCast(callback, to: GSourceFunc.self), nil, nil)
        g_source_attach(source, nil)
        g_source_unref(source)
    }

    /// Before GLib sleeps, the source limits the sleep to the next timer of the main run loop.
    private static func attachTimers() {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(to: GSourceFuncs())
        functions.pointee.prepare = { _, milliseconds in
            let seconds = MainLoop.secondsToNextTimer()
            // -1 is no limit. A millisecond more, because GLib rounds down and would wake too early.
            milliseconds?.pointee = seconds.map { $0 <= 0 ? 0 : gint(min($0 * 1000 + 1, 60_000)) } ?? -1
            return gboolean(seconds.map { $0 <= 0 } == true ? 1 : 0)
        }
        functions.pointee.check = { _ in gboolean(MainLoop.secondsToNextTimer().map { $0 <= 0 } == true ? 1 : 0) }
        functions.pointee.dispatch = { _, _, _ in
            _ = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 0)
            return gboolean(1)
        }
        let source = g_source_new(functions, guint(MemoryLayout<GSource>.size))
        g_source_attach(source, nil)
        g_source_unref(source)
    }

    /// `nil` if there is no timer.
    private nonisolated static func secondsToNextTimer() -> Double? {
        let date = CFRunLoopGetNextTimerFireDate(CFRunLoopGetMain(), kCFRunLoopDefaultMode)
        guard date > 0, date.isFinite else { return nil }
        return date - CFAbsoluteTimeGetCurrent()
    }
}
#endif
