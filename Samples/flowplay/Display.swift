import FlowplayerSDK

/// The values in the status line.
struct Status: Equatable {
    var state: PlayerState
    /// The position, in seconds.
    var position: Double
    /// The duration in seconds, or `nil` if it is unknown.
    var duration: Double?
    /// The volume in `0...1`, or `nil` if muted.
    var volume: Double?
    var rate: Double
}

/// The output of a host.
@MainActor
protocol Display: AnyObject {
    /// `true` if the user can press keys.
    var wantsKeys: Bool { get }
    func begin(_ name: String)
    func show(_ status: Status, isNewState: Bool)
    /// Prints a message to standard error.
    func message(_ text: String)
    /// Stops drawing in the background, and resumes in the foreground.
    func setVisible(_ isVisible: Bool)
    /// Ends the output with a line feed. May be called more than once.
    func end()
}

extension Display {
    var wantsKeys: Bool { false }
    func begin(_ name: String) {}
    func message(_ text: String) { Messages.print(text) }
    func setVisible(_ isVisible: Bool) {}
    func end() {}
}

/// Prints messages only.
final class NoDisplay: Display {
    func show(_ status: Status, isNewState: Bool) {}
}

/// Prints one line for each change of state.
final class PlainDisplay: Display {
    private var name = ""

    func begin(_ name: String) { self.name = name }

    func show(_ status: Status, isNewState: Bool) {
        guard isNewState else { return }
        let times = [status.position, status.duration].compactMap { $0.map(StatusLine.time) }
        Messages.write("\(status.state.name)\t\(times.joined(separator: "/"))\t\(name)\n", to: 1)
    }
}

/// Draws a status line, which replaces the line before.
final class StatusDisplay: Display {
    let wantsKeys = true
    private var name = ""
    private var isDrawn = false
    private var isVisible = true

    func begin(_ name: String) { self.name = name }

    func show(_ status: Status, isNewState: Bool) {
        guard isVisible else { return }
        let line = StatusLine.text(status, name: name, columns: Terminal.columns)
        Messages.write("\r\(line)\u{1B}[K", to: 1)
        isDrawn = true
    }

    func message(_ text: String) {
        // The message replaces the status line, which is drawn again below it.
        if isDrawn { Messages.write("\r\u{1B}[K", to: 1) }
        isDrawn = false
        Messages.print(text)
    }

    func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        if !isVisible { end() }
    }

    func end() {
        guard isDrawn else { return }
        isDrawn = false
        Messages.write("\n", to: 1)
    }
}
