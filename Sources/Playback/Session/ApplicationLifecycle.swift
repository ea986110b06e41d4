import Foundation

/// Keeps the reasons for which the host is in the background.
///
/// ```swift
/// ApplicationLifecycle.shared.enterBackground(.hidden)    // the window was minimised
/// ApplicationLifecycle.shared.leaveBackground(.hidden)
/// ```
///
/// Without a reason the host is in the foreground. Each change is reported once: to the delegates, as a notification
/// and to the streams. Players act on it after that, so the host's own handlers come first.
@preconcurrency @MainActor
public final class ApplicationLifecycle {
    /// A change between foreground and background.
    public enum Transition: Hashable, Sendable {
        /// There is a reason now.
        case didEnterBackground
        /// There is no reason any more.
        case willEnterForeground
    }

    /// The lifecycle of the process.
    public static let shared = ApplicationLifecycle()

    /// Posted with the lifecycle as its object when the host leaves the foreground.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "flowplayerApplicationDidEnterBackground")
    /// Posted with the lifecycle as its object when the host returns to the foreground.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "flowplayerApplicationWillEnterForeground")

    /// The reasons why the host is in the background; empty in the foreground.
    public private(set) var reasons: Set<BackgroundReason> = []
    /// Called first. Not retained.
    public weak var applicationDelegate: (any ApplicationLifecycleDelegate)?
    /// Called second. Not retained.
    public weak var sceneDelegate: (any SceneLifecycleDelegate)?

    private let notificationCenter: NotificationCenter
    private let streams = Observers<AsyncStream<Transition>.Continuation>()
    private let sources = Observers<any LifecycleSource>()
    private let followers = Observers<@MainActor (Set<BackgroundReason>) -> Void>()
    /// The reasons that the followers know.
    private var followedReasons: Set<BackgroundReason> = []
    private let deliveries = DeliveryQueue()

    /// A separate lifecycle, for tests and for hosts with several.
    ///
    /// - Parameter notificationCenter: the center of the notifications.
    public init(notificationCenter: NotificationCenter = .default) {
        self.notificationCenter = notificationCenter
    }

    isolated deinit {
        for stream in streams.all { stream.finish() }
    }

    /// `true` if there is a reason.
    public var isInBackground: Bool { !reasons.isEmpty }

    // MARK: Reasons

    /// Adds a reason. A reason that is there already changes nothing.
    public func enterBackground(_ reason: BackgroundReason = .hidden) { change { $0.insert(reason) } }

    /// Removes a reason. Without effect if it is not there.
    public func leaveBackground(_ reason: BackgroundReason) { change { $0.remove(reason) } }

    /// Removes all reasons.
    public func leaveBackground() { change { $0 = [] } }

    /// Follows a source of reasons until the token is cancelled, also if you release the token. Then its reasons end.
    @discardableResult
    public func add(_ source: any LifecycleSource) -> ObservationToken {
        let changes = source.changes
        let task = Task { [weak self] in
            var given: Set<BackgroundReason> = []
            for await change in changes {
                switch change {
                case .began(let reason):
                    given.insert(reason)
                    self?.enterBackground(reason)
                case .ended(let reason):
                    given.remove(reason)
                    self?.leaveBackground(reason)
                }
            }
            self?.change { $0.subtract(given) }
        }
        return sources.addPermanently(source) { task.cancel() }
    }

    private func change(_ change: (inout Set<BackgroundReason>) -> Void) {
        let before = reasons
        change(&reasons)
        guard reasons != before else { return }
        deliveries.add { [self, reasons] in deliver(reasons, after: before) }
    }

    // MARK: Observation

    /// Every change between foreground and background from now on. Each access makes a new stream.
    public var transitions: AsyncStream<Transition> {
        let (stream, continuation) = AsyncStream<Transition>.makeStream()
        let token = streams.add(continuation)
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        return stream
    }

    /// Calls the handler with the reasons, now and after each change, once delegates, notifications and streams have
    /// it.
    package func follow(_ handler: @escaping @MainActor (Set<BackgroundReason>) -> Void) -> ObservationToken {
        let token = followers.add(handler)
        handler(followedReasons)
        return token
    }

    private func deliver(_ reasons: Set<BackgroundReason>, after before: Set<BackgroundReason>) {
        if before.isEmpty != reasons.isEmpty { deliver(reasons.isEmpty ? .willEnterForeground : .didEnterBackground) }
        followedReasons = reasons
        followers.notify { $0(reasons) }
    }

    private func deliver(_ transition: Transition) {
        switch transition {
        case .didEnterBackground:
            applicationDelegate?.applicationDidEnterBackground(self)
            sceneDelegate?.sceneDidEnterBackground(self)
            notificationCenter.postWatched(name: Self.didEnterBackgroundNotification, object: self)
        case .willEnterForeground:
            applicationDelegate?.applicationWillEnterForeground(self)
            sceneDelegate?.sceneWillEnterForeground(self)
            notificationCenter.postWatched(name: Self.willEnterForegroundNotification, object: self)
        }
        streams.notify { $0.yield(transition) }
    }
}

/// Detects when a host enters and leaves the background.
///
/// ```swift
/// let token = ApplicationLifecycle.shared.add(LogindSource())
/// ```
public protocol LifecycleSource: Sendable {
    /// The reasons that begin and end from now on. Each access makes a new stream. The end of a stream ends its
    /// reasons.
    var changes: AsyncStream<LifecycleChange> { get }
}

/// One reason begins or ends.
public enum LifecycleChange: Hashable, Sendable {
    /// The host is in the background for this reason.
    case began(BackgroundReason)
    /// The reason has ended.
    case ended(BackgroundReason)
}

/// Receives changes of the lifecycle, like an application delegate on other platforms.
@preconcurrency @MainActor
public protocol ApplicationLifecycleDelegate: AnyObject, Sendable {
    /// The host has left the foreground. Players act on it after this.
    func applicationDidEnterBackground(_ application: ApplicationLifecycle)
    /// The host returns to the foreground. Players act on it after this.
    func applicationWillEnterForeground(_ application: ApplicationLifecycle)
}

extension ApplicationLifecycleDelegate {
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: ApplicationLifecycle) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: ApplicationLifecycle) {}
}

/// Receives changes of the lifecycle, like a scene delegate on other platforms.
@preconcurrency @MainActor
public protocol SceneLifecycleDelegate: AnyObject, Sendable {
    /// The host has left the foreground. Players act on it after this.
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle)
    /// The host returns to the foreground. Players act on it after this.
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle)
}

extension SceneLifecycleDelegate {
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: ApplicationLifecycle) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: ApplicationLifecycle) {}
}
