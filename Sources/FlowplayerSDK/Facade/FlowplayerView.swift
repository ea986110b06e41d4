import Foundation

/// A player that shows its video.
///
/// Commands return at once. Their outcome is sent to the delegate, as notifications, as a stream and to plugins, in
/// this order. Dropping the last reference closes everything.
///
/// ```swift
/// let view = FlowplayerView()
/// view.autoPlay = true
/// view.load(external: MediaExternal(url: URL(filePath: "/srv/clip.mp4")))
/// for await event in view.events { print(event) }
/// ```
@MainActor
public final class FlowplayerView: FlowplayerFacade, FlowplayerViewAPI {
    /// The delegate of the view, which is first called with `created`. Not retained by the view.
    public weak var viewDelegate: (any FlowplayerViewDelegate)? {
        didSet {
            guard !hasIntroducedItself, viewDelegate != nil else { return }
            hasIntroducedItself = true
            afterEvents { [weak self] in self.map { $0.viewDelegate?.view($0, didChangeLifecycle: .created) } }
        }
    }
    /// Which controls a view draws, and how. Its `areControlsVisible` says whether they can be seen at first.
    public var controlsConfig: ControlsConfig? {
        didSet { change { $0.drawsControls = controlsConfig?.areControlsVisible ?? true } }
    }
    public var enableBackgroundPlayback: Bool {
        get { [.continueAudio, .continueVideo].contains(backgroundPolicy.standard) }
        set { backgroundPolicy.standard = newValue ? .continueAudio : .pause }
    }
    public var backgroundPolicy: BackgroundPolicy {
        get { background.policy }
        set { background.policy = newValue }
    }
    public var resumesAfterBackground: Bool {
        get { background.resumes }
        set { background.resumes = newValue }
    }

    private let background = ViewBackground()
    private var viewState = ViewState()
    private var hasIntroducedItself = false

    /// - Parameters:
    ///   - backend: the engine, by the name under which `BackendRegistry.shared` knows it. With an unknown one,
    ///     every load fails with `backendUnavailable`.
    ///   - lifecycle: knows whether the host is in front.
    ///   - notificationCenter: where notifications are posted.
    public init(
        backend: BackendName = .default, lifecycle: ApplicationLifecycle = .shared,
        notificationCenter: NotificationCenter = .default
    ) {
        super.init(player: QueuePlayer(backend: backend), notificationCenter: notificationCenter)
        begin(lifecycle)
    }

    /// Shows a player that the host has made.
    public init(
        avPlayer: MediaPlayer, lifecycle: ApplicationLifecycle = .shared,
        notificationCenter: NotificationCenter = .default
    ) {
        super.init(player: avPlayer, notificationCenter: notificationCenter)
        begin(lifecycle)
    }

    private func begin(_ lifecycle: ApplicationLifecycle) {
        // A host may have chosen an output for its player already.
        if case .none = player.videoOutput { placePicture() } else { videoOutput = player.videoOutput }
        tell(.lifecycle(.created))
        background.follow(lifecycle) { [weak self] reasons in
            guard let self else { return }
            background.change(to: reasons, for: player, isAttached: isAttached)
        }
    }

    isolated deinit {
        background.end()
        background.letGo(player)
        guard viewState.lifecycle != .destroyed else { return }
        notificationCenter.post(
            name: .flowplayerViewDidChangeLifecycle, object: ViewLifecycle.destroyed,
            userInfo: [FlowplayerNotificationKey.playerID: id])
    }

    /// The destination of the video: by default the backend's own window, if there is a display.
    public var videoOutput: VideoOutput = .window {
        didSet { if isAttached { player.videoOutput = videoOutput } }
    }

    override func placePicture() {
        // A window is only the default: a backend that has none need not excuse itself.
        let isMissing = if case .window = videoOutput { !player.capabilities.can(.window) } else { false }
        if isAttached, !isMissing { player.videoOutput = videoOutput }
        player.isPictureAttached = isAttached
        if !isAttached { background.detached(player) }
    }

    override var isComingBack: Bool { background.isComingBack }

    override func prepare(_ successor: MediaPlayer) { background.handOver(to: successor) }

    override func letGo(_ predecessor: MediaPlayer) {
        predecessor.videoOutput = .none
        background.letGo(predecessor)
    }

    // MARK: The view's state, set by the host or a view plugin

    public var isFullscreen: Bool { viewState.isFullscreen }
    public func openFullscreen() { change { $0.setFullscreen(true) } }
    public func closeFullscreen() { change { $0.setFullscreen(false) } }

    /// How the screen is turned. The host sets it.
    public var orientation: Orientation {
        get { viewState.orientation }
        set { change { $0.setOrientation(newValue) } }
    }

    public var orientationControlsFullscreen: Bool {
        get { viewState.orientationControlsFullscreen }
        set { change { $0.orientationControlsFullscreen = newValue } }
    }

    public var fullscreenControlsOrientation: Bool {
        get { viewState.fullscreenControlsOrientation }
        set { change { $0.fullscreenControlsOrientation = newValue } }
    }

    public var hideControls: Bool {
        get { viewState.hidesControls }
        set { change { $0.hidesControls = newValue } }
    }

    /// `true` if the controls are visible. The code that draws them sets it. Never `true` with `hideControls`.
    public var areControlsVisible: Bool {
        get { viewState.areControlsVisible }
        set { change { $0.drawsControls = newValue } }
    }

    /// `true` if the view is visible. The code that draws it sets it when its window is minimised, unmapped or covered.
    public var isVisible: Bool {
        get { viewState.isVisible }
        set { change { $0.isVisible = newValue } }
    }

    /// The lifecycle of the view. The code that draws it sets it when its window is closed for good.
    public var lifecycle: ViewLifecycle {
        get { viewState.lifecycle }
        set { change { $0.lifecycle = newValue } }
    }

    /// Reports that the view cannot show its content.
    public func reportError(_ error: (any Error)?) { tell(.error(error)) }

    private func change(_ change: (inout ViewState) -> Void) {
        let before = viewState
        change(&viewState)
        for event in ViewEvent.differences(from: before, to: viewState) { tell(event) }
    }

    private func tell(_ event: ViewEvent) {
        afterEvents { [weak self] in
            guard let self else { return }
            viewDelegate?.receive(event, from: self)
            let (name, object) = event.notification
            post(name, object)
        }
    }
}

extension FlowplayerViewDelegate {
    fileprivate func receive(_ event: ViewEvent, from view: any FlowplayerViewAPI) {
        switch event {
        case .lifecycle(let lifecycle): self.view(view, didChangeLifecycle: lifecycle)
        case .visibility(let isVisible): self.view(view, didChangeViewVisibility: isVisible)
        case .fullscreen(let isFullscreen): self.view(view, didChangeFullscreen: isFullscreen)
        case .controlsVisibility(let isVisible): self.view(view, didChangeControlsVisibility: isVisible)
        case .error(let error): self.view(view, didEncounterError: error)
        }
    }
}

extension ViewEvent {
    fileprivate var notification: (name: Notification.Name, object: Any?) {
        switch self {
        case .lifecycle(let lifecycle): (.flowplayerViewDidChangeLifecycle, lifecycle)
        case .visibility(let isVisible): (.flowplayerViewDidChangeVisibility, isVisible)
        case .fullscreen(let isFullscreen): (.flowplayerViewDidChangeFullscreen, isFullscreen)
        case .controlsVisibility(let isVisible): (.flowplayerViewDidChangeControlsVisibility, isVisible)
        case .error(let error): (.flowplayerViewDidEncounterError, error)
        }
    }
}
