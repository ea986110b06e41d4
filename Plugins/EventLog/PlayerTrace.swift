import FlowplayerSDK

/// What a linter knows of one player after the events so far. What it has not seen is `nil`.
struct PlayerTrace {
    private var item: Int?
    private var state: PlayerState?
    private var playbackState: PlaybackState?
    private var duration: Double?
    private var position: Double?
    private var isSeeking: Bool?
    private var mayJump = true
    private var tracks: (audio: Set<Int>, subtitles: Set<Int>)?
    private var buffer: PlaybackBufferState?
    private var values: [String: Double] = [:]
    private var isMuted: Bool?
    private var type: PlaybackType?
    private var interruption: PlaybackInterruption?
    /// Whether the log has the item from its loading on.
    private var hasSeenLoading = false
    private var hasBeenReady = false
    /// Whether something was loaded since the player was idle.
    private var hasMedia = false
    /// Whether the item has ended or failed.
    private var isOver = false
    /// The event before, of this player.
    private var previous: EventLogEntry.Event?
    private var breaches: [EventContractBreach] = []

    mutating func check(_ entry: EventLogEntry) -> [EventContractBreach] {
        breaches = []
        begin(entry.item, with: entry.event)
        checkNeighbours(entry.event)
        checkAfterEnd(entry.event)
        switch entry.event {
        case .media:
            forgetItem()
            hasMedia = true
            hasSeenLoading = true
        case .state(let state, let position): change(to: state, at: position)
        case .playbackState(let state): change(to: state)
        case .position(let position): move(to: position)
        case .duration(let duration): learn(duration)
        case .seek(let state, let position): seek(state, to: position)
        case .tracks(let audio, let subtitles): tracks = (Set(audio.map(\.id)), Set(subtitles.map(\.id)))
        case .selectedAudio(let id): select(id, among: tracks?.audio, "audio")
        case .selectedSubtitle(let id): select(id, among: tracks?.subtitles, "subtitle")
        case .buffer(let buffer):
            if buffer == self.buffer { breach(.buffer, "buffer \(buffer.rawValue) is told twice") }
            self.buffer = buffer
        case .rate(let rate): value("rate", rate, in: Double.leastNonzeroMagnitude...1000)
        case .volume(let volume): value("volume", volume, in: 0...1)
        case .mute(let isMuted):
            if isMuted == self.isMuted { breach(.values, "mute \(isMuted) is told twice") }
            self.isMuted = isMuted
        case .playbackType(let type):
            if type == self.type { breach(.values, "playback type \(type.rawValue) is told twice") }
            self.type = type
        case .dvrWindow: mayJump = true
        case .item: if !isAfterMedia { breach(.values, "an item of a queue is told without its media") }
        case .interruption(let interruption): change(to: interruption)
        case .resolved, .metadata, .quality, .route, .error, .log: break
        }
        previous = entry.event
        return breaches
    }

    private var isAfterMedia: Bool { if case .media = previous { true } else { false } }

    private mutating func breach(_ rule: EventContractBreach.Rule, _ message: String) {
        breaches.append(EventContractBreach(rule, message))
    }

    private mutating func forgetItem() {
        (duration, position, tracks, isSeeking) = (nil, nil, nil, false)
        (hasSeenLoading, mayJump) = (false, true)
    }

    // MARK: Order

    private mutating func begin(_ item: Int, with event: EventLogEntry.Event) {
        // The numbers of another player's items start over.
        if state == .idle, let current = self.item, item < current { self.item = nil }
        defer { self.item = max(item, self.item ?? item) }
        guard let current = self.item else { return }
        if item < current {
            return breach(.order, "\(event.name) of item \(item) comes after item \(current) has begun")
        }
        guard item > current else { return }
        // A new opening ends what was under way, untold. Only a seek may go on in it, if the item is the same.
        (position, hasBeenReady, isOver, mayJump) = (nil, false, false, true)
        switch event {
        case .media, .state(.load, _), .seek(.seeking, _), .playbackType, .quality, .buffer, .interruption, .log: break
        default: breach(.order, "item \(item) begins with \(event.name) instead of being loaded")
        }
    }

    private mutating func checkNeighbours(_ event: EventLogEntry.Event) {
        if case .error = previous {
            if case .state(.failure, _) = event { return }
            breach(.failure, "error is followed by \(event.name) instead of the state failure")
        } else if case .state(.failure, _) = event, previous != nil {
            breach(.failure, "the state failure comes without an error right before it")
        }
    }

    private mutating func checkAfterEnd(_ event: EventLogEntry.Event) {
        guard isOver, let state else { return }
        switch event {
        case .position, .duration, .tracks, .selectedAudio, .selectedSubtitle, .dvrWindow, .metadata, .error, .resolved:
            breach(state == .complete ? .end : .failure, "\(event.name) comes after \(state.name)")
        default: break
        }
    }

    // MARK: States

    private static let successors: [PlayerState: Set<PlayerState>] = [
        .idle: [.load],
        .load: [.ready, .failure, .idle],
        .ready: [.play, .load, .complete, .failure, .idle],
        .play: [.pause, .buffer, .load, .complete, .failure, .idle],
        .pause: [.play, .buffer, .load, .complete, .failure, .idle],
        .buffer: [.play, .pause, .load, .complete, .failure, .idle],
        .complete: [.load, .idle],
        .failure: [.load, .idle],
    ]

    private mutating func change(to new: PlayerState, at position: Double) {
        defer {
            state = new
            isOver = new == .complete || new == .failure
        }
        // Another player may have been put in the place of this one, whatever it is doing.
        let isTakenOver = state == .idle && hasMedia && new != .idle
        if let state, !isTakenOver, Self.successors[state]?.contains(new) != true {
            breach(.states, "\(new.name) follows \(state.name)")
        }
        check(position)
        switch new {
        case .idle:
            forgetItem()
            hasMedia = false
        case .ready: becomeReady()
        case .play:
            if interruption == .began { breach(.interruption, "play is told during an interruption") }
            if buffer == .empty { breach(.buffer, "play is told while the buffer is empty") }
        case .buffer:
            if let buffer, buffer != .empty { breach(.buffer, "the state buffer is told while there are data") }
        case .complete:
            if let duration, abs(position - duration) > 0.001 {
                breach(.end, "complete at \(position) s of \(duration) s")
            }
            if isSeeking == true { breach(.seek, "complete comes while a seek is under way") }
        case .failure:
            if isSeeking == true { breach(.seek, "failure comes while a seek is under way") }
        case .load, .pause: break
        }
    }

    private mutating func change(to new: PlaybackInterruption) {
        if new == interruption { breach(.interruption, "it is told twice that an interruption \(new.rawValue)") }
        interruption = new
    }

    private mutating func becomeReady() {
        if hasBeenReady { breach(.ready, "ready comes twice for one item") }
        hasBeenReady = true
        if hasSeenLoading, tracks == nil { breach(.ready, "ready comes before the tracks are told") }
    }

    private mutating func change(to new: PlaybackState) {
        defer { playbackState = new }
        if new == playbackState { breach(.states, "playback state \(new.name) is told twice") }
        guard let state else { return }
        switch new {
        case .playing where [.idle, .load, .ready, .complete, .failure].contains(state),
            .ended where state != .complete,
            .idle where [.play, .pause, .buffer, .complete].contains(state):
            breach(.states, "playback state \(new.name) does not go with the state \(state.name)")
        default: break
        }
    }

    // MARK: Positions

    private mutating func check(_ position: Double) {
        if let duration, position > duration + 0.000_001 {
            breach(.position, "position \(position) s is past the end at \(duration) s")
        }
    }

    private mutating func move(to new: Double) {
        check(new)
        if let position, new < position, !mayJump, isSeeking != true {
            breach(.position, "position runs back from \(position) s to \(new) s without a seek")
        }
        if new == position, !mayJump { breach(.position, "position \(new) s is told twice") }
        position = new
        mayJump = false
        if state == .idle { breach(.position, "a position is told with nothing loaded") }
    }

    private mutating func learn(_ new: Double) {
        if new <= 0 { breach(.values, "a duration must be positive") }
        if new == duration { breach(.values, "duration \(new) s is told twice") }
        // A medium may turn out to be shorter than where the playhead stands.
        if let position, position > new { mayJump = true }
        duration = new
    }

    private mutating func seek(_ new: PlaybackSeekState, to position: Double) {
        check(position)
        switch new {
        case .seeking:
            isSeeking = true
            if state == .idle { breach(.seek, "a seek is under way with nothing loaded") }
        case .seeked:
            if isSeeking == false { breach(.seek, "a seek ends that was not told of") }
            isSeeking = false
        case .failed: isSeeking = false
        case .idle: breach(.seek, "seek idle is never told")
        }
        mayJump = true
    }

    // MARK: Values

    private mutating func select(_ id: Int?, among ids: Set<Int>?, _ kind: String) {
        guard let id, let ids, !ids.contains(id) else { return }
        breach(.tracks, "\(kind) track \(id) is chosen, which is not in the list")
    }

    private mutating func value(_ name: String, _ new: Double, in range: ClosedRange<Double>) {
        if !range.contains(new) { breach(.values, "\(name) \(new) is out of range") }
        if values[name] == new { breach(.values, "\(name) \(new) is told twice") }
        values[name] = new
    }
}
