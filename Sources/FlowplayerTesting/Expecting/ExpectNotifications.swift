import Foundation
import Playback

/// Throws an `EventMismatch` unless a center posts the expected notifications while the body runs and shortly after.
///
/// ```swift
/// try await expectNotifications(.atLeast([.flowplayerDidChangeState]), from: center, by: clock) { view.play() }
/// ```
///
/// - Parameters:
///   - expected: the names of the notifications. With `.none`, no relevant name may come.
///   - center: the notification center.
///   - names: the names to compare; by default the expected ones, and with `.none` every name.
///   - isRelevant: selects the notifications to compare. Called wherever they are posted.
///   - bound: the longest time to wait after the body, by the clock. A `ManualClock` is moved by that much at most.
///     `.none` waits for all of it. By default five seconds of real time, two minutes while one is missing, and nothing
///     with a `ManualClock`.
///   - clock: the clock of the players.
///   - body: the code that causes the notifications.
/// - Returns: the relevant names.
@MainActor
@discardableResult
public func expectNotifications(
    _ expected: EventExpectation<Notification.Name>, from center: NotificationCenter = .default,
    among names: Set<Notification.Name>? = nil,
    where isRelevant: @escaping @Sendable (Notification) -> Bool = { _ in true }, within bound: Duration? = nil,
    by clock: any PlaybackClock = ContinuousClock(), fileID: StaticString = #fileID, line: Int = #line,
    _ body: @MainActor () async throws -> Void
) async throws -> [Notification.Name] {
    let check = ExpectationCheck(expected)
    let compared = names ?? (expected.kind == .none ? nil : Set(expected.events))
    let observer = center.addObserver(forName: nil, object: nil, queue: nil) { notification in
        guard compared?.contains(notification.name) ?? true, isRelevant(notification) else { return }
        check.take(notification.name)
    }
    defer { center.removeObserver(observer) }
    try await body()
    return try await check.result(
        within: bound, by: clock, at: CallSite(fileID: fileID, line: line), text: \.rawValue)
}
