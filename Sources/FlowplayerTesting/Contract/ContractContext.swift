import Foundation
import Playback
import Synchronization

/// The actor of the cases. It is not the main actor, which other code may block for longer than a file lasts.
@globalActor
actor ContractActor {
    static let shared = ContractActor()
}

/// One backend in one case of the contract: sends it commands, and records and awaits its events.
///
/// Names of events are those of the cases of `BackendEvent.Body`, as in the log of a violation.
@ContractActor
final class ContractContext {
    /// The commands and the events of the backend, in order.
    private struct Transcript {
        var events: [BackendEvent] = []
        var lines: [(time: Duration, text: String)] = []
        /// `true` when the backend has released the event handler.
        var isFinished = false
        /// Called with each event, and with `nil` after the last one.
        var waiter: (@Sendable (BackendEvent?) -> Void)?
    }

    private nonisolated let transcript = Mutex(Transcript())
    let fixtures: BackendFixtures
    let capabilities: BackendCapabilities
    private var backend: (any PlaybackBackend)?
    private let clock: any PlaybackClock
    private let start: Duration
    private let example: BackendContract.Case
    private let site: CallSite
    private var lastGeneration = Generation.none

    init(
        _ backend: consuming any PlaybackBackend, clock: any PlaybackClock, fixtures: BackendFixtures,
        example: BackendContract.Case, site: CallSite
    ) {
        self.clock = clock
        self.fixtures = fixtures
        self.example = example
        self.site = site
        start = clock.hostTime
        capabilities = backend.capabilities
        let handler = EventHandler(context: self)
        backend.start { handler.context.add($0) }
        self.backend = backend
    }

    /// The duration of the clip, in seconds.
    var duration: Double { fixtures.duration }

    // MARK: Commands

    /// Opens a file as a new generation; by default the clip.
    func open(
        _ url: URL? = nil, at position: Double = 0, plays: Bool = true, subtitles: [ExternalSubtitle] = [],
        canReaddress: Bool = false
    ) -> Generation {
        lastGeneration = lastGeneration.next
        let request = OpenRequest(
            generation: lastGeneration, item: item(url ?? fixtures.clip, subtitles), startPosition: position,
            playsWhenReady: plays, canReaddress: canReaddress)
        send(.open(request))
        return lastGeneration
    }

    /// Opens a file, by default the clip, and waits until it plays.
    func play(_ url: URL? = nil) async throws -> Generation {
        let generation = open(url)
        try await event("playing", of: generation)
        return generation
    }

    /// Prepares a file as a new generation.
    func prepare(_ url: URL) -> OpenRequest {
        lastGeneration = lastGeneration.next
        let request = OpenRequest(generation: lastGeneration, item: item(url), playsWhenReady: true)
        send(.prepare(request))
        return request
    }

    private func item(_ url: URL, _ subtitles: [ExternalSubtitle] = []) -> PlayerItem {
        var item = PlayerItem(url: url, subtitles: subtitles)
        item.retryPolicy = fixtures.retryPolicy
        return item
    }

    func send(_ commands: BackendCommand...) {
        for command in commands {
            let time = clock.hostTime
            transcript.withLock { $0.lines.append((time, "> " + command.text)) }
            backend?.send(command)
        }
    }

    /// Sends a command, and waits for the event that answers it.
    ///
    /// - Parameter position: the position that the event has to report, in seconds; `nil` for any.
    @discardableResult
    func send(
        _ command: BackendCommand, until name: String, of generation: Generation, at position: Double? = nil
    ) async throws -> BackendEvent {
        let mark = now
        send(command)
        return try await event(name, of: generation, after: mark, at: position)
    }

    func show(_ output: VideoOutput) { backend?.setVideoOutput(output) }

    /// Releases the backend.
    func drop() { backend = nil }

    // MARK: Events

    /// The number of events so far, as a mark.
    var now: Int { events.count }

    /// The events of all generations.
    var events: [BackendEvent] { transcript.withLock(\.events) }

    /// The events of a generation.
    func events(of generation: Generation, after mark: Int = 0) -> [BackendEvent] {
        events.dropFirst(mark).filter { $0.generation == generation }
    }

    /// Waits for an event of a generation by its name.
    ///
    /// - Parameter position: the position that the event has to report, in seconds; `nil` for any.
    @discardableResult
    func event(
        _ name: String, of generation: Generation, after mark: Int = 0, at position: Double? = nil
    ) async throws -> BackendEvent {
        let event = try await event(name, of: generation, after: mark) { $0.name == name }
        if let position { try require("The position of \(name)", event.body.position ?? -1, is: position) }
        return event
    }

    /// Waits for an event of a generation that meets a condition.
    ///
    /// - Parameter what: the name of the event, for the violation.
    @discardableResult
    func event(
        _ what: String, of generation: Generation, after mark: Int = 0,
        where condition: @escaping @Sendable (BackendEvent.Body) -> Bool
    ) async throws -> BackendEvent {
        await wait(after: mark) {
            $0.generation == generation && ($0.body.isTerminal || condition($0.body))
        }
        let events = events(of: generation, after: mark)
        if let event = events.first(where: { condition($0.body) }) { return event }
        if let last = events.first(where: \.body.isTerminal) {
            throw violation("It reported \"\(last.body.text)\", and not \(what).")
        }
        throw violation("It did not report \(what) within \(fixtures.timeout.text) s.")
    }

    @discardableResult
    func opened(_ generation: Generation) async throws -> OpenedMedia {
        let event = try await event("opened", of: generation)
        guard case .opened(let media) = event.body else { throw violation("It reported \(event.body.text).") }
        return media
    }

    /// Waits for the playhead to run past a position.
    func time(_ generation: Generation, past position: Double, after mark: Int = 0) async throws {
        try await event("a time past \(position.text)", of: generation, after: mark) {
            if case .time(let time) = $0 { time > position } else { false }
        }
    }

    /// Waits for the end, after which nothing may come.
    func endsOnce(_ generation: Generation, at position: Double? = nil) async throws {
        try await event("ended", of: generation, at: position)
        try await requireOneEnd(of: generation)
    }

    /// Waits until the backend releases the event handler.
    func endOfEvents() async throws {
        await wait(after: 0) { _ in false }
        try require(
            transcript.withLock(\.isFinished),
            "It did not release the event handler within \(fixtures.timeout.text) s.")
    }

    /// Returns when an event after a mark meets a condition, when there are no more, or at the timeout.
    private func wait(after mark: Int, until condition: @escaping @Sendable (BackendEvent) -> Bool) async {
        let flag = Flag()
        transcript.withLock { transcript in
            if transcript.isFinished || transcript.events.dropFirst(mark).contains(where: condition) { flag.raise() }
            transcript.waiter = { if $0.map(condition) ?? true { flag.raise() } }
        }
        await flag.wait(upTo: .seconds(fixtures.timeout), by: clock)
        transcript.withLock { $0.waiter = nil }
    }

    fileprivate nonisolated func add(_ event: BackendEvent) {
        transcript.withLock { transcript in
            transcript.events.append(event)
            transcript.lines.append((event.hostTime, event.text))
            transcript.waiter?(event)
        }
    }

    fileprivate nonisolated func finish() {
        transcript.withLock { transcript in
            transcript.isFinished = true
            transcript.waiter?(nil)
        }
    }

    // MARK: Time and rules

    /// Waits for a time.
    func pass(_ seconds: Double) async throws {
        if let clock = clock as? ManualClock { return await clock.advance(by: .seconds(seconds)) }
        try await Task.sleep(for: .seconds(seconds))
    }

    /// Lets time pass until a condition holds. Returns `false` if it does not within the timeout.
    func eventually(_ condition: () -> Bool) async throws -> Bool {
        let step = 0.05
        for _ in 0..<Int(fixtures.timeout / step) where !condition() { try await pass(step) }
        return condition()
    }

    /// Throws unless a condition is true.
    func require(_ isSo: Bool, _ problem: @autoclosure () -> String) throws {
        if !isSo { throw violation(problem()) }
    }

    /// Throws unless two times or positions are equal, within the tolerance.
    ///
    /// - Parameter slack: an additional tolerance.
    func require(_ what: String, _ value: Double, is expected: Double, slack: Double = 0) throws {
        try require(
            abs(value - expected) <= fixtures.tolerance + slack,
            "\(what) is \(value.text) s, and should be \(expected.text) s.")
    }

    /// Throws if one of these events came. Stalls, and the playback after them, do not count where the backend may stall.
    func requireNone(of names: Set<String>, for generation: Generation, after mark: Int = 0) throws {
        var isStalled = false
        let event = events.enumerated().first { index, event in
            guard event.generation == generation else { return false }
            let isOver = isStalled && event.body.name == "playing"
            isStalled = event.body.name == "stalled" || isStalled && !isOver
            if fixtures.mayStall, isOver || event.body.name == "stalled" { return false }
            return index >= mark && names.contains(event.body.name)
        }
        try require(event == nil, "It reported \(event?.element.body.text ?? "").")
    }

    /// Throws unless the playhead runs only between two positions, in seconds. The tolerance is added.
    func requirePositions(
        of generation: Generation, after mark: Int = 0, from first: Double = 0, to last: Double = .infinity
    ) throws {
        let allowed = first - fixtures.tolerance...last + fixtures.tolerance
        let positions = events(of: generation, after: mark).compactMap(\.body.runningPosition)
        let stray = positions.first { !allowed.contains($0) }
        try require(stray == nil, "It ran at \(stray?.text ?? "") s.")
    }

    /// Waits, and throws unless the generation has ended with exactly one event, the last one.
    func requireOneEnd(of generation: Generation, after seconds: Double = 0) async throws {
        if seconds > 0 { try await pass(seconds) }
        let events = events(of: generation)
        let ends = events.filter(\.body.isTerminal).map(\.body.text)
        let number = generation.rawValue
        try require(
            ends.count == 1, "Generation \(number) ended \(ends.count) times: \(ends.joined(separator: ", ")).")
        let after = events.drop { !$0.body.isTerminal }.dropFirst()
        try require(after.isEmpty, "After the end of generation \(number) came: \(after.first?.body.text ?? "").")
    }

    /// Waits, and throws if the playhead runs meanwhile.
    ///
    /// - Parameter event: the event after which it should be paused; by default, now.
    func requirePause(of generation: Generation, since event: BackendEvent? = nil) async throws {
        let mark = event.flatMap { events.firstIndex(of: $0) } ?? 0
        // Earlier events may still arrive.
        let begin = event?.hostTime ?? clock.hostTime
        try await pass(0.7)
        let move = events(of: generation, after: mark).first {
            $0.body.runningPosition != nil && (event != nil || $0.hostTime > begin)
        }
        try require(move == nil, "It ran although it should be paused: \(move?.body.text ?? "").")
    }

    func violation(_ problem: String) -> BackendViolation {
        let log = transcript.withLock(\.lines).map { time, text in
            String(format: "%.3f  ", (time - start).inSeconds) + text
        }
        return BackendViolation(
            id: example.id, sentence: example.sentence, problem: problem, log: log, fileID: "\(site.fileID)",
            line: site.line)
    }
}

/// The owner of the event handler. Its end is that of the handler.
private final class EventHandler: Sendable {
    let context: ContractContext

    init(context: ContractContext) { self.context = context }

    deinit { context.finish() }
}
