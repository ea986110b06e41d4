import FlowplayerSDK

/// What people see of a player.
struct Status: Equatable {
    var state: PlayerState
    /// In seconds.
    var position: Double
    /// In seconds; `nil` while unknown.
    var duration: Double?
    /// In `0...1`; `nil` with the sound off.
    var volume: Double?
    var rate: Double
}

/// Where a host shows what happens.
@MainActor
protocol Display: AnyObject {
    /// Whether keys make sense with it.
    var wantsKeys: Bool { get }
    func begin(_ name: String)
    func show(_ status: Status, isNewState: Bool)
    /// A message to people, on standard error.
    func message(_ text: String)
    /// From here on nobody looks, until something is to be seen again.
    func setVisible(_ isVisible: Bool)
    /// Leaves the screen clean. May be called more than once.
    func end()
}

extension Display {
    var wantsKeys: Bool { false }
    func begin(_ name: String) {}
    func message(_ text: String) { Messages.tell(text) }
    func setVisible(_ isVisible: Bool) {}
    func end() {}
}

/// Shows nothing but messages.
final class NoDisplay: Display {
    func show(_ status: Status, isNewState: Bool) {}
}

/// One plain line a change of state.
final class PlainDisplay: Display {
    private var name = ""

    func begin(_ name: String) { self.name = name }

    func show(_ status: Status, isNewState: Bool) {
        guard isNewState else { return }
        let times = [status.position, status.duration].compactMap { $0.map(StatusLine.time) }
        Messages.write("\(status.state.name)\t\(times.joined(separator: "/"))\t\(name)\n", to: 1)
    }
}

/// One line, drawn anew in its place.
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
        // In place of the line, which is drawn again below.
        if isDrawn { Messages.write("\r\u{1B}[K", to: 1) }
        isDrawn = false
        Messages.tell(text)
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
