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
    /// The rate, or the rate of `play()` while paused.
    var rate: Double
}

extension Status {
    init(_ snapshot: PlayerSnapshot) {
        self.init(
            state: snapshot.state, position: snapshot.position, duration: snapshot.duration,
            volume: snapshot.isMuted ? nil : snapshot.volume,
            rate: snapshot.rate > 0 ? snapshot.rate : snapshot.defaultRate)
    }
}

/// The output of a host, except event logs.
@MainActor
final class Display {
    enum Style {
        /// Messages only.
        case messages
        /// One line for each change of state.
        case lines
        /// A status line, which replaces the line before.
        case statusLine
    }

    let style: Style
    /// The name of the item.
    var name = ""
    /// `false` in the background, where no status line is drawn.
    var isVisible = true {
        didSet { if !isVisible { end() } }
    }
    private var isDrawn = false

    init(_ style: Style) { self.style = style }

    func show(_ status: Status, isNewState: Bool) {
        switch style {
        case .lines where isNewState:
            let times = [status.position, status.duration].compactMap { $0.map(StatusLine.time) }
            Messages.write("\(status.state.name)\t\(times.joined(separator: "/"))\t\(name)\n", to: 1)
        case .statusLine where isVisible:
            let line = StatusLine.text(status, name: name, columns: Terminal.columns)
            Messages.write("\r\(line)\u{1B}[K", to: 1)
            isDrawn = true
        default: break
        }
    }

    /// Prints a message to standard error. It replaces the status line, which is drawn again below it.
    func message(_ text: String) {
        if isDrawn { Messages.write("\r\u{1B}[K", to: 1) }
        isDrawn = false
        Messages.print(text)
    }

    /// Ends the status line with a line feed. May be called more than once.
    func end() {
        guard isDrawn else { return }
        isDrawn = false
        Messages.write("\n", to: 1)
    }
}
