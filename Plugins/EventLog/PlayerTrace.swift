import FlowplayerSDK
import Playback

/// Checks the events of one player against the rules of the event contract.
///
/// The trace replays the events in a snapshot, whose rules for single values are those of the machine. Its own rules
/// are about the order of lines: one delivery makes several lines, and `PlayerSnapshot.brokenRules` holds only between
/// deliveries.
///
/// A value is `nil` until the log reports it. A rule that needs an unknown value holds, so a log may start anywhere.
struct PlayerTrace {
    typealias Rule = EventContractBreach.Rule

    private var item: Int?
    private var state: PlayerState?
    private var position: Double?
    private var isSeeking: Bool?
    private var mayJump = true
    /// The values so far.
    private var snapshot = PlayerSnapshot()
    /// The latest event of each name in `changesOnly`.
    private var latest: [String: LoggedEvent] = [:]
    private var hasBeenReady = false
    /// `true` if the log has the load of an item since the player was idle.
    private var hasMedia = false
    /// `true` if an advertisement has played in place of the item.
    private var hasShownAd = false
    /// The state of the advertisements; `nil` after one that failed.
    private var adState: AdState?
    /// The state of a stream with inserted advertisements.
    private var streamState: DAIStateStream?
    /// `true` if the item has ended or failed.
    private var isOver = false
    private var previous: LoggedEvent?
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
        replay(event)
        switch event.name {
        case "media":
            forgetItem()
            hasMedia = true
        case "item": require(previous?.name == "media", .values, "an item of a queue comes without its media")
        case "state":
            if let state = event.playerState, let position = event.position { checkState(state, at: position) }
        case "playbackState": checkPlaybackState(event)
        case "position": if let position = event.position { checkPosition(position) }
        case "duration":
            // A better duration can be shorter than the position.
            if let position, let duration = event.duration, position > duration { mayJump = true }
        case "seek": checkSeek(event)
        case "dvrWindow": mayJump = true
        case "ad": checkAd(event)
        default: break
        }
        previous = event
        return breaches
    }

    private mutating func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
        if !holds { breaches.append(EventContractBreach(rule, message())) }
    }

    private mutating func forgetItem() {
        (position, isSeeking, mayJump, hasShownAd) = (nil, false, true, false)
        snapshot = PlayerSnapshot()
        latest["duration"] = nil
    }

    /// Takes over the values of an event, unless they break a rule.
    private mutating func replay(_ event: LoggedEvent) {
        var next = snapshot
        next.replay(event)
        let broken = next.brokenValueRules
        if broken.isEmpty { snapshot = next }
        for rule in broken {
            require(false, Rule(rawValue: rule.name) ?? .values, "\(event.name) breaks the rule that \(rule.text)")
        }
    }

    // MARK: Order

    private mutating func checkItem(_ new: Int, of event: LoggedEvent) {
        // The items of another player are numbered from the start.
        if state == .idle, let current = item, new < current { item = nil }
        defer { item = max(new, item ?? new) }
        guard let current = item, new != current else { return }
        require(new > current, .order, "\(event.name) of item \(new) comes after item \(current) has started")
        guard new > current else { return }
        // A new load drops the events of the load before. Only a seek may continue in it, if the item is the same.
        (position, hasBeenReady, isOver, mayJump) = (nil, false, false, true)
        let maySeek = event.name == "seek" && event.state == PlaybackSeekState.seeking.rawValue
        let isFirst = event.playerState == .load || maySeek || Self.beforeLoad.contains(event.name)
        require(isFirst, .order, "item \(new) starts with \(event.name) instead of its load")
    }

    /// The events that may come before the state `load`.
    private static let beforeLoad: Set = ["media", "playbackType", "quality", "rate", "buffer", "interruption", "log"]

    private mutating func checkFailure(_ event: LoggedEvent) {
        let isFailure = event.playerState == .failure
        if previous?.name == "error" {
            require(isFailure, .failure, "error is followed by \(event.name) instead of the state failure")
        } else if previous != nil {
            require(!isFailure, .failure, "the state failure comes without an error right before it")
        }
    }

    private mutating func checkAfterEnd(_ event: LoggedEvent) {
        guard isOver, let state, Self.neverAfterEnd.contains(event.name) else { return }
        require(false, state == .complete ? .end : .failure, "\(event.name) comes after \(state.name)")
    }

    /// The events that never come after the end of an item.
    private static let neverAfterEnd: Set = [
        "position", "duration", "tracks", "selectedAudio", "selectedSubtitle", "dvrWindow", "metadata", "error",
        "resolved",
    ]

    private mutating func checkRepetition(_ event: LoggedEvent) {
        guard let rule = Self.changesOnly[event.name] else { return }
        require(latest[event.name] != event, rule, "\(event.name) comes twice with the same value")
        latest[event.name] = event
    }

    // MARK: States

    private mutating func checkState(_ new: PlayerState, at position: Double) {
        // A host may replace the player of a view. The new player can be in any state.
        let isReplaced = state == .idle && hasMedia && new != .idle
        if let state, !isReplaced {
            require(state.successors.contains(new), .states, "\(new.name) follows \(state.name)")
        }
        let buffer = latest["buffer"]?.state
        let isEmpty = buffer == PlaybackBufferState.empty.rawValue
        switch new {
        case .idle:
            forgetItem()
            hasMedia = false
        case .ready:
            require(!hasBeenReady, .ready, "ready comes twice for one item")
            require(!hasMedia || snapshot.tracks != nil, .ready, "ready comes before the tracks")
            hasBeenReady = true
        case .play:
            let isInterrupted = latest["interruption"]?.state == PlaybackInterruption.began.rawValue
            require(!isInterrupted, .interruption, "play comes during an interruption")
            require(!isEmpty, .buffer, "play comes while the buffer is empty")
        case .buffer:
            require(buffer == nil || isEmpty, .buffer, "buffer comes while there is data")
        case .complete, .failure:
            if new == .complete, let duration = snapshot.duration {
                require(abs(position - duration) <= 0.001, .end, "complete at \(position) s of \(duration) s")
            }
            require(isSeeking != true, .seek, "\(new.name) comes during a seek")
        case .load, .pause: break
        }
        if let rate = latest["rate"]?.rate {
            let isMoving = new == .play || new == .buffer
            let mayPlay = isMoving || new == .load || new == .ready
            require(rate > 0 ? mayPlay : !isMoving, .values, "\(new.name) comes while the rate is \(rate)")
        }
        state = new
        isOver = new == .complete || new == .failure
    }

    private mutating func checkPlaybackState(_ event: LoggedEvent) {
        guard let state, let new = event.state else { return }
        let isPossible =
            switch new {
            // After an advertisement, the item may not have started.
            case PlaybackState.playing.name: [.play, .pause, .buffer].contains(state) || hasShownAd
            case PlaybackState.ended.name: state == .complete
            case PlaybackState.idle.name: ![.play, .pause, .buffer, .complete].contains(state)
            default: true
            }
        if new == PlaybackState.ads.name { hasShownAd = true }
        require(isPossible, .states, "playback state \(new) comes in the state \(state.name)")
    }

    // MARK: Advertisements

    private mutating func checkAd(_ event: LoggedEvent) {
        if event.adType == "stream" { return checkStream(event) }
        guard event.state != "clickThrough" else { return }
        guard let new = AdState.allCases.first(where: { $0.name == event.state }) else {
            // After one that failed, another one may follow, or the end of the break.
            adState = nil
            return
        }
        if let adState { require(adState.successors.contains(new), .ads, "ad \(new.name) follows \(adState.name)") }
        if new == .play { checkAdIsShown(event) }
        adState = new
    }

    private mutating func checkStream(_ event: LoggedEvent) {
        // A stream that fails has no session.
        guard let new = DAIStateStream.allCases.first(where: { $0.name == event.state }) else { return }
        if let streamState {
            require(streamState.successors.contains(new), .ads, "stream \(new.name) follows \(streamState.name)")
        }
        if new == .adStarted { checkAdIsShown(event) }
        streamState = new
    }

    private mutating func checkAdIsShown(_ event: LoggedEvent) {
        let shown = latest["playbackState"]?.state
        let isShown = [nil, PlaybackState.ads.name, PlaybackState.background.name].contains(shown)
        require(isShown, .ads, "ad \(event.state ?? "") comes in the playback state \(shown ?? "")")
    }

    // MARK: Positions

    private mutating func checkPosition(_ new: Double) {
        require(state != .idle, .position, "a position comes while no item is loaded")
        if let position, !mayJump {
            let isBackward = new < position && isSeeking != true
            require(!isBackward, .position, "position runs back from \(position) s to \(new) s without a seek")
            require(new != position, .position, "position \(new) s comes twice")
        }
        position = new
        mayJump = false
    }

    private mutating func checkSeek(_ event: LoggedEvent) {
        mayJump = true
        switch event.state.flatMap(PlaybackSeekState.init) {
        case .seeking: require(state != .idle, .seek, "a seek starts while no item is loaded")
        case .seeked: require(isSeeking != false, .seek, "a seek finishes that has not started")
        case .failed: break
        case .idle, nil:
            require(false, .seek, "seek idle is not an event")
            return
        }
        isSeeking = event.state == PlaybackSeekState.seeking.rawValue
    }
}
