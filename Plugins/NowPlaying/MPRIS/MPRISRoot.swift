#if Systemd
import DBus

/// `org.mpris.MediaPlayer2`: the program.
@MainActor
struct MPRISRoot {
    unowned let center: NowPlayingCenter

    var interface: DBusInterface {
        DBusInterface(
            "org.mpris.MediaPlayer2",
            methods: [
                DBusMethod("Raise") { _ in center.raiseHandler?() },
                DBusMethod("Quit") { _ in center.quitHandler?() },
            ],
            properties: [
                DBusProperty("CanQuit", "b") { .bool(center.quitHandler != nil) },
                DBusProperty(
                    "Fullscreen", "b", get: { .bool(false) },
                    set: { _ in throw DBusError.notSupported("the host shows the window") }),
                DBusProperty("CanSetFullscreen", "b") { .bool(false) },
                DBusProperty("CanRaise", "b") { .bool(center.raiseHandler != nil) },
                DBusProperty("HasTrackList", "b") { .bool(center.activeSession?.queue != nil) },
                DBusProperty("Identity", "s") { .string(center.identity.displayName) },
                DBusProperty("DesktopEntry", "s") { .string(center.identity.desktopEntry ?? "") },
                DBusProperty("SupportedUriSchemes", "as") { .strings(center.identity.uriSchemes) },
                DBusProperty("SupportedMimeTypes", "as") { .strings(center.identity.mimeTypes) },
            ])
    }
}
#endif
