#if Systemd
import DBus

/// What screen savers say. Their interface has the name of the program.
extension LogindWatch {
    private static let screenSavers = [
        "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
        "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
    ]

    func followScreenSavers() {
        for (name, path) in Self.screenSavers { follow(screenSaver: name, path: path) }
    }

    private func follow(screenSaver name: String, path: String) {
        sessionBus?.listen(to: .owner(of: name)) { [weak self] signal in
            self?.change { $0.forgetScreenSaver(name) }
            if signal.arguments.last?.string != "" { self?.read(screenSaver: name, path: path) }
        }
        // One program may have several paths for it.
        sessionBus?.listen(to: DBusMatch(from: name, interface: name, "ActiveChanged")) { [weak self] signal in
            let isActive = signal.arguments.first?.bool == true
            self?.change { $0.setScreenSaver(name, isActive: isActive) }
        }
        read(screenSaver: name, path: path)
    }

    private func read(screenSaver name: String, path: String) {
        var isActive = DBusCall(name, path: path, interface: name, "GetActive")
        isActive.startsService = false
        sessionBus?.call(isActive) { [weak self] reply in
            // Most desktops have only one of them, or none.
            guard let isActive = (try? reply.get())?.first?.bool else { return }
            self?.change { $0.setScreenSaver(name, isActive: isActive) }
        }
    }
}
#endif
