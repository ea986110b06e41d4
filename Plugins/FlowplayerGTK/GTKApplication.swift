#if GTK
import CGTK
import FlowplayerSDK
import Foundation

/// Runs a program whose windows are those of GTK 4.
///
/// ```swift
/// @main
/// struct Player {
///     @MainActor static func main() {
///         exit(GTKApplication.run(applicationID: "org.example.Player") {
///             let view = FlowplayerView()
///             GTKPlayerWindow(view).present()
///             view.load(external: MediaExternal(url: URL(filePath: "/srv/clip.mp4")))
///         })
///     }
/// }
/// ```
@MainActor
public enum GTKApplication {
    /// `true` if GTK can open windows: there is a Wayland or X11 display.
    public static var hasDisplay: Bool {
        // A second call of the first function returns `true` in any case.
        gtk_init_check() != 0 && gdk_display_get_default() != nil
    }

    /// The number of screens of the desktop. 0 without a display.
    public static var screenCount: Int { hasDisplay ? Screens.count : 0 }

    /// Runs GTK's main loop until the last window is closed or `quit` is called. It waits for the first window.
    ///
    /// Tasks of the main actor, the main queue and timers of the main run loop run meanwhile, all on the main thread. A block that
    /// `RunLoop.main.perform` adds on another thread does not: use `DispatchQueue.main.async`.
    ///
    /// Call it from a synchronous `main`. In an `async` one, the main actor leaves the main thread, which GTK needs.
    ///
    /// - Parameters:
    ///   - applicationID: the name of the program for the desktop, for example `org.example.Player`.
    ///   - activate: called once, when windows can be opened.
    /// If the X server ends, the program ends with a message and the status 69.
    ///
    /// - Returns: the exit status of the program. 0, or the one of `quit`. 69 if there is no display, 70 if this is not the main
    ///   thread or the name is not valid. A message on standard error says so.
    public static func run(applicationID: String, activate: @escaping @MainActor () -> Void) -> Int32 {
        guard Thread.isMainThread else {
            return fail("GTK needs the main thread. Call GTKApplication.run from a synchronous main.", EX_SOFTWARE)
        }
        guard g_application_id_is_valid(applicationID) != 0 else {
            return fail("\"\(applicationID)\" is no application id. Use one like org.example.Player.", EX_SOFTWARE)
        }
        guard hasDisplay else {
            return fail("There is no display. Set WAYLAND_DISPLAY or DISPLAY to open a window.", EX_UNAVAILABLE)
        }
        MainLoop.attach()
        followDisplay()
        // A unique application needs a session bus.
        let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(
            applicationID, G_APPLICATION_NON_UNIQUE)
        defer { g_object_unref(application) }
        self.application = application.raw
        exitStatus = 0
        Signal.connect(application, "activate", activate)
        // Otherwise the loop would end before a window that is opened later.
        g_application_hold(application.cast())
        isWaitingForWindow = true
        let status = g_application_run(application.cast(), 0, nil)
        self.application = nil
        return status == 0 ? exitStatus : status
    }

    /// Closes all windows and ends `run`.
    ///
    /// - Parameter status: the result of `run`.
    public static func quit(status: Int32 = 0) {
        exitStatus = status
        for window in openWindows { window.close() }
        if let application { g_application_quit(application.cast()) }
    }

    /// Called when the X server has ended, before the process ends with the status 69. A terminal can be restored here. Under
    /// Wayland, GTK ends the process without this call.
    public static var onDisplayLost: (@MainActor () -> Void)?

    /// The open windows, in the order of their opening. They keep themselves until they are closed.
    public internal(set) static var openWindows: [GTKPlayerWindow] = []

    /// The running application; `nil` outside of `run`.
    static var application: UnsafeMutableRawPointer?
    private static var exitStatus: Int32 = 0
    /// `true` until the first window is open.
    private static var isWaitingForWindow = false

    /// The application runs as long as it has a window.
    static func adopt(_ window: UnsafeMutablePointer<GtkWindow>) {
        guard let application else { return }
        gtk_window_set_application(window, application.cast())
        if isWaitingForWindow { g_application_release(application.cast()) }
        isWaitingForWindow = false
    }

    /// The program is in the background while it has windows and all of them are minimised. A small window is still visible then.
    static func visibilityChanged() {
        let isHidden = !openWindows.isEmpty && openWindows.allSatisfy { !$0.isVisible }
        let showsVideo = isHidden && openWindows.contains { $0.view.isPictureInPicture }
        let lifecycle = ApplicationLifecycle.shared
        // The small window comes first, so that the video never pauses in between.
        if showsVideo { lifecycle.enterBackground(.pictureInPicture) }
        if isHidden { lifecycle.enterBackground(.hidden) } else { lifecycle.leaveBackground(.hidden) }
        if !showsVideo { lifecycle.leaveBackground(.pictureInPicture) }
    }

    /// The program cannot continue without the X server, and Xlib does not return from here. GDK would end the program too, with the
    /// status 1.
    private static func followDisplay() {
        XSetIOErrorHandler { _ in
            if Thread.isMainThread { MainActor.assumeIsolated { GTKApplication.onDisplayLost?() } }
            let message = Array("The display has gone. Start the program again when there is one.\n".utf8)
            _ = write(STDERR_FILENO, message, message.count)
            _exit(EX_UNAVAILABLE)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Int32 {
        fflush(nil)
        FileHandle.standardError.write(Data((message + "\n").utf8))
        return status
    }
}
#endif
