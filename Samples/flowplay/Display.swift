import FlowplayerSDK
import FlowplayerTerminal
import PlayerControls

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
    /// The advertisement that plays in place of the item, like `Ad 1 of 3 · 0:12`.
    var ad: String?
    /// The places of breaks in the bar, in `0...1`.
    var adMarks: [Double] = []
    /// The filled part of the buffer in percent while playback waits for it; else `nil`.
    var loaded: Double?
}

extension Status {
    init(_ snapshot: PlayerSnapshot) {
        self.init(
            state: snapshot.state, position: snapshot.position, duration: snapshot.duration,
            volume: snapshot.isMuted ? nil : snapshot.volume,
            rate: snapshot.rate > 0 ? snapshot.rate : snapshot.defaultRate,
            ad: snapshot.advertisement.map { ControlsState.Ad($0) }.map {
                [$0.text, $0.countdown, $0.skip.map { _ in "Enter: skip" }].compactMap(\.self).joined(separator: " · ")
            },
            adMarks: SeekBar(snapshot).adMarks,
            loaded: [.load, .buffer].contains(snapshot.state) ? snapshot.bufferLevel.percentage : nil)
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
        /// Video, with a status line below it.
        case screen(TerminalView)
    }

    let style: Style
    /// The name of the item.
    var name = ""
    /// Replaces the name for a moment.
    var notice: String?
    /// The line in which the user types. It replaces the name.
    var prompt: String?
    /// The marks of the loop.
    var loop: String?
    /// Shows a message for a moment. Called while the screen shows video.
    var showMessage: @MainActor (String) -> Void = { _ in }
    /// `false` in the background, where nothing is drawn.
    var isVisible = true {
        didSet { if isVisible { begin() } else { end() } }
    }
    private var isDrawn = false
    /// The messages that are printed when the video has left the screen.
    private var messages: [String] = []
    private static let mostMessages = 100

    init(_ style: Style) { self.style = style }

    /// `true` if there is a status line.
    var hasStatusLine: Bool {
        switch style {
        case .messages, .lines: false
        case .statusLine, .screen: true
        }
    }

    /// The bytes that restore the screen after a crash.
    var leaving: String { if case .screen = style { TerminalView.leaveSequence } else { "\u{1B}[?25h\n" } }

    /// Shows the video on the screen, if there is any.
    func begin() {
        guard case .screen(let view) = style else { return }
        view.enter()
        isDrawn = true
    }

    func show(_ status: Status, isNewState: Bool) {
        let columns = TerminalSize.of(1).columns
        switch style {
        case .lines where isNewState:
            let times = [status.position, status.duration].compactMap { $0.map(TimeText.clock) }
            let state = status.ad == nil ? status.state.name : "ads"
            Messages.write("\(state)\t\(times.joined(separator: "/"))\t\(status.ad ?? name)\n", to: 1)
        case .statusLine where isVisible:
            Messages.write("\r\(line(status, columns))\u{1B}[K", to: 1)
            isDrawn = true
        case .screen(let view):
            view.show(status: line(status, columns))
        default: break
        }
    }

    private func line(_ status: Status, _ columns: Int) -> String {
        let named = [loop, name].compactMap(\.self).joined(separator: "  ")
        // The bar leaves space for a name, which the prompt replaces.
        return StatusLine.text(status, name: prompt ?? named, notice: prompt ?? notice, columns: columns)
    }

    /// Prints a message to standard error. It replaces the status line, which is drawn again below it. While the screen
    /// shows video, the message is shown there, and printed later.
    func message(_ text: String) {
        if case .screen = style, isDrawn {
            messages = messages.suffix(Self.mostMessages - 1) + [text]
            return showMessage(text)
        }
        if isDrawn { Messages.write("\r\u{1B}[K", to: 1) }
        isDrawn = false
        Messages.print(text)
    }

    /// Ends the status line with a line feed, or leaves the screen. May be called more than once.
    func end() {
        guard isDrawn else { return }
        isDrawn = false
        guard case .screen(let view) = style else { return Messages.write("\n", to: 1) }
        view.leave()
        for message in messages { Messages.print(message) }
        messages = []
    }
}
