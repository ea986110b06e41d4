/// Decides whether controls are visible.
///
/// They appear when the pointer moves, and hide 3 s later. They stay while something holds them. Keys do not reveal them,
/// because a key shows a message. Times are those of any clock that does not run backwards.
public struct AutoHide: Hashable, Sendable {
    /// A reason to keep the controls visible.
    public enum Hold: Hashable, Sendable, CaseIterable {
        /// Playback is not wanted.
        case paused
        /// Playback failed.
        case error
        /// A menu or popover is open.
        case menuOpen
        /// The pointer is over the controls.
        case pointerOverControls
        /// The user has moved the focus to a control by keyboard.
        case keyboardFocus
        /// The user drags the handle of the seek bar.
        case dragging
        /// A screen reader is in use.
        case screenReader
    }

    /// The time between the last movement and the moment when the controls hide.
    public static let delay = Duration.seconds(3)

    /// The current reasons to keep the controls visible.
    public private(set) var holds: Set<Hold> = []
    private var hidesAt: Duration?
    private var pointer: Point?

    private struct Point: Hashable {
        let x: Double
        let y: Double
    }

    /// Hidden controls that nothing holds.
    public init() {}

    /// When the controls hide; `nil` while something holds them, and while they are hidden for good.
    public var deadline: Duration? { holds.isEmpty ? hidesAt : nil }

    /// Returns `true` if the controls are visible.
    public func isVisible(at time: Duration) -> Bool { !holds.isEmpty || hidesAt.map { time < $0 } ?? false }

    /// Shows the controls, and hides them after the delay.
    public mutating func reveal(at time: Duration) { hidesAt = time + Self.delay }

    /// Shows the controls if the pointer has moved.
    ///
    /// A motion to the same place is ignored: toolkits send one when the view below the pointer redraws. So is the first
    /// one after `pointerLeft`, which may come from a window that has moved.
    public mutating func pointerMoved(x: Double, y: Double, at time: Duration) {
        let point = Point(x: x, y: y)
        defer { pointer = point }
        if let pointer, pointer != point { reveal(at: time) }
    }

    /// Forgets the pointer, which has left the view. Call this too when the view changes its size.
    public mutating func pointerLeft() { pointer = nil }

    /// Sets or removes a reason to keep the controls visible. They hide after the delay once the last one is removed.
    public mutating func hold(_ hold: Hold, _ isHeld: Bool, at time: Duration) {
        guard holds.contains(hold) != isHeld else { return }
        if isHeld {
            holds.insert(hold)
        } else {
            holds.remove(hold)
            if holds.isEmpty { reveal(at: time) }
        }
    }
}
