// For mallopt, which the C library's own module leaves out.
#include <malloc.h>
#include <glib-unix.h>
#include <gtk/gtk.h>

// The parts of libdispatch and Foundation that let another main loop serve the main queue and the timers of the main run loop.
// Foundation's own run loop uses the first two.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
extern const void *const kCFRunLoopDefaultMode;
void *CFRunLoopGetMain(void);
double CFRunLoopGetNextTimerFireDate(void *loop, const void *mode);
double CFAbsoluteTimeGetCurrent(void);
int CFRunLoopRunInMode(const void *mode, double seconds, unsigned char returnAfterSourceHandled);

#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>

// GDK_IS_X11_SURFACE is a macro, and the functions of a surface must not be called with one of Wayland.
static inline gboolean cgtk_is_x11(GdkSurface *surface) { return GDK_IS_X11_SURFACE(surface); }

static inline gboolean cgtk_display_is_x11(GdkDisplay *display) { return GDK_IS_X11_DISPLAY(display); }

// Asks the window manager to keep a window above the others.
static inline gboolean cgtk_keep_above(GdkSurface *surface) {
    if (!cgtk_is_x11(surface)) return FALSE;
    GdkDisplay *display = gdk_surface_get_display(surface);
    Display *connection = gdk_x11_display_get_xdisplay(display);
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = gdk_x11_surface_get_xid(surface);
    event.xclient.message_type = gdk_x11_get_xatom_by_name_for_display(display, "_NET_WM_STATE");
    event.xclient.format = 32;
    event.xclient.data.l[0] = 1;  // add
    event.xclient.data.l[1] = (long)gdk_x11_get_xatom_by_name_for_display(display, "_NET_WM_STATE_ABOVE");
    event.xclient.data.l[3] = 1;  // from an application
    XSendEvent(connection, DefaultRootWindow(connection), False, SubstructureNotifyMask | SubstructureRedirectMask, &event);
    return TRUE;
}
#else
static inline gboolean cgtk_display_is_x11(GdkDisplay *display) { return FALSE; }
static inline gboolean cgtk_keep_above(GdkSurface *surface) { return FALSE; }
#endif
