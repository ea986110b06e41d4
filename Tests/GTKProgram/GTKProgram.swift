// A program with windows of GTK. Tests run it in another process, because GTK needs the main thread.
import Foundation

#if GTK
import CGTK
import FlowplayerGTK
import FlowplayerSDK

@main @MainActor
struct GTKProgram {
    private static var missing: Set = ["sleep", "hop", "queue", "dispatch timer", "timer", "background"]

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { exit(2) }
        // A program that waits forever fails its test, and does not stop all tests.
        alarm(ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil ? 600 : 3600)
        let status = GTKApplication.run(applicationID: "org.flowplayer.Test") {
            let url = address(arguments.count > 2 ? arguments[2] : "/no/such/file")
            let option = arguments.count > 3 ? arguments[3] : ""
            switch arguments[1] {
            case "loop": loop()
            case "menu": menu(url)
            case "pause": pause(url)
            case "close": close(url)
            case "play":
                setUp(option)
                play(url, option, isPaused: arguments.contains("paused"))
            case "close all": closeAll()
            case "poster": poster(url, of: address(option))
            case "cover": cover(url, of: address(option), after: address(arguments[4]))
            case "still": still(url)
            case "small": small(url)
            case "drop": drop()
            case "source": DragSource.present((try? String(contentsOf: url, encoding: .utf8)) ?? "")
            case "titles": titles()
            case "files": files(url)
            case "growth": growth(url)
            default: GTKApplication.quit(status: 2)
            }
        }
        fflush(nil)
        exit(status)
    }

    private static func address(_ text: String) -> URL {
        text.contains("://") ? URL(string: text) ?? URL(filePath: text) : URL(filePath: text)
    }

    /// Chooses the direction of the text, dark colours or large letters, as a user does for the whole desktop.
    private static func setUp(_ option: String) {
        switch option {
        case "rtl": gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
        case "dark": set("gtk-application-prefer-dark-theme", GType(5 << 2)) { g_value_set_boolean(&$0, 1) }
        // Twice 96 dots an inch, in 1/1024.
        case "large": set("gtk-xft-dpi", GType(6 << 2)) { g_value_set_int(&$0, 2 * 96 * 1024) }
        default: break
        }
    }

    /// - Parameter type: `G_TYPE_BOOLEAN` or `G_TYPE_INT`, which are macros.
    private static func set(_ property: String, _ type: GType, _ fill: (inout GValue) -> Void) {
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        g_value_init(&value, type)
        fill(&value)
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_set_property(object, property, &value)
    }

    // MARK: The main loop

    private static func loop() {
        GTKPlayerWindow(FlowplayerView()).present()
        runLater()
    }

    /// Opens the settings, as a click does, and paints some frames before everything else runs.
    private static func menu(_ url: URL) {
        let view = open(url).view
        Task {
            await becomesTrue { view.paintedFrames >= 10 }
            guard let button = descendant(of: view.widget, gtk_menu_button_get_type()) else {
                return GTKApplication.quit(status: 2)
            }
            gtk_menu_button_popup(OpaquePointer(button))
            popover = gtk_menu_button_get_popover(OpaquePointer(button)).map { UnsafeMutableRawPointer($0) }
            await becomesTrue { isMenuOpen }
            let painted = view.paintedFrames
            await becomesTrue { view.paintedFrames >= painted + 10 }
            runLater()
        }
    }

    private static var popover: UnsafeMutableRawPointer?

    private static var isMenuOpen: Bool {
        popover.map { gtk_widget_get_mapped($0.assumingMemoryBound(to: GtkWidget.self)) != 0 } ?? false
    }

    /// Returns the first widget of a type inside another one.
    private static func descendant(of widget: UnsafeMutableRawPointer, _ type: GType) -> UnsafeMutableRawPointer? {
        if g_type_check_instance_is_a(widget.assumingMemoryBound(to: GTypeInstance.self), type) != 0 { return widget }
        var child = gtk_widget_get_first_child(widget.assumingMemoryBound(to: GtkWidget.self))
        while let current = child {
            if let found = descendant(of: current, type) { return found }
            child = gtk_widget_get_next_sibling(current)
        }
        return nil
    }

    /// Prints a line for each way to run something later, with `main` if it ran on the main thread, and `menu` if the menu was open.
    private static func runLater() {
        Task {
            try await Task.sleep(for: .milliseconds(5))
            report("sleep")
        }
        Task {
            await Task.detached {}.value
            report("hop")
        }
        DispatchQueue.main.async { MainActor.assumeIsolated { report("queue") } }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler {
            timer.cancel()
            MainActor.assumeIsolated { report("dispatch timer") }
        }
        timer.schedule(deadline: .now() + .milliseconds(5))
        timer.resume()
        let soon = Timer(timeInterval: 0.02, repeats: false) { _ in MainActor.assumeIsolated { report("timer") } }
        RunLoop.main.add(soon, forMode: .default)
        Thread.detachNewThread {
            DispatchQueue.main.async { MainActor.assumeIsolated { report("background") } }
        }
    }

    private static func report(_ name: String) {
        print(name, Thread.isMainThread ? "main" : "other", terminator: isMenuOpen ? " menu\n" : "\n")
        missing.remove(name)
        if missing.isEmpty { GTKApplication.quit(status: 3) }
    }

    // MARK: Frames

    /// Pauses after ten frames, and seeks.
    private static func pause(_ url: URL) {
        let view = open(url).view
        Task {
            await becomesTrue { view.paintedFrames >= 10 }
            view.player.pause()
            await becomesTrue { view.player.state == .pause }
            let painted = view.paintedFrames
            view.player.seek(1)
            await becomesTrue { view.paintedFrames > painted }
            print("painted after a seek")
            GTKApplication.quit()
        }
    }

    /// Pauses, and counts what is painted while a second player paints fifty frames.
    private static func still(_ url: URL) {
        let view = open(url).view
        Task {
            await becomesTrue { view.paintedFrames >= 10 }
            view.player.pause()
            await becomesTrue { view.player.state == .pause }
            let other = open(url).view
            await becomesTrue { other.paintedFrames >= 10 }
            // The frame of the pause may have come meanwhile.
            let painted = view.paintedFrames
            await becomesTrue { other.paintedFrames >= 60 }
            print("painted", view.paintedFrames - painted)
            GTKApplication.quit()
        }
    }

    /// Opens the small window, and prints the message about it.
    private static func small(_ url: URL) {
        let view = open(url).view
        Task {
            await becomesTrue { view.paintedFrames >= 10 }
            view.setPictureInPicture(true)
            say("message \(view.controls.state.message ?? "none")")
            let painted = view.paintedFrames
            await becomesTrue { view.paintedFrames >= painted + 10 }
            say("small window \(view.isPictureInPicture)")
            GTKApplication.quit()
        }
    }

    /// Plays an item with a poster.
    private static func poster(_ url: URL, of poster: URL) {
        let window = GTKPlayerWindow(FlowplayerView(), title: "poster")
        window.present()
        var media = MediaExternal(url: url)
        media.metadata.artworkURL = poster
        // The server waits until a test has seen the poster.
        media.retryPolicy.openTimeout = .infinity
        window.view.player.autoPlay = true
        window.view.player.load(external: media)
    }

    /// Plays a clip, and then a song with a cover.
    private static func cover(_ song: URL, of cover: URL, after clip: URL) {
        let window = GTKPlayerWindow(FlowplayerView(), title: "cover")
        window.present()
        var media = MediaExternal(url: song)
        media.metadata.artworkURL = cover
        window.view.player.autoPlay = true
        window.view.player.load(queue: [MediaExternal(url: clip), media])
    }

    // MARK: Controls

    /// Plays a file, and prints each event but the positions.
    ///
    /// The key `w` allows frames for the seek bar from a server. The key `y` prints the bytes in use.
    ///
    /// - Parameters:
    ///   - option: the address of WebVTT thumbnails, `thin` for a configuration with a thin bar, or `waits` for an item that waits
    ///     for its server without an end.
    ///   - isPaused: `true` to pause as soon as the item plays.
    private static func play(_ url: URL, _ option: String, isPaused: Bool) {
        let view = open(url, waits: option == "waits").view
        if option.contains("://") { view.thumbnailTrack = { _ in address(option) } }
        view.onKey = { [weak view] key in
            switch key {
            case .character("w"): view?.allowsNetworkThumbnails = true
            case .character("y"): say("bytes \(Growth.bytesInUse)")
            default: return false
            }
            return true
        }
        let player = view.player
        if option == "thin" { player.controlsConfig = ControlsConfig.create().setUseThinControlBar(true).build() }
        player.defaultRate = 1
        player.attach(EventPrinter(isPaused: isPaused))
        player.viewDelegate = viewPrinter
        for name in [Notification.Name.flowplayerViewDidChangeFullscreen, .flowplayerViewDidChangeVisibility] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                say("\(name.rawValue) \($0.object.map { "\($0)" } ?? "")")
            }
        }
        for name in [
            ApplicationLifecycle.didEnterBackgroundNotification, ApplicationLifecycle.willEnterForegroundNotification,
        ] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                say(name.rawValue)
            }
        }
    }

    private final class EventPrinter: PlayerPlugin {
        private var isPaused: Bool

        init(isPaused: Bool = false) { self.isPaused = isPaused }

        func player(_ player: any FlowplayerAPI, didEmit event: PlayerEvent, snapshot: PlayerSnapshot) {
            if case .position = event { return }
            GTKProgram.say(event.text)
            if isPaused, snapshot.state == .play {
                isPaused = false
                player.pause()
            }
        }
    }

    private static let viewPrinter = ViewPrinter()

    private final class ViewPrinter: FlowplayerViewDelegate {
        func view(_ view: any FlowplayerViewAPI, didChangeFullscreen isFullscreen: Bool) {
            GTKProgram.say("full screen \(isFullscreen)")
        }

        func view(_ view: any FlowplayerViewAPI, didChangeViewVisibility isVisible: Bool) {
            GTKProgram.say("visible \(isVisible)")
        }
    }

    /// Prints a line that the test reads at once.
    nonisolated static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Shows hostile titles and messages, and resizes the window many times.
    private static func titles() {
        let window = GTKPlayerWindow(FlowplayerView())
        window.present()
        let texts = [
            "<b>bold</b> & <span foreground='red'>x</span>", "\u{202E}abc \u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202C}",
            String(repeating: "long ", count: 2000), "a\nb\u{0}c\u{1B}[31m", "_file_name", "%s%n%d",
        ]
        for text in texts {
            window.title = text
            window.view.controls.show(message: text)
            window.view.player.load(external: MediaExternal(url: URL(filePath: "/no/such/" + text.prefix(200))))
        }
        Task {
            await becomesTrue { window.view.player.state == .failure }
            print("survived")
            GTKApplication.quit()
        }
    }

    /// Opens what a user may drop: a thousand files that do not exist, an empty folder, and a folder with a clip.
    private static func files(_ folder: URL) {
        let window = GTKPlayerWindow(FlowplayerView())
        window.present()
        Task {
            await window.view.open((0..<2000).map { URL(filePath: "/no/such/\($0).mp4") })
            print("files", window.view.player.queue?.queue.items.count ?? 0)
            await window.view.open([folder.appending(path: "empty", directoryHint: .isDirectory)])
            print("message", window.view.controls.state.message ?? "")
            await window.view.open([folder])
            await becomesTrue { window.view.player.state == .play && window.view.paintedFrames > 0 }
            print("folder", window.view.player.queue?.queue.items.count ?? 0)
            GTKApplication.quit()
        }
    }

    /// Prints how much each repetition of an action costs: long titles, or a folder if there is one.
    private static func growth(_ folder: URL) {
        let window = GTKPlayerWindow(FlowplayerView())
        window.present()
        Task {
            if FileManager.default.fileExists(atPath: folder.path()) {
                await Growth.folders(window, folder)
            } else {
                await Growth.titles(window)
            }
        }
    }

    /// Prints what the user drops.
    private static func drop() {
        let window = GTKPlayerWindow(FlowplayerView(), title: "target", width: 500, height: 400)
        window.present()
        window.view.player.attach(EventPrinter())
        window.view.onDrop = { urls in
            say("dropped \(urls.count)")
            Task {
                await window.view.open(urls)
                let count = window.view.player.queue?.queue.items.count ?? 0
                say("queue \(count) \(window.view.controls.state.message ?? "")")
            }
        }
    }

    // MARK: Lifetime

    /// Closes a window during playback, while another one stays open.
    private static func close(_ url: URL) {
        GTKPlayerWindow(FlowplayerView(), title: "other").present()
        let center = NotificationCenter.default
        for name in [Notification.Name.flowplayerViewDidChangeVisibility, .flowplayerViewDidChangeLifecycle] {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                let value = notification.object.map { "\($0)" } ?? ""
                if value != "created" { print(name.rawValue, value) }
            }
        }
        weak var player: FlowplayerView?
        weak var view: GTKPlayerView?
        do {
            let window = open(url)
            (player, view) = (window.view.player, window.view)
        }
        Task {
            await becomesTrue { view.map { $0.paintedFrames >= 10 } ?? true }
            GTKApplication.openWindows.last?.close()
            await becomesTrue { player == nil && view == nil }
            print("released, open windows:", GTKApplication.openWindows.count)
            GTKApplication.openWindows.last?.close()
        }
    }

    /// Closes the last of three windows, which closes the others.
    private static func closeAll() {
        let windows = (1...3).map { GTKPlayerWindow(FlowplayerView(), title: "\($0)") }
        for window in windows { window.present() }
        windows[2].onClose = {
            windows[0].close()
            print("open windows:", GTKApplication.openWindows.map(\.title))
            GTKApplication.quit()
        }
        windows[2].close()
        print("open windows:", GTKApplication.openWindows.count)
    }

    private static func open(_ url: URL, waits: Bool = false) -> GTKPlayerWindow {
        let window = GTKPlayerWindow(FlowplayerView(), title: url.lastPathComponent)
        window.present()
        window.view.player.autoPlay = true
        var media = MediaExternal(url: url)
        if waits {
            media.retryPolicy.giveUpAfter = .infinity
            media.retryPolicy.openTimeout = .infinity
            media.retryPolicy.stallTimeout = .infinity
        }
        window.view.player.load(external: media)
        return window
    }

    /// Asks repeatedly until the answer is `true`.
    private static func becomesTrue(_ condition: @MainActor () -> Bool) async {
        while !condition() { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
#else
@main
struct GTKProgram {
    static func main() { exit(1) }
}
#endif
