import Foundation

extension NotificationCenter {
    /// The time after which a post is reported as blocked, in seconds.
    private static let blockedAfter = 0.75

    /// Posts a notification. If that blocks, a line on standard error names the notification.
    ///
    /// Foundation on Linux waits for each observer that has a queue. An observer with `queue: .main` waits for the main
    /// actor, which posts. Foundation calls such an observer directly on the main thread, and in an operation of the main
    /// queue. Elsewhere on the main actor, as in a task of a program with an `async` main, the program stops.
    @MainActor
    package func postWatched(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
        guard OperationQueue.current !== OperationQueue.main else {
            return post(name: name, object: object, userInfo: userInfo)
        }
        let watchdog = DispatchWorkItem {
            let message =
                "flowplayer: The notification \(name.rawValue) is blocked by an observer with a queue, probably with "
                + "queue: .main in a program with an async main. Pass queue: nil, or use observe(_:handler:).\n"
            FileHandle.standardError.write(Data(message.utf8))
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.blockedAfter, execute: watchdog)
        post(name: name, object: object, userInfo: userInfo)
        watchdog.cancel()
    }
}
