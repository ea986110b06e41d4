import Foundation

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
        if isFullscreen { orientationBefore = orientation }
        guard fullscreenControlsOrientation else { return }
        if isFullscreen {
            if !orientation.isLandscape { orientation = .landscapeLeft }
        } else {
            orientation = orientationBefore ?? orientation
        }
    }

    mutating func setOrientation(_ orientation: Orientation) {
        guard orientation != self.orientation else { return }
        let entersFullscreen = orientationControlsFullscreen && orientation.isLandscape && !isFullscreen
        if entersFullscreen { orientationBefore = self.orientation }
        self.orientation = orientation
        if orientationControlsFullscreen { isFullscreen = orientation.isLandscape }
    }
}

extension ViewState {
    /// Returns the reports for a change from an earlier state, in sending order.
    @MainActor
    func reports(since old: ViewState) -> [HostReport<FlowplayerView>] {
        var reports: [HostReport<FlowplayerView>] = []
        func compare<Value: Equatable & Sendable>(
            _ property: KeyPath<ViewState, Value>, _ name: Notification.Name,
            _ call: @escaping @MainActor (any FlowplayerViewDelegate, any FlowplayerViewAPI, Value) -> Void
        ) {
            let value = self[keyPath: property]
            guard value != old[keyPath: property] else { return }
            reports.append(
                HostReport(name: name, value: value) { view in view.viewDelegate.map { call($0, view, value) } })
        }
        compare(\.lifecycle, .flowplayerViewDidChangeLifecycle) { $0.view($1, didChangeLifecycle: $2) }
        compare(\.isVisible, .flowplayerViewDidChangeVisibility) { $0.view($1, didChangeViewVisibility: $2) }
        compare(\.isFullscreen, .flowplayerViewDidChangeFullscreen) { $0.view($1, didChangeFullscreen: $2) }
        compare(\.areControlsVisible, .flowplayerViewDidChangeControlsVisibility) {
            $0.view($1, didChangeControlsVisibility: $2)
        }
        return reports
    }
}
