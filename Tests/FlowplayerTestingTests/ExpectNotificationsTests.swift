import FlowplayerTesting
import Foundation
import Playback
import Testing

@MainActor
@Suite struct ExpectNotificationsTests {
    let center = NotificationCenter()

    nonisolated private static let began = Notification.Name("began")
    nonisolated private static let ended = Notification.Name("ended")

    private func post(_ names: Notification.Name...) {
        for name in names { center.post(name: name, object: nil) }
    }

    @Test func exactlyTheseArePostedAmongTheirKind() async throws {
        let names = try await expectNotifications(.exactly([Self.began, Self.ended]), from: center) {
            post(Self.began, Notification.Name("other"), Self.ended)
        }
        #expect(names == [Self.began, Self.ended])
        await #expect(throws: EventMismatch.self) {
            try await expectNotifications(.exactly([Self.began]), from: center) { post(Self.began, Self.began) }
        }
    }

    @Test func theseArePostedAmongOthers() async throws {
        try await expectNotifications(.atLeast([Self.began, Self.ended]), from: center) {
            post(Self.began, Self.began, Self.ended)
        }
    }

    @Test func noneIsPosted() async throws {
        try await expectNotifications(.none, from: center, within: .milliseconds(10)) {}
        let mismatch = await #expect(throws: EventMismatch.self) {
            try await expectNotifications(.none, from: center) { post(Self.ended) }
        }
        #expect(mismatch?.difference == ["+ ended"])
        #expect(mismatch?.fileID == "FlowplayerTestingTests/ExpectNotificationsTests.swift")
        try await expectNotifications(.none, from: center, among: [Self.began], within: .milliseconds(10)) {
            post(Self.ended)
        }
    }

    @Test func whatANotificationCarriesMayDecide() async throws {
        @Sendable nonisolated func isLeft(_ notification: Notification) -> Bool {
            notification.userInfo?["player"] as? String == "left"
        }
        try await expectNotifications(.exactly([Self.began]), from: center, where: isLeft) {
            center.post(name: Self.began, object: nil, userInfo: ["player": "right"])
            center.post(name: Self.began, object: nil, userInfo: ["player": "left"])
        }
    }

    @Test func whatComesLaterFromElsewhereIsWaitedFor() async throws {
        try await expectNotifications(.atLeast([Self.ended]), from: center) {
            Task.detached { [center] in center.post(name: Self.ended, object: nil) }
        }
    }

    @Test func aManualClockIsMovedUntilItComes() async throws {
        let clock = ManualClock()
        let backend = SimulatedBackend(clock: clock, media: SimulatedMedia(loadDelay: 30))
        let player = MediaPlayer(backend: backend, clock: clock)
        let observation = player.observe { [center] event, _ in
            if event == .state(.ready) { center.post(name: Self.ended, object: nil) }
        }
        defer { observation.cancel() }
        try await expectNotifications(.atLeast([Self.ended]), from: center, within: .seconds(60), by: clock) {
            player.load(URL(filePath: "/media/clip.mp4"))
        }
        #expect(clock.hostTime == .seconds(30))
    }
}
