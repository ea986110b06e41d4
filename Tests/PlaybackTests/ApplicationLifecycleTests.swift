import Foundation
import Testing

@testable import Playback

/// The reports of foreground and background: their receivers, their order and their number.
@MainActor
@Suite struct ApplicationLifecycleTests {
    private let center = NotificationCenter()
    private let lifecycle: ApplicationLifecycle

    init() { lifecycle = ApplicationLifecycle(notificationCenter: center) }

    @Test func repeatedReportsMakeOneEvent() {
        let listener = Listener(lifecycle, center)
        lifecycle.leaveBackground(.hidden)
        lifecycle.leaveBackground()
        #expect(listener.heard.isEmpty, "nobody was in the background")
        for _ in 1...2 { lifecycle.enterBackground(.hidden) }
        #expect(lifecycle.isInBackground)
        #expect(listener.taken() == ["application out", "scene out", "notified out", "follower hidden"])
        lifecycle.enterBackground(.locked)
        #expect(listener.taken() == ["follower hidden locked"], "only followers receive another reason")
        lifecycle.leaveBackground(.hidden)
        #expect(listener.taken() == ["follower locked"])
        for _ in 1...2 { lifecycle.leaveBackground(.locked) }
        #expect(listener.taken() == ["application in", "scene in", "notified in", "follower"])
        #expect(!lifecycle.isInBackground)
    }

    @Test func aLifecycleIsReleasedAfterItsChanges() {
        weak var released: ApplicationLifecycle?
        do {
            let lifecycle = ApplicationLifecycle(notificationCenter: center)
            released = lifecycle
            lifecycle.enterBackground(.hidden)
            lifecycle.leaveBackground()
        }
        #expect(released == nil)
    }

    @Test func theForegroundEndsAllReasons() {
        let listener = Listener(lifecycle, center)
        for reason in [BackgroundReason.hidden, .locked, .sleep] { lifecycle.enterBackground(reason) }
        _ = listener.taken()
        lifecycle.leaveBackground()
        #expect(listener.taken() == ["application in", "scene in", "notified in", "follower"])
    }

    @Test func anObserverFirstReceivesTheCurrentState() {
        lifecycle.enterBackground(.locked)
        let listener = Listener(lifecycle, center, isFollowing: false)
        let token = lifecycle.follow { listener.heard.append("follower \($0.names)") }
        #expect(listener.taken() == ["follower locked"])
        token.cancel()
        lifecycle.leaveBackground()
        #expect(!listener.taken().contains { $0.hasPrefix("follower") })
    }

    @Test func aChangeInACallbackIsReportedAfterTheCurrentOne() {
        let listener = Listener(lifecycle, center)
        listener.onLeaving = { $0.leaveBackground() }
        lifecycle.enterBackground(.hidden)
        #expect(
            listener.taken() == [
                "application out", "scene out", "notified out", "follower hidden",
                "application in", "scene in", "notified in", "follower",
            ])
        #expect(!lifecycle.isInBackground)
    }

    @Test func anObserverAddedInACallbackReceivesTheChangeOnce() {
        let listener = Listener(lifecycle, center, isFollowing: false)
        listener.onLeaving = { lifecycle in
            listener.following = lifecycle.follow { listener.heard.append("follower \($0.names)") }
        }
        lifecycle.enterBackground(.hidden)
        #expect(listener.taken() == ["application out", "follower", "scene out", "notified out", "follower hidden"])
    }

    @Test func delegatesAreNotKeptAlive() {
        var listener: Listener? = Listener(lifecycle, center, isFollowing: false)
        weak let gone = listener
        listener = nil
        #expect(gone == nil)
        lifecycle.enterBackground()
        #expect(lifecycle.applicationDelegate == nil && lifecycle.sceneDelegate == nil)
    }

    @Test func everyStreamHasEveryTransitionFromItsStart() async {
        var first = lifecycle.transitions.makeAsyncIterator()
        lifecycle.enterBackground(.hidden)
        lifecycle.enterBackground(.locked)
        var second = lifecycle.transitions.makeAsyncIterator()
        lifecycle.leaveBackground()
        lifecycle.enterBackground(.sleep)
        #expect(await first.next() == .didEnterBackground)
        #expect(await first.next() == .willEnterForeground)
        #expect(await first.next() == .didEnterBackground)
        #expect(await second.next() == .willEnterForeground)
        #expect(await second.next() == .didEnterBackground)
    }

    // MARK: Sources

    @Test func aSourceCountsUntilItEnds() async {
        let source = Source()
        lifecycle.add(source)
        var transitions = lifecycle.transitions.makeAsyncIterator()
        source.say(.began(.locked))
        #expect(await transitions.next() == .didEnterBackground)
        #expect(lifecycle.reasons == [.locked])
        source.say(.ended(.locked))
        #expect(await transitions.next() == .willEnterForeground)
        source.say(.began(.sleep))
        #expect(await transitions.next() == .didEnterBackground)
        source.end()
        #expect(await transitions.next() == .willEnterForeground, "what it said ends with it")
    }

    @Test func aRemovedSourceRemovesOnlyItsReasons() async {
        let source = Source()
        let token = lifecycle.add(source)
        var transitions = lifecycle.transitions.makeAsyncIterator()
        source.say(.began(.locked))
        #expect(await transitions.next() == .didEnterBackground)
        lifecycle.enterBackground(.hidden)
        let (changes, change) = AsyncStream<Set<BackgroundReason>>.makeStream()
        let following = lifecycle.follow { change.yield($0) }
        token.cancel()
        var reasons = changes.makeAsyncIterator()
        #expect(await reasons.next() == [.hidden, .locked])
        #expect(await reasons.next() == [.hidden])
        following.cancel()
    }
}

/// Records all reports.
@MainActor
private final class Listener: ApplicationLifecycleDelegate, SceneLifecycleDelegate {
    var heard: [String] = []
    var following: ObservationToken?
    var onLeaving: (@MainActor (ApplicationLifecycle) -> Void)?

    init(_ lifecycle: ApplicationLifecycle, _ center: NotificationCenter, isFollowing: Bool = true) {
        lifecycle.applicationDelegate = self
        lifecycle.sceneDelegate = self
        observe(ApplicationLifecycle.didEnterBackgroundNotification, "notified out", center)
        observe(ApplicationLifecycle.willEnterForegroundNotification, "notified in", center)
        guard isFollowing else { return }
        following = lifecycle.follow { [weak self] in self?.heard.append(["follower", $0.names].joined(separator: " "))
        }
        heard = []
    }

    func taken() -> [String] {
        defer { heard = [] }
        return heard.map { $0.replacing(",", with: "").trimmingCharacters(in: .whitespaces) }
    }

    private func observe(_ name: Notification.Name, _ text: String, _ center: NotificationCenter) {
        _ = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated { self?.heard.append(text) }
        }
    }

    func applicationDidEnterBackground(_ application: ApplicationLifecycle) {
        heard.append("application out")
        onLeaving?(application)
    }
    func applicationWillEnterForeground(_ application: ApplicationLifecycle) { heard.append("application in") }
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle) { heard.append("scene out") }
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle) { heard.append("scene in") }
}

private struct Source: LifecycleSource {
    let changes: AsyncStream<LifecycleChange>
    private let continuation: AsyncStream<LifecycleChange>.Continuation

    init() { (changes, continuation) = AsyncStream.makeStream() }

    func say(_ change: LifecycleChange) { continuation.yield(change) }
    func end() { continuation.finish() }
}
