#if VLC
import Foundation
import Testing

@testable import VLCBackend

@Suite struct VLCLogRouterTests {
    private let router = VLCLogRouter()

    private func observer() -> VLCEventObserver {
        let observer = VLCEventObserver(log: router) { _, _ in }
        router.add(observer)
        return observer
    }

    /// Calls `body` on its own thread.
    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        isDone.wait()
    }

    @Test func anObjectOfAPlayerIsKnownOnOtherThreads() {
        let (first, second) = (observer(), observer())
        Self.onThread { [router] in
            router.claimThread(for: first)
            #expect(router.player(forObject: 1) === first)
        }
        #expect(router.player(forObject: 1) === first)
        #expect(router.player(forObject: 2) == nil, "it may belong to each of two players")
        router.remove(second)
        #expect(router.player(forObject: 2) === first, "it is the only player")
    }

    /// The system gives a new thread the number of one that has ended.
    @Test func aThreadThatHasANumberOfAClosedPlayerBelongsToTheNextOne() {
        let (closed, next, other) = (observer(), observer(), observer())
        Self.onThread { [router] in
            router.claimThread(for: closed)
            #expect(router.player(forObject: 1) === closed)
            Self.onThread {
                router.claimThread(for: next)
                #expect(router.player(forObject: 2) === next)
            }
            router.remove(closed)
            #expect(router.player(forObject: 2) === next)
        }
        withExtendedLifetime(other) {}
    }
}
#endif
