import Foundation
import Playback

/// Throws an `EventMismatch` unless a centre posts the notifications that are expected while the body runs and shortly
/// after.
///
/// ```swift
/// try await expectNotifications(.atLeast([.flowplayerDidChangeState]), from: center, by: clock) { view.play() }
/// ```
///
/// - Parameters:
///   - expected: the names of those that are to come. With `.none`, no name that is relevant may come.
///   - center: where they are posted.
///   - names: which names are compared; by default those that are expected, and with `.none` every name.
///   - isRelevant: which of these are compared, by what they carry. Called wherever they are posted.
///   - bound: how long to wait after the body for what is still missing, by the clock: a `ManualClock` is moved by that much
///     at most. `.none` waits for all of it. By default two minutes of real time, and nothing with a `ManualClock`.
///   - clock: that of the players that post.
///   - body: what brings the notifications about.
/// - Returns: the names of those that came.
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
