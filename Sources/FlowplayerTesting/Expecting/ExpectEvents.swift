import Playback

/// Throws an `EventMismatch` unless a player sends the expected events while the body runs and shortly after.
///
/// ```swift
/// try await expectEvents(.exactly([.state(.pause)]), from: player) { player.pause() }
/// ```
///
/// With a `ManualClock` the body moves the time and nothing takes real time.
///
/// - Parameters:
///   - expected: the events that must come, or that must not.
///   - player: the player. That of a view is its `avPlayer`.
///   - isRelevant: selects the events to compare; by default all but positions.
///   - bound: the longest time to wait after the body, by the player's clock. A `ManualClock` is moved by that much at
///     most. `.none` waits for all of it. By default five seconds of real time, two minutes while an event is missing, and
///     nothing with a `ManualClock`, since there the body moves the time.
///   - body: the code that causes the events.
/// - Returns: the relevant events.
@MainActor
@discardableResult
public func expectEvents(
    _ expected: EventExpectation<PlayerEvent>, from player: MediaPlayer,
    where isRelevant: @escaping @MainActor (PlayerEvent) -> Bool = { !$0.isPosition }, within bound: Duration? = nil,
    fileID: StaticString = #fileID, line: Int = #line, _ body: @MainActor () async throws -> Void
) async throws -> [PlayerEvent] {
    try await expectEvents(
        expected, from: EventRecorder(player), where: isRelevant, within: bound, fileID: fileID, line: line, body)
}

/// Throws an `EventMismatch` unless a player's stream gives the expected events while the body runs and shortly after.
///
/// The stream is read from the call on, by a task and in real time. The expectation is met with the last expected event;
/// `.none` waits for the whole bound. In virtual time, expect the events of the player instead.
///
/// - Parameters:
///   - expected: the events that must come, or that must not.
///   - events: the `events` of a player, a view or a manager.
///   - isRelevant: selects the events to compare; by default all but positions.
///   - bound: the longest time to wait after the body, in real time. By default five seconds.
///   - body: the code that causes the events.
/// - Returns: the relevant events.
@MainActor
@discardableResult
public func expectEvents(
    _ expected: EventExpectation<PlayerEvent>, from events: AsyncStream<PlayerEvent>,
    where isRelevant: @escaping @MainActor (PlayerEvent) -> Bool = { !$0.isPosition }, within bound: Duration? = nil,
    fileID: StaticString = #fileID, line: Int = #line, _ body: @MainActor () async throws -> Void
) async throws -> [PlayerEvent] {
    let check = ExpectationCheck(expected)
    let reader = Task {
        for await event in events where isRelevant(event) { check.take(event) }
        check.finish()
    }
    defer { reader.cancel() }
    try await body()
    return try await check.result(
        within: bound, by: ContinuousClock(), at: CallSite(fileID: fileID, line: line), text: \.text)
}

/// Throws an `EventMismatch` unless a recorder records the expected events while the body runs and shortly after.
///
/// Earlier events do not count. `EventRecorder.expect` compares all events.
///
/// - Parameters:
///   - expected: the events that must come, or that must not.
///   - recorder: the recorder of the player.
///   - isRelevant: selects the events to compare; by default all but positions.
///   - bound: the longest time to wait after the body, by the player's clock, as with a player.
///   - body: the code that causes the events.
/// - Returns: the relevant events.
@MainActor
@discardableResult
public func expectEvents(
    _ expected: EventExpectation<PlayerEvent>, from recorder: EventRecorder,
    where isRelevant: @escaping @MainActor (PlayerEvent) -> Bool = { !$0.isPosition }, within bound: Duration? = nil,
    fileID: StaticString = #fileID, line: Int = #line, _ body: @MainActor () async throws -> Void
) async throws -> [PlayerEvent] {
    let check = ExpectationCheck(expected)
    let token = recorder.observe { if isRelevant($0) { check.take($0) } }
    defer { token.cancel() }
    try await body()
    return try await check.result(
        within: bound, by: recorder.clock, at: CallSite(fileID: fileID, line: line), text: \.text)
}
