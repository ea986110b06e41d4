import Foundation
import Playback

/// A player that shows its video.
///
/// Commands return at once. Their outcome is sent to the delegate, as notifications, as a stream and to plugins, in
/// this order. `close` ends the player. A view that nobody references any more closes its player too, unless the host keeps that.
///
/// ```swift
/// let view = FlowplayerView()
/// view.autoPlay = true
/// view.load(external: MediaExternal(url: URL(filePath: "/srv/clip.mp4")))
/// for await event in view.events() { print(event) }
/// ```
@preconcurrency @MainActor
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
        didSet { viewState.drawsControls = controlsConfig?.areControlsVisible ?? true }
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
    private var viewState = ViewState() {
        didSet {
            for report in viewState.reports(since: oldValue) { send(report) }
            guard viewState.isFullscreen != oldValue.isFullscreen else { return }
            let isFullscreen = viewState.isFullscreen
            afterEvents { [weak self] in self?.fullscreenObservers.notify { $0(isFullscreen) } }
        }
    }
    private var hasIntroducedItself = false
    /// The parts of the SDK that follow `isFullscreen`. They are called after the delegate and the notification.
    package let fullscreenObservers = Observers<@MainActor (Bool) -> Void>()

    /// - Parameters:
    ///   - backend: the engine, by the name under which `BackendRegistry.shared` knows it, as in `.named("vlc")`.
    ///     With an unknown one, every load fails with `backendUnavailable`, whose message lists the known ones.
    ///   - lifecycle: knows whether the host is in front.
    ///   - notificationCenter: where notifications are posted.
    public convenience init(
        backend: BackendName = .default, lifecycle: ApplicationLifecycle = .shared,
        notificationCenter: NotificationCenter = .default
    ) {
        self.init(
            avPlayer: QueuePlayer(backend: backend), lifecycle: lifecycle, notificationCenter: notificationCenter)
    }

    /// Shows a player that the host has made. It may have loaded an item already.
    public init(
        avPlayer: MediaPlayer, lifecycle: ApplicationLifecycle = .shared,
        notificationCenter: NotificationCenter = .default
    ) {
        super.init(player: avPlayer, notificationCenter: notificationCenter)
        // A host may have chosen an output for its player already.
        if case .none = player.videoOutput { updateVideoOutput() } else { videoOutput = player.videoOutput }
        // The delegate is called once there is one.
        send(HostReport(name: .flowplayerViewDidChangeLifecycle, value: ViewLifecycle.created) { _ in })
        background.follow(lifecycle) { [weak self] in
            guard let self else { return }
            background.reasonsChanged(for: player, isAttached: isAttached)
        }
    }

    isolated deinit {
        background.end()
        background.letGo(player)
        guard viewState.lifecycle != .destroyed else { return }
        viewDelegate?.viewWasDestroyed(playerID: id)
        notificationCenter.postWatched(
            name: .flowplayerViewDidChangeLifecycle, object: ViewLifecycle.destroyed,
            userInfo: [FlowplayerNotificationKey.playerID: id])
    }

    /// The destination of the video. The default is the backend's own window, if there is a display.
    ///
    /// You can set it at any time. See `MediaPlayer.videoOutput`.
    public var videoOutput: VideoOutput = .window {
        didSet { if isAttached { player.videoOutput = videoOutput } }
    }

    public override var avPlayer: MediaPlayer? {
        get { super.avPlayer }
        set {
            // If two hosts each restore the player that they have stored, the second one has stored `nil`.
            if newValue == nil, background.isComingBack { return }
            let predecessor = player
            if let newValue, newValue !== predecessor { background.handOver(to: newValue) }
            super.avPlayer = newValue
            if player !== predecessor {
                predecessor.videoOutput = .none
                background.letGo(predecessor)
            }
            updateVideoOutput()
        }
    }

    /// Shows or hides the video of the player.
    private func updateVideoOutput() {
        // A window is only the default: a backend that has none need not excuse itself.
        let isMissing = if case .window = videoOutput { !player.capabilities.can(.window) } else { false }
        if isAttached, !isMissing { player.videoOutput = videoOutput }
        player.isVideoAttached = isAttached
        if !isAttached { background.detached(player) }
    }

    // MARK: The view's state, set by the host or a view plugin

    public var isFullscreen: Bool { viewState.isFullscreen }
    public func openFullscreen() { viewState.setFullscreen(true) }
    public func closeFullscreen() { viewState.setFullscreen(false) }

    /// How the screen is turned. The host sets it.
    public var orientation: Orientation {
        get { viewState.orientation }
        set { viewState.setOrientation(newValue) }
    }

    public var orientationControlsFullscreen: Bool {
        get { viewState.orientationControlsFullscreen }
        set { viewState.orientationControlsFullscreen = newValue }
    }

    public var fullscreenControlsOrientation: Bool {
        get { viewState.fullscreenControlsOrientation }
        set { viewState.fullscreenControlsOrientation = newValue }
    }

    public var hideControls: Bool {
        get { viewState.hidesControls }
        set { viewState.hidesControls = newValue }
    }

    /// `true` if the controls are visible. The code that draws them sets it. Never `true` with `hideControls`.
    public var areControlsVisible: Bool {
        get { viewState.areControlsVisible }
        set { viewState.drawsControls = newValue }
    }

    /// `true` if the view is visible. The code that draws it sets it when its window is minimised, unmapped or covered.
    public var isVisible: Bool {
        get { viewState.isVisible }
        set { viewState.isVisible = newValue }
    }

    /// The lifecycle of the view. The code that draws it sets it when its window is closed for good.
    public var lifecycle: ViewLifecycle {
        get { viewState.lifecycle }
        set { viewState.lifecycle = newValue }
    }

    /// Reports that the view cannot show its content.
    public func reportError(_ error: (any Error)?) {
        send(
            HostReport(name: .flowplayerViewDidEncounterError, value: error) {
                $0.viewDelegate?.view($0, didEncounterError: error)
            })
    }

    private func send(_ report: HostReport<FlowplayerView>) {
        afterEvents { [weak self] in
            guard let self else { return }
            report.call(self)
            post(report.name, report.value)
        }
    }
}
