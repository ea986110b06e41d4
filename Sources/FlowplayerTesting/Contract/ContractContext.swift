import Foundation
import Playback
import Synchronization

/// The actor of the cases. It is not the main actor, which other code may block for longer than a file lasts.
@globalActor
actor ContractActor {
    static let shared = ContractActor()
}

/// One backend in one case of the contract: sends it commands, and records and awaits its events.
@ContractActor
final class ContractContext {
    let fixtures: BackendFixtures
    let capabilities: BackendCapabilities
    private var backend: (any PlaybackBackend)?
    private let clock: any PlaybackClock
    private let start: Duration
    private let example: BackendContract.Case
    private let site: CallSite
    private let transcript = BackendTranscript()
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
        let lifetime = HandlerLifetime(transcript)
        backend.start { lifetime.transcript.add($0) }
        self.backend = backend
    }

    // MARK: Commands

    /// Opens a file as a new generation.
    @discardableResult
    func open(
        _ url: URL, at position: Double = 0, plays: Bool = true, subtitles: [ExternalSubtitle] = [],
        canReaddress: Bool = false
    ) -> Generation {
        lastGeneration = lastGeneration.next
        let item = PlayerItem(url: url, subtitles: subtitles)
        send(
            .open(
                OpenRequest(
                    generation: lastGeneration, item: item, startPosition: position, playsWhenReady: plays,
                    canReaddress: canReaddress)))
        return lastGeneration
    }

    /// Prepares a file as a new generation.
    func prepare(_ url: URL) -> OpenRequest {
        lastGeneration = lastGeneration.next
        let request = OpenRequest(generation: lastGeneration, item: PlayerItem(url: url), playsWhenReady: true)
        send(.prepare(request))
        return request
    }

    /// Plays one file, and prepares another one.
    func play(_ url: URL, preparing other: URL) async throws -> (open: Generation, prepared: OpenRequest) {
        let open = open(url)
        try await playing(open)
        let request = prepare(other)
        try await event("prepared", of: request.generation) { $0 == .prepared }
        return (open, request)
    }

    func send(_ command: BackendCommand) {
        transcript.note(command, at: clock.hostTime)
        backend?.send(command)
    }

    func show(_ output: VideoOutput) { backend?.setVideoOutput(output) }

    /// Lets go of the backend.
    func drop() { backend = nil }

    // MARK: Events

    /// The number of events so far, as a mark.
    var now: Int { transcript.events.count }

    /// The events of a generation.
    func events(of generation: Generation, after mark: Int = 0) -> [BackendEvent] {
        transcript.events.dropFirst(mark).filter { $0.generation == generation }
    }

    /// The events of all generations.
    var events: [BackendEvent] { transcript.events }

    /// Waits for an event of a generation.
    ///
    /// - Parameter what: the name of the event, for the violation.
    @discardableResult
    func event(
        _ what: String, of generation: Generation, after mark: Int = 0,
        where condition: @escaping @Sendable (BackendEvent.Body) -> Bool
    ) async throws -> BackendEvent {
        let isDecided = { @Sendable (events: ArraySlice<BackendEvent>) in
            events.contains { $0.generation == generation && (condition($0.body) || $0.body.isTerminal) }
        }
        await transcript.wait(upTo: .seconds(fixtures.timeout), by: clock, after: mark, until: isDecided)
        let events = events(of: generation, after: mark)
        if let event = events.first(where: { condition($0.body) }) { return event }
        if let last = events.first(where: { $0.body.isTerminal }) {
            throw violation("It reported \"\(last.body.text)\", and not \(what).")
        }
        throw violation("It did not report \(what) within \(fixtures.timeout.text) s.")
    }

    @discardableResult
    func opened(_ generation: Generation) async throws -> OpenedMedia {
        let event = try await event("opened", of: generation) { if case .opened = $0 { true } else { false } }
        guard case .opened(let media) = event.body else { throw violation("It reported \(event.body.text).") }
        return media
    }

    /// - Returns: the event and its position.
    @discardableResult
    func playing(
        _ generation: Generation, after mark: Int = 0
    ) async throws -> (event: BackendEvent, position: Double) {
        let event = try await event("playing", of: generation, after: mark) {
            if case .playing = $0 { true } else { false }
        }
        return (event, event.body.runningPosition ?? 0)
    }

    /// Waits for the playhead to run past a position.
    @discardableResult
    func time(_ generation: Generation, past position: Double, after mark: Int = 0) async throws -> BackendEvent {
        try await event("a time past \(position.text)", of: generation, after: mark) {
            if case .time(let time) = $0 { time > position } else { false }
        }
    }

    @discardableResult
    func ended(_ generation: Generation, after mark: Int = 0) async throws -> (event: BackendEvent, position: Double) {
        let event = try await event("ended", of: generation, after: mark) {
            if case .ended = $0 { true } else { false }
        }
        guard case .ended(let position) = event.body else { throw violation("It reported \(event.body.text).") }
        return (event, position)
    }

    func closed(_ generation: Generation) async throws {
        try await event("closed", of: generation) { $0 == .closed }
    }

    /// - Returns: the position of the event.
    @discardableResult
    func seeked(_ generation: Generation, after mark: Int) async throws -> Double {
        let event = try await event("seeked", of: generation, after: mark) {
            if case .seeked = $0 { true } else { false }
        }
        guard case .seeked(let position) = event.body else { throw violation("It reported \(event.body.text).") }
        return position
    }

    /// Waits until the backend releases the event handler.
    func endOfEvents() async throws {
        await transcript.wait(upTo: .seconds(fixtures.timeout), by: clock, after: 0) { _ in false }
        if !transcript.isFinished {
            throw violation("It did not release the event handler within \(fixtures.timeout.text) s.")
        }
    }

    // MARK: Time and rules

    /// Lets time pass.
    func pass(_ seconds: Double) async throws {
        if let clock = clock as? ManualClock { return await clock.advance(by: .seconds(seconds)) }
        try await Task.sleep(for: .seconds(seconds))
    }

    /// Throws unless something is so.
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

    /// Throws unless a generation is over, by exactly one event that nothing has followed.
    func requireOneEnd(of generation: Generation) throws {
        let events = events(of: generation)
        let ends = events.filter(\.body.isTerminal)
        try require(
            ends.count == 1,
            "Generation \(generation.rawValue) ended \(ends.count) times: \(ends.map(\.body.text).joined(separator: ", "))."
        )
        let after = events.drop { !$0.body.isTerminal }.dropFirst()
        try require(
            after.isEmpty, "After the end of generation \(generation.rawValue) came: \(after.first?.body.text ?? "").")
    }

    /// Lets time pass, and throws if the playhead runs meanwhile.
    ///
    /// - Parameter event: the event after which it should be paused; by default, now.
    func requireStandstill(of generation: Generation, since event: BackendEvent? = nil) async throws {
        let mark = event.flatMap { transcript.events.firstIndex(of: $0) } ?? 0
        // Earlier events may still arrive.
        let begin = event?.hostTime ?? clock.hostTime
        try await pass(0.7)
        let move = events(of: generation, after: mark).first {
            $0.body.runningPosition != nil && (event != nil || $0.hostTime > begin)
        }
        try require(move == nil, "It ran although it should be paused: \(move?.body.text ?? "").")
    }

    func violation(_ problem: String) -> BackendViolation {
        BackendViolation(
            id: example.id, sentence: example.sentence, problem: problem, log: transcript.lines(since: start),
            fileID: "\(site.fileID)", line: site.line)
    }
}

/// Reports to the transcript when the backend has released the event handler.
private final class HandlerLifetime: Sendable {
    let transcript: BackendTranscript

    init(_ transcript: BackendTranscript) { self.transcript = transcript }

    deinit { transcript.finish() }
}

/// The commands and the events of a backend, in order.
private final class BackendTranscript: Sendable {
    private struct State {
        var events: [BackendEvent] = []
        var lines: [(time: Duration, text: String)] = []
        var isFinished = false
        var waiter: (@Sendable (State) -> Void)?
    }

    private let state = Mutex(State())

    var events: [BackendEvent] { state.withLock { $0.events } }
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func note(_ command: BackendCommand, at time: Duration) {
        state.withLock { $0.lines.append((time, "> " + command.text)) }
    }

    func add(_ event: BackendEvent) {
        state.withLock { state in
            state.events.append(event)
            state.lines.append((event.hostTime, event.text))
            state.waiter?(state)
        }
    }

    func finish() {
        state.withLock { state in
            state.isFinished = true
            state.waiter?(state)
        }
    }

    /// Returns when something is so of the events after a mark, when there are no more, or when the bound is over.
    @ContractActor
    func wait(
        upTo bound: Duration, by clock: any PlaybackClock, after mark: Int,
        until condition: @escaping @Sendable (ArraySlice<BackendEvent>) -> Bool
    ) async {
        let flag = Flag()
        state.withLock { state in
            state.waiter = { if $0.isFinished || condition($0.events.dropFirst(mark)) { flag.raise() } }
            state.waiter?(state)
        }
        await flag.wait(upTo: bound, by: clock)
        state.withLock { $0.waiter = nil }
    }

    func lines(since start: Duration) -> [String] {
        state.withLock { $0.lines }.map { String(format: "%.3f  ", ($0.time - start).inSeconds) + $0.text }
    }
}
