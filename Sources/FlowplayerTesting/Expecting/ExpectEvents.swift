import Playback

/// Throws an `EventMismatch` unless a player tells what is expected while the body runs and shortly after.
///
/// ```swift
/// try await expectEvents(.exactly([.state(.pause)]), from: player) { player.pause() }
/// ```
///
/// With a `ManualClock` the body moves the time and nothing takes real time.
///
/// - Parameters:
///   - expected: what is to come, and what is not.
///   - player: whose events count. That of a view is its `avPlayer`.
///   - isRelevant: which events are compared; by default all but positions.
///   - bound: how long to wait after the body for what is still missing, by the player's clock: a `ManualClock` is moved
///     by that much at most. `.none` waits for all of it. By default two minutes of real time, and nothing with a
///     `ManualClock`, since there the body moves the time.
///   - body: what brings the events about.
/// - Returns: the relevant events that came.
@MainActor
@discardableResult
public func expectEvents(
    _ expected: EventExpectation<PlayerEvent>, from player: MediaPlayer,
    where isRelevant: @escaping @MainActor (PlayerEvent) -> Bool = { !$0.isPosition }, within bound: Duration? = nil,
    fileID: StaticString = #fileID, line: Int = #line, _ body: @MainActor () async throws -> Void
) async throws -> [PlayerEvent] {
    let check = ExpectationCheck(expected)
    let token = player.observe { event, _ in if isRelevant(event) { check.take(event) } }
    defer { token.cancel() }
    try await body()
    return try await check.result(
        within: bound, by: player.clock, at: CallSite(fileID: fileID, line: line), text: \.text)
}

/// Throws an `EventMismatch` unless a player's stream gives what is expected while the body runs and shortly after.
///
/// The stream is read from the call on, and ends with it.
///
/// - Parameters:
///   - expected: what is to come, and what is not.
///   - events: the `events` of a player, a view or a manager.
///   - isRelevant: which events are compared; by default all but positions.
///   - bound: how long to wait after the body for what is still missing, by the player's clock, as with a player.
///   - body: what brings the events about.
/// - Returns: the relevant events that came.
@MainActor
@discardableResult
public func expectEvents(
    _ expected: EventExpectation<PlayerEvent>, from events: AsyncStream<PlayerEvent>,
    where isRelevant: @escaping @MainActor (PlayerEvent) -> Bool = { !$0.isPosition }, within bound: Duration? = nil,
    fileID: StaticString = #fileID, line: Int = #line, _ body: @MainActor () async throws -> Void
) async throws -> [PlayerEvent] {
    let check = ExpectationCheck(expected)
    let probe = ReaderProbe()
    let reader = ReaderProbe.$current.withValue(probe) {
        Task {
            for await event in events where isRelevant(event) { check.take(event) }
            check.finish()
        }
    }
    defer { reader.cancel() }
    await probe.waitForReader()
    try await body()
    await probe.waitForReader()
    return try await check.result(
        within: bound, by: probe.clock ?? ContinuousClock(), at: CallSite(fileID: fileID, line: line), text: \.text)
}

/// Throws an `EventMismatch` unless a recorder records what is expected while the body runs and shortly after.
///
/// What was recorded before does not count: `EventRecorder.expect` compares all of it.
///
/// - Parameters:
///   - expected: what is to come, and what is not.
///   - recorder: whose player's events count.
///   - isRelevant: which events are compared; by default all but positions.
///   - bound: how long to wait after the body for what is still missing, by the player's clock, as with a player.
///   - body: what brings the events about.
/// - Returns: the relevant events that came.
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

extension ReaderProbe {
    /// A stream that is not a player's cannot be asked: its reader gets so many turns.
    private static let turns = 100

    /// Returns when the reader has handled all that there is.
    fileprivate nonisolated(nonsending) func waitForReader() async {
        for _ in 1...Self.turns where !isIdle { await Task.yield() }
    }
}
