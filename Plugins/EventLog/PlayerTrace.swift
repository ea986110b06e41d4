import FlowplayerSDK

/// Checks the events of one player against the rules of the event contract.
///
/// A value is `nil` until the log reports it. A rule that needs an unknown value holds, so a log may start anywhere.
///
/// `PlayerSnapshot.brokenRules` holds between deliveries only. One delivery makes several lines, so these rules are
/// about the order of lines.
struct PlayerTrace {
    typealias Event = EventLogEntry.Event
    typealias Rule = EventContractBreach.Rule

    private var item: Int?
    private var state: PlayerState?
    private var duration: Double?
    private var position: Double?
    private var isSeeking: Bool?
    private var mayJump = true
    private var audio: [AudioTrack]?
    private var subtitles: [SubtitleTrack]?
    /// The latest event of each name in `changesOnly`.
    private var latest: [String: Event] = [:]
    private var hasBeenReady = false
    /// `true` if the log has the load of an item since the player was idle.
    private var hasMedia = false
    /// `true` if the item has ended or failed.
    private var isOver = false
    private var previous: Event?
    private var breaches: [EventContractBreach] = []

    /// The events that are sent only when their value changes, each with the rule that a repetition breaks.
    private static let changesOnly: [String: Rule] = [
        "duration": .values, "rate": .values, "volume": .values, "mute": .values, "playbackType": .values,
        "buffer": .buffer, "interruption": .interruption, "playbackState": .states,
    ]

    mutating func check(_ entry: EventLogEntry) -> [EventContractBreach] {
        breaches = []
        let event = entry.event
        checkItem(entry.item, of: event)
        checkFailure(event)
        checkAfterEnd(event)
        checkRepetition(event)
        switch event {
        case .media:
            forgetItem()
            hasMedia = true
        case .state(let state, let position): checkState(state, at: position)
        case .playbackState(let state): checkPlaybackState(state)
        case .position(let position): checkPosition(position)
        case .duration(let duration): checkDuration(duration)
        case .seek(let state, let position): checkSeek(state, to: position)
        case .tracks(let audio, let subtitles): (self.audio, self.subtitles) = (audio, subtitles)
        case .selectedAudio(let id): checkSelection(id, in: audio?.map(\.id))
        case .selectedSubtitle(let id): checkSelection(id, in: subtitles?.map(\.id))
        case .rate(let rate): require(rate > 0 && rate <= 1000, .values, "rate \(rate) is out of range")
        case .volume(let volume): require((0...1).contains(volume), .values, "volume \(volume) is out of range")
        case .dvrWindow: mayJump = true
        case .item:
            let isAfterMedia = if case .media = previous { true } else { false }
            require(isAfterMedia, .values, "an item of a queue comes without its media")
        case .resolved, .metadata, .quality, .route, .error, .log, .mute, .playbackType, .buffer, .interruption: break
        }
        previous = event
        return breaches
    }

    private mutating func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
        if !holds { breaches.append(EventContractBreach(rule, message())) }
    }

    private mutating func forgetItem() {
        (duration, position, audio, subtitles, isSeeking) = (nil, nil, nil, nil, false)
        mayJump = true
        latest["duration"] = nil
    }

    // MARK: Order

    private mutating func checkItem(_ new: Int, of event: Event) {
        // The items of another player are numbered from the start.
        if state == .idle, let current = item, new < current { item = nil }
        defer { item = max(new, item ?? new) }
        guard let current = item, new != current else { return }
        require(new > current, .order, "\(event.name) of item \(new) comes after item \(current) has started")
        guard new > current else { return }
        // A new load drops the events of the load before. Only a seek may continue in it, if the item is the same.
        (position, hasBeenReady, isOver, mayJump) = (nil, false, false, true)
        switch event {
        case .media, .state(.load, _), .seek(.seeking, _), .playbackType, .quality, .buffer, .interruption, .log: break
        default: require(false, .order, "item \(new) starts with \(event.name) instead of its load")
        }
    }

    private mutating func checkFailure(_ event: Event) {
        let isFailure = if case .state(.failure, _) = event { true } else { false }
        if case .error = previous {
            require(isFailure, .failure, "error is followed by \(event.name) instead of the state failure")
        } else if previous != nil {
            require(!isFailure, .failure, "the state failure comes without an error right before it")
        }
    }

    private mutating func checkAfterEnd(_ event: Event) {
        guard isOver, let state else { return }
        switch event {
        case .position, .duration, .tracks, .selectedAudio, .selectedSubtitle, .dvrWindow, .metadata, .error, .resolved:
            require(false, state == .complete ? .end : .failure, "\(event.name) comes after \(state.name)")
        default: break
        }
    }

    private mutating func checkRepetition(_ event: Event) {
        guard let rule = Self.changesOnly[event.name] else { return }
        require(latest[event.name] != event, rule, "\(event.name) comes twice with the same value")
        latest[event.name] = event
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

    private mutating func checkState(_ new: PlayerState, at position: Double) {
        // A host may replace the player of a view. The new player can be in any state.
        let isReplaced = state == .idle && hasMedia && new != .idle
        if let state, !isReplaced {
            require(Self.successors[state]?.contains(new) == true, .states, "\(new.name) follows \(state.name)")
        }
        checkLimit(position)
        let buffer = latest["buffer"]
        switch new {
        case .idle:
            forgetItem()
            hasMedia = false
        case .ready:
            require(!hasBeenReady, .ready, "ready comes twice for one item")
            require(!hasMedia || audio != nil, .ready, "ready comes before the tracks")
            hasBeenReady = true
        case .play:
            let isInterrupted = latest["interruption"] == .interruption(.began)
            require(!isInterrupted, .interruption, "play comes during an interruption")
            require(buffer != .buffer(.empty), .buffer, "play comes while the buffer is empty")
        case .buffer:
            require(buffer == nil || buffer == .buffer(.empty), .buffer, "buffer comes while there is data")
        case .complete, .failure:
            if new == .complete, let duration {
                require(abs(position - duration) <= 0.001, .end, "complete at \(position) s of \(duration) s")
            }
            require(isSeeking != true, .seek, "\(new.name) comes during a seek")
        case .load, .pause: break
        }
        state = new
        isOver = new == .complete || new == .failure
    }

    private mutating func checkPlaybackState(_ new: PlaybackState) {
        guard let state else { return }
        let isPossible =
            switch new {
            case .playing: [.play, .pause, .buffer].contains(state)
            case .ended: state == .complete
            case .idle: ![.play, .pause, .buffer, .complete].contains(state)
            case .casting, .ads, .background: true
            }
        require(isPossible, .states, "playback state \(new.name) comes in the state \(state.name)")
    }

    // MARK: Positions

    private mutating func checkLimit(_ position: Double) {
        guard let duration else { return }
        require(
            position <= duration + 0.000_001, .position, "position \(position) s is past the end at \(duration) s")
    }

    private mutating func checkPosition(_ new: Double) {
        checkLimit(new)
        require(state != .idle, .position, "a position comes while no item is loaded")
        if let position, !mayJump {
            let isBackward = new < position && isSeeking != true
            require(!isBackward, .position, "position runs back from \(position) s to \(new) s without a seek")
            require(new != position, .position, "position \(new) s comes twice")
        }
        position = new
        mayJump = false
    }

    private mutating func checkDuration(_ new: Double) {
        require(new > 0, .values, "a duration must be positive")
        // A better duration can be shorter than the position.
        if let position, position > new { mayJump = true }
        duration = new
    }

    private mutating func checkSeek(_ new: PlaybackSeekState, to position: Double) {
        checkLimit(position)
        switch new {
        case .seeking: require(state != .idle, .seek, "a seek starts while no item is loaded")
        case .seeked: require(isSeeking != false, .seek, "a seek finishes that has not started")
        case .failed: break
        case .idle: require(false, .seek, "seek idle is not an event")
        }
        if new != .idle { isSeeking = new == .seeking }
        mayJump = true
    }

    private mutating func checkSelection(_ id: Int?, in ids: [Int]?) {
        guard let id, let ids else { return }
        require(ids.contains(id), .tracks, "track \(id) is selected, which is not in the list")
    }
}
