import Foundation

/// Knows whether the host is in front, and if not, why.
///
/// ```swift
/// ApplicationLifecycle.shared.enterBackground(.hidden)    // the window was minimised
/// ApplicationLifecycle.shared.leaveBackground(.hidden)
/// ```
///
/// Without a reason the host is in the foreground. That a reason comes or goes is told once: to the delegates, as a
/// notification and to the streams. Only then do players act on it, so a host's own handlers come first.
@MainActor
public final class ApplicationLifecycle {
    /// A change between foreground and background.
    public enum Transition: Hashable, Sendable {
        /// There is a reason now.
        case didEnterBackground
        /// There is no reason any more.
        case willEnterForeground
    }

    /// The one of this process.
    public static let shared = ApplicationLifecycle()

    /// Posted with the lifecycle as its object when the host leaves the foreground.
    public static let didEnterBackgroundNotification = Notification.Name("flowplayerApplicationDidEnterBackground")
    /// Posted with the lifecycle as its object when the host comes back.
    public static let willEnterForegroundNotification = Notification.Name("flowplayerApplicationWillEnterForeground")

    /// Why the host is not in front; empty in the foreground.
    public private(set) var reasons: Set<BackgroundReason> = []
    /// Is told first. Not kept alive.
    public weak var applicationDelegate: (any ApplicationLifecycleDelegate)?
    /// Is told second. Not kept alive.
    public weak var sceneDelegate: (any SceneLifecycleDelegate)?

    private let notificationCenter: NotificationCenter
    private var continuations: [Int: AsyncStream<Transition>.Continuation] = [:]
    private var lastStream = 0
    private let followers = Observers<@MainActor (Set<BackgroundReason>) -> Void>()
    /// The reasons that the followers know.
    private var followedReasons: Set<BackgroundReason> = []
    private let deliveries = DeliveryQueue()

    /// A lifecycle of its own, for tests and for hosts with several.
    ///
    /// - Parameter notificationCenter: where notifications are posted.
    public init(notificationCenter: NotificationCenter = .default) {
        self.notificationCenter = notificationCenter
    }

    isolated deinit {
        for continuation in continuations.values { continuation.finish() }
    }

    /// Whether there is a reason.
    public var isInBackground: Bool { !reasons.isEmpty }

    // MARK: Who says it

    /// The host is not in front, for this reason too. Saying it twice is harmless.
    public func enterBackground(_ reason: BackgroundReason = .hidden) { change { $0.insert(reason) } }

    /// This reason holds no longer. Without effect if it did not hold.
    public func leaveBackground(_ reason: BackgroundReason) { change { $0.remove(reason) } }

    /// No reason holds any longer.
    public func leaveBackground() { change { $0 = [] } }

    /// Believes a source until the token is cancelled; what it has said ends with it.
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
        return ObservationToken { task.cancel() }
    }

    private func change(_ change: (inout Set<BackgroundReason>) -> Void) {
        let before = reasons
        change(&reasons)
        guard reasons != before else { return }
        deliveries.add { [self, reasons] in deliver(reasons, after: before) }
    }

    // MARK: Who is told

    /// Every change between foreground and background from now on; each access makes a stream of its own.
    public var transitions: AsyncStream<Transition> {
        let (stream, continuation) = AsyncStream<Transition>.makeStream()
        lastStream += 1
        let id = lastStream
        continuations[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.continuations[id] = nil }
        }
        return stream
    }

    /// Calls the handler with the reasons, now and whenever they change, after everybody else has been told.
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
            notificationCenter.post(name: Self.didEnterBackgroundNotification, object: self)
        case .willEnterForeground:
            applicationDelegate?.applicationWillEnterForeground(self)
            sceneDelegate?.sceneWillEnterForeground(self)
            notificationCenter.post(name: Self.willEnterForegroundNotification, object: self)
        }
        for continuation in continuations.values { continuation.yield(transition) }
    }
}
