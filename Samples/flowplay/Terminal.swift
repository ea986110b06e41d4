import Foundation

/// The terminal in raw mode: keys come as they are pressed, Ctrl-C still is a signal.
@MainActor
final class Terminal {
    private let onKey: @MainActor (Key) -> Void
    private var saved = termios()
    private var isEntered = false
    private var source: (any DispatchSourceRead)?
    private var parser = KeyParser()

    init(onKey: @escaping @MainActor (Key) -> Void) {
        setlocale(LC_CTYPE, "")
        self.onKey = onKey
    }

    /// Also makes it raw again if somebody else has changed it in the meantime.
    func enter() {
        guard isEntered || tcgetattr(0, &saved) == 0 else { return }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        raw.c_cc.6 = 0  // VMIN
        raw.c_cc.5 = 0  // VTIME
        CrashGuard.arm(restoring: saved)
        isEntered = tcsetattr(0, TCSANOW, &raw) == 0
        // No cursor over the status line.
        Messages.write("\u{1B}[?25l", to: 1)
        if source == nil { readKeys() }
    }

    /// Keys are for whoever comes now.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        source?.cancel()
        source = nil
        CrashGuard.disarm()
        // Behind the shell the settings are the shell's.
        guard tcgetpgrp(0) == getpgrp() else { return }
        tcsetattr(0, TCSADRAIN, &saved)
        Messages.write("\u{1B}[?25h", to: 1)
    }

    private func readKeys() {
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.read() }
        }
        source.activate()
        self.source = source
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Foundation.read(0, &bytes, bytes.count)
        guard count > 0 else {
            var state = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            // Nothing will come any more, which could be read again and again.
            if poll(&state, 1, 0) > 0, state.revents & Int16(POLLHUP | POLLERR) != 0 { source?.cancel() }
            return
        }
        for key in parser.keys(in: bytes.prefix(count)) { onKey(key) }
    }

    /// The width of the terminal; 80 where it does not say.
    static var columns: Int {
        var size = winsize()
        return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
