import FlowplayerTerminal
import Foundation
import PlayerControls

/// Reads keys from a terminal without line editing and echo. Ctrl-C remains a signal.
@MainActor
final class Terminal {
    /// Restores the screen after a crash.
    private let leaving: String
    /// The status line hides the cursor.
    private let hasStatusLine: Bool
    /// Shows the video; `nil` if another view does.
    private let screen: TerminalView?
    /// Called when the screen shows frames of another size.
    var onFrameSizeChange: @MainActor () -> Void = {}
    private let onKey: @MainActor (ControlsKey) -> Void
    private var saved = termios()
    private var isEntered = false
    private var source: (any DispatchSourceRead)?
    private var parser = KeyParser()

    init(
        leaving: String, hasStatusLine: Bool, screen: TerminalView?, onKey: @escaping @MainActor (ControlsKey) -> Void
    ) {
        setlocale(LC_CTYPE, "")
        self.hasStatusLine = hasStatusLine
        self.screen = screen
        self.onKey = onKey
        self.leaving = leaving
    }

    /// Switches the terminal to raw mode. Does so again if another program has changed the mode.
    func enter() {
        guard isEntered || tcgetattr(0, &saved) == 0 else { return }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        raw.c_cc.6 = 0  // VMIN
        raw.c_cc.5 = 0  // VTIME
        CrashGuard.arm(restoring: saved, leaving: leaving)
        isEntered = tcsetattr(0, TCSANOW, &raw) == 0
        if hasStatusLine { Messages.write("\u{1B}[?25l", to: 1) }
        if source == nil { readKeys() }
    }

    /// Restores the terminal.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        source?.cancel()
        source = nil
        CrashGuard.disarm()
        // In the background the settings belong to the shell.
        guard tcgetpgrp(0) == getpgrp() else { return }
        // An answer that arrives later would reach the shell.
        var state = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while screen?.isWaitingForAnswer == true, poll(&state, 1, 200) > 0, read() {}
        tcsetattr(0, TCSADRAIN, &saved)
        if hasStatusLine { Messages.write("\u{1B}[?25h", to: 1) }
    }

    private func readKeys() {
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { _ = self?.read() }
        }
        source.activate()
        self.source = source
    }

    /// - Returns: `false` if there is nothing to read.
    private func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Foundation.read(0, &bytes, bytes.count)
        guard count > 0 else {
            var state = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            // At a hang-up the source would fire without end.
            if poll(&state, 1, 0) > 0, state.revents & Int16(POLLHUP | POLLERR) != 0 { source?.cancel() }
            return false
        }
        let size = screen?.maximumFrameSize
        let keys = screen?.keys(in: bytes.prefix(count)) ?? Array(bytes.prefix(count))
        if screen?.maximumFrameSize != size { onFrameSizeChange() }
        for key in parser.keys(in: keys, at: ContinuousClock().hostTime) { onKey(key) }
        if parser.mayBeEscape { awaitEscape() }
        return true
    }

    private func awaitEscape() {
        Task { [weak self] in
            try await Task.sleep(for: KeyParser.sequenceTime)
            guard let self, parser.takeEscape(at: ContinuousClock().hostTime) else { return }
            onKey(.escape)
        }
    }
}
