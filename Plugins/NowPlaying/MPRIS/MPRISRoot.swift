import DBus

/// `org.mpris.MediaPlayer2`: the program.
@MainActor
struct MPRISRoot {
    unowned let center: NowPlayingCenter

    var interface: DBusInterface {
        DBusInterface(
            name: "org.mpris.MediaPlayer2",
            methods: [
                DBusMethod("Raise") { _ in center.raiseHandler?() },
                DBusMethod("Quit") { _ in center.quitHandler?() },
            ],
            properties: [
                DBusProperty(name: "CanQuit", type: "b") { .bool(center.quitHandler != nil) },
                DBusProperty(
                    name: "Fullscreen", type: "b", get: { .bool(false) },
                    set: { _ in throw DBusError.notSupported("the host shows the window") }),
                DBusProperty(name: "CanSetFullscreen", type: "b") { .bool(false) },
                DBusProperty(name: "CanRaise", type: "b") { .bool(center.raiseHandler != nil) },
                DBusProperty(name: "HasTrackList", type: "b") { .bool(center.activeSession?.queue != nil) },
                DBusProperty(name: "Identity", type: "s") { .string(center.identity.displayName) },
                DBusProperty(name: "DesktopEntry", type: "s") { .string(center.identity.desktopEntry ?? "") },
                DBusProperty(name: "SupportedUriSchemes", type: "as") { .strings(center.identity.uriSchemes) },
                DBusProperty(name: "SupportedMimeTypes", type: "as") { .strings(center.identity.mimeTypes) },
            ])
    }
}
