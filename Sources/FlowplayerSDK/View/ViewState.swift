/// Everything that an observer may read about a view at one instant, and the rules by which it changes.
struct ViewState: Equatable {
    private(set) var isFullscreen = false
    private(set) var orientation = Orientation.landscapeLeft
    private var orientationBefore: Orientation?
    var orientationControlsFullscreen = false
    var fullscreenControlsOrientation = false
    var hidesControls = false
    /// Whether the view draws controls now, so far as they are not hidden.
    var drawsControls = true
    var isVisible = true
    var lifecycle = ViewLifecycle.created

    var areControlsVisible: Bool { drawsControls && !hidesControls }

    mutating func setFullscreen(_ isFullscreen: Bool) {
        guard isFullscreen != self.isFullscreen else { return }
        self.isFullscreen = isFullscreen
        guard fullscreenControlsOrientation else { return }
        if isFullscreen {
            orientationBefore = orientation
            if !orientation.isLandscape { orientation = .landscapeLeft }
        } else {
            orientation = orientationBefore ?? orientation
        }
    }

    mutating func setOrientation(_ orientation: Orientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        if orientationControlsFullscreen { isFullscreen = orientation.isLandscape }
    }
}

/// One change of a view, as its observers are told.
enum ViewEvent {
    case lifecycle(ViewLifecycle)
    case visibility(Bool)
    case fullscreen(Bool)
    case controlsVisibility(Bool)
    case error((any Error)?)

    /// What an observer is told when one state follows another, in this order.
    static func differences(from old: ViewState, to new: ViewState) -> [ViewEvent] {
        var events: [ViewEvent] = []
        if old.lifecycle != new.lifecycle { events.append(.lifecycle(new.lifecycle)) }
        if old.isVisible != new.isVisible { events.append(.visibility(new.isVisible)) }
        if old.isFullscreen != new.isFullscreen { events.append(.fullscreen(new.isFullscreen)) }
        if old.areControlsVisible != new.areControlsVisible {
            events.append(.controlsVisibility(new.areControlsVisible))
        }
        return events
    }
}
