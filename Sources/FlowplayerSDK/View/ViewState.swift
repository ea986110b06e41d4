/// The lifecycle of a view.
public enum ViewLifecycle: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The view was created.
    case created
    /// The view was destroyed.
    case destroyed
}

/// The orientation of a screen.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Portrait.
    case portrait
    /// Portrait, upside down.
    case portraitUpsideDown
    /// Landscape, rotated to the right.
    case landscapeRight
    /// Landscape, rotated to the left.
    case landscapeLeft

    /// `true` for both landscape orientations.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// The state of a view, and the rules for its changes.
struct ViewState: Equatable {
    private(set) var isFullscreen = false
    private(set) var orientation = Orientation.landscapeLeft
    private var orientationBefore: Orientation?
    var orientationControlsFullscreen = false
    var fullscreenControlsOrientation = false
    var hidesControls = false
    /// `true` if the view draws its controls, unless they are hidden.
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

/// A change of a view.
enum ViewEvent {
    case lifecycle(ViewLifecycle)
    case visibility(Bool)
    case fullscreen(Bool)
    case controlsVisibility(Bool)
    case error((any Error)?)

    /// Returns the events for a change between two states, in sending order.
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
