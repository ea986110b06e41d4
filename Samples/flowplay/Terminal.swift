import Foundation

/// The terminal in raw mode: keys come as they are pressed, Ctrl-C still is a signal.
@MainActor
final class Terminal {
    private var saved = termios()
    private var isRaw = false
    private let source: any DispatchSourceRead
    private var parser = KeyParser()

    init(onKey: @escaping @MainActor (Key) -> Void) {
        setlocale(LC_CTYPE, "")
        source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        enter()
        source.setEventHandler { [weak self, source] in
            MainActor.assumeIsolated {
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = read(0, &bytes, bytes.count)
                guard count > 0 else { return count == 0 ? source.cancel() : () }
                for key in self?.parser.keys(in: bytes.prefix(count)) ?? [] { onKey(key) }
            }
        }
        source.activate()
    }

    func enter() {
        guard !isRaw, tcgetattr(0, &saved) == 0 else { return }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        raw.c_cc.6 = 0  // VMIN
        raw.c_cc.5 = 0  // VTIME
        CrashGuard.arm(restoring: saved)
        isRaw = tcsetattr(0, TCSANOW, &raw) == 0
        // No cursor over the status line.
        Messages.write("\u{1B}[?25l", to: 1)
    }

    func leave() {
        guard isRaw else { return }
        isRaw = false
        tcsetattr(0, TCSADRAIN, &saved)
        CrashGuard.disarm()
        Messages.write("\u{1B}[?25h", to: 1)
    }

    /// The width of the terminal; 80 where it does not say.
    static var columns: Int {
        var size = winsize()
        return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
