import FlowplayerSDK
import Foundation
import Playback

/// The controls of a view, without a toolkit.
///
/// A view that draws controls uses the model as follows:
///
/// 1. It creates a `ControlsModel` for its `FlowplayerView`, and sets `onChange`.
/// 2. In `onChange` it draws the state: buttons, menus, labels and the seek bar. A value of `nil` is a control that is absent.
///    It obeys `areVisible`, `isPointerHidden`, `showsSpinner`, `message`, `prompt` and `keyList`.
/// 3. It passes the input of the user on: `perform(_:)` for buttons and menus, `press(_:)` for keys, `pointerMoved(x:y:)`
///    and `pointerLeft()` for the pointer, `drag(to:)`, `endDrag()` and `cancelDrag()` for the handle of the seek bar.
/// 4. It calls `hold(_:_:)` when a menu opens, when the pointer enters the controls, and when they receive the focus.
/// 5. With each frame it calls `update()`, but only while `state.areVisible && state.isAdvancing`. Everything else that
///    changes, also with time, arrives in `onChange`.
/// 6. It enters or leaves full screen when the `FlowplayerView` reports it. It sets `onPictureInPicture` if it can open a
///    small window, and `isPictureInPicture` when that has opened or closed.
///
/// ```swift
/// let model = ControlsModel(view: view)
/// model.onChange = { state in bar.draw(state) }
/// bar.playButton.clicked = { if let play = model.state.play { model.perform(play.action) } }
/// window.keyPressed = { key in model.press(key) }
/// ```
@MainActor
public final class ControlsModel {
    /// How long the player waits before the spinner appears.
    public static let spinnerDelay = Duration.milliseconds(300)
    /// How long a message is shown.
    public static let messageLength = Duration.milliseconds(1500)

    /// The current state of the controls.
    public private(set) var state: ControlsState
    /// Called on the main actor after each change of `state`.
    public var onChange: (@MainActor (ControlsState) -> Void)?
    /// The actions of keys.
    public var keyMap: KeyMap {
        didSet { update() }
    }
    /// `true` if the view can fill the screen. Default: `true`.
    public var offersFullscreen = true {
        didSet { update() }
    }
    /// Opens or closes the picture-in-picture window. `nil`, the default, if the view has none.
    public var onPictureInPicture: (@MainActor (_ isOpen: Bool) -> Void)? {
        didSet { update() }
    }
    /// `true` while the picture-in-picture window is open. The view sets it.
    public var isPictureInPicture = false {
        didSet { update() }
    }

    private let view: FlowplayerView
    private let clock: any PlaybackClock
    private var autoHide = AutoHide()
    private var drag: SeekDrag?
    private var waitingSince: Duration?
    private var message: (text: String, endsAt: Duration)?
    private var entry: TimeEntry?
    private var showsKeyList = false
    /// The start of a loop without an end, in seconds, and the number of its item.
    private var loopStart: (item: Int, seconds: Double)?
    private var timer: (deadline: Duration, token: ObservationToken)?
    private var observations: [ObservationToken] = []

    /// Creates the controls of a view.
    ///
    /// - Parameters:
    ///   - view: the view. The model keeps it.
    ///   - keyMap: the actions of keys.
    ///   - clock: measures the times until controls hide and messages end.
    public init(view: FlowplayerView, keyMap: KeyMap = .standard, clock: any PlaybackClock = ContinuousClock()) {
        self.view = view
        self.keyMap = keyMap
        self.clock = clock
        state = ControlsState(view.snapshot)
        update()
        observations = [
            view.observe(\.self) { [weak self] _, _ in self?.update() },
            view.fullscreenObservers.add { [weak self] _ in self?.update() },
        ]
    }

    // MARK: Input

    /// Performs an action, for a button or a menu.
    public func perform(_ action: ControlsAction) { _ = run(action) }

    /// Performs the action of a key, and shows a message about it. While the user types a time, all keys belong to it.
    ///
    /// - Returns: `false` if the key has no action, or one that the view does not offer.
    @discardableResult
    public func press(_ key: ControlsKey) -> Bool {
        if entry != nil {
            type(key)
            return true
        }
        guard let action = keyMap[key], isSupported(action) else { return false }
        if let text = run(action) { show(message: text) }
        return true
    }

    /// Shows a message for a moment.
    public func show(message text: String) {
        message = (text, clock.hostTime + Self.messageLength)
        update()
    }

    /// Shows the controls if the pointer has moved. Coordinates are those of the view, in any unit.
    public func pointerMoved(x: Double, y: Double) {
        autoHide.pointerMoved(x: x, y: y, at: clock.hostTime)
        update()
    }

    /// Shows the controls for a while, for example after a touch.
    public func reveal() {
        autoHide.reveal(at: clock.hostTime)
        update()
    }

    /// The pointer has left the view, or the view has another size.
    public func pointerLeft() {
        autoHide.pointerLeft()
        hold(.pointerOverControls, false)
    }

    /// Sets or removes a reason to keep the controls visible. The model handles `paused`, `error` and `dragging`.
    public func hold(_ hold: AutoHide.Hold, _ isHeld: Bool) {
        autoHide.hold(hold, isHeld, at: clock.hostTime)
        update()
    }

    /// Moves the handle of the seek bar to a place. The player follows at most 10 times a second, and in an item with breaks
    /// for advertisements only at the end.
    ///
    /// Ignored while the bar is disabled.
    ///
    /// - Parameter fraction: in `0...1`; other values are clamped.
    public func drag(to fraction: Double) {
        guard state.seekBar.isEnabled else { return }
        let target = state.seekBar.seconds(at: fraction)
        // A seek on the way would begin a break.
        if drag == nil { drag = SeekDrag(target: target, seeksOnlyAtEnd: !view.snapshot.adBreaks.isEmpty) }
        drag?.move(to: target)
        update()
    }

    /// Releases the handle of the seek bar. The player seeks to the target.
    public func endDrag() {
        guard let target = drag?.target else { return }
        drag = nil
        view.seek(target)
        update()
    }

    /// Releases the handle without a last seek, for a gesture that the toolkit has cancelled.
    public func cancelDrag() {
        drag = nil
        update()
    }

    // MARK: State

    /// Brings the state up to date, and calls `onChange` if it has changed.
    public func update() {
        let now = clock.hostTime
        let snapshot = view.snapshot
        if let target = drag?.takeSeek(at: now) { view.seek(to: target, tolerance: .keyframe) }

        var viewState = ControlsState.View()
        viewState.offersFullscreen = offersFullscreen
        viewState.isFullscreen = view.isFullscreen
        viewState.offersPictureInPicture = onPictureInPicture != nil
        viewState.isPictureInPicture = isPictureInPicture
        var state = ControlsState(
            snapshot, position: view.position?.seconds, config: view.controlsConfig, view: viewState)

        autoHide.hold(.paused, !snapshot.isPlaybackWanted, at: now)
        autoHide.hold(.error, snapshot.error != nil, at: now)
        autoHide.hold(.dragging, drag != nil, at: now)
        let isActive = autoHide.isVisible(at: now)
        state.isPointerHidden = !isActive
        state.areAllowed = !view.hideControls && view.controlsConfig?.areControlsVisible != false
        state.areVisible = isActive && state.areAllowed

        waitingSince = state.isWaiting ? waitingSince ?? now : nil
        state.showsSpinner = waitingSince.map { now >= $0 + Self.spinnerDelay } ?? false
        if let message, now >= message.endsAt { self.message = nil }
        state.message = message?.text
        state.prompt = entry?.prompt
        state.loop = loopText
        state.keyList = showsKeyList ? keyMap.rows(where: isSupported) : nil
        state.dragTarget = drag?.target
        wake(after: now)

        guard state != self.state else { return }
        self.state = state
        view.areControlsVisible = state.areVisible
        onChange?(state)
    }

    /// Schedules the next update that is due with time.
    private func wake(after now: Duration) {
        let spinner = waitingSince.map { $0 + Self.spinnerDelay }
        let deadlines = [autoHide.deadline, spinner, message?.endsAt, drag?.deadline].compactMap(\.self)
        let deadline = deadlines.filter { $0 > now }.min()
        guard deadline != timer?.deadline else { return }
        timer = deadline.map { deadline in
            (deadline, clock.schedule(at: deadline) { [weak self] in self?.timerFired() })
        }
    }

    private func timerFired() {
        timer = nil
        update()
    }

    // MARK: Actions

    private func run(_ action: ControlsAction) -> String? {
        switch action {
        case .togglePictureInPicture: onPictureInPicture?(!isPictureInPicture)
        case .toggleKeyList: showsKeyList.toggle()
        case .escape: escape()
        case .enterTime:
            guard view.snapshot.isUserSeekable else { return Self.notSeekable }
            entry = TimeEntry()
        case .markLoop:
            let text = markLoop()
            update()
            return text
        default:
            let text = action.perform(on: view)
            update()
            return text
        }
        update()
        return nil
    }

    private static let notSeekable = "Seeking is not possible"

    private func type(_ key: ControlsKey) {
        switch entry?.press(key) {
        case .finished(let text):
            entry = nil
            show(message: seek(to: text))
        case .cancelled: entry = nil
        case .typing, nil: break
        }
        update()
    }

    private func seek(to text: String) -> String {
        guard let position = WrittenPosition(text) else { return "\(text) is not a time: type 90, 1:30 or 50%" }
        guard let duration = view.snapshot.duration ?? (position.needsDuration ? nil : 0) else {
            return "The duration is unknown: type 90 or 1:30"
        }
        return ControlsAction.seek(to: position.seconds(in: duration)).perform(on: view) ?? Self.notSeekable
    }

    private func markLoop() -> String? {
        let snapshot = view.snapshot
        guard snapshot.isUserSeekable, let item = snapshot.item?.number, let position = view.position?.seconds else {
            return nil
        }
        if snapshot.loop != nil {
            view.loop = nil
            return "Loop off"
        }
        guard let start = loopStart, start.item == item, start.seconds != position else {
            loopStart = (item, position)
            return "Loop from \(TimeText.clock(position))"
        }
        loopStart = nil
        view.loop = min(start.seconds, position)...max(start.seconds, position)
        return "Loop to \(TimeText.clock(position))"
    }

    private var loopText: String? {
        let snapshot = view.snapshot
        if let loop = snapshot.loop {
            return "A \(TimeText.clock(loop.lowerBound)) B \(TimeText.clock(loop.upperBound))"
        }
        guard let loopStart, loopStart.item == snapshot.item?.number else { return nil }
        return "A \(TimeText.clock(loopStart.seconds))"
    }

    private func escape() {
        if showsKeyList {
            showsKeyList = false
        } else if view.isFullscreen {
            view.closeFullscreen()
        } else if isPictureInPicture {
            onPictureInPicture?(false)
        }
    }

    private func isSupported(_ action: ControlsAction) -> Bool {
        switch action {
        case .toggleFullscreen: offersFullscreen
        case .togglePictureInPicture: onPictureInPicture != nil
        case .nextItem, .previousItem: view.snapshot.queue.items.count > 1
        case .changeSubtitleDelay: !view.subtitleList.isEmpty
        case .skipChapters: !view.snapshot.metadata.chapters.isEmpty
        case .skipAd: view.snapshot.advertisement?.canSkip == true
        case .clickAd: view.snapshot.advertisement?.clickThrough != nil
        default: true
        }
    }
}
