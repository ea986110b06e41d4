#if Systemd
import DBus
import Dispatch
import Playback

/// Follows a session for one stream of changes.
// Unchecked: all of it is used on `queue` only, which both connections share.
final class LogindWatch: @unchecked Sendable {
    let environment: [String: String]
    let queue = DispatchQueue(label: "swift-flowplayer.logind")
    private let problem: @Sendable (String) -> Void
    private let continuation: AsyncStream<LifecycleChange>.Continuation
    private var state = SessionState()

    var systemBus: DBusConnection?
    var sessionBus: DBusConnection?
    /// The session that is being listened to.
    var sessionPath: String?
    /// While it is open, the machine waits before it sleeps.
    var sleepDelay: DBusDescriptor?
    var endOfSleepDelay: DispatchWorkItem?

    init(
        environment: [String: String], problem: @escaping @Sendable (String) -> Void,
        continuation: AsyncStream<LifecycleChange>.Continuation
    ) {
        self.environment = environment
        self.problem = problem
        self.continuation = continuation
    }

    func begin() {
        queue.async { [self] in
            openSystemBus()
            openSessionBus()
        }
    }

    func end() {
        queue.async { [self] in
            systemBus = nil
            sessionBus = nil
            dropSleepDelay()
        }
    }

    var isPreparingForSleep: Bool { state.isPreparingForSleep }

    func change(_ change: (inout SessionState) -> Void) {
        let before = state.reasons
        change(&state)
        for reason in [BackgroundReason.locked, .sleep] {
            switch (before.contains(reason), state.reasons.contains(reason)) {
            case (false, true): continuation.yield(.began(reason))
            case (true, false): continuation.yield(.ended(reason))
            default: break
            }
        }
    }

    func report(_ text: String) { problem(text) }

    // MARK: The buses

    private func openSystemBus() {
        systemBus = DBusConnection(address: DBusAddress.system(in: environment), queue: queue) {
            [weak self] error in
            guard let self, systemBus != nil else { return }
            systemBus = nil
            report("Without the system's bus, neither lock nor sleep are followed: \(error).")
            forgetLogind()
            endIfNothingIsLeft()
        }
        followLogind()
    }

    private func openSessionBus() {
        guard let address = DBusAddress.session(in: environment) else {
            report("Screen savers are not followed: nothing says where the session's bus is.")
            return
        }
        sessionBus = DBusConnection(address: address, queue: queue) { [weak self] error in
            guard let self, sessionBus != nil else { return }
            sessionBus = nil
            report("Without the session's bus, screen savers are not followed: \(error).")
            change { $0.forgetScreenSavers() }
            endIfNothingIsLeft()
        }
        followScreenSavers()
    }

    private func endIfNothingIsLeft() {
        if systemBus == nil, sessionBus == nil { continuation.finish() }
    }
}
#endif
