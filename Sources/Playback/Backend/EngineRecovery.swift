import Foundation

/// The state that a new engine needs to continue where the last one stopped.
///
/// It follows the commands of the player and the events of the engine. After a restart it hides what the player already
/// knows, such as that the item is open. The type is pure.
package struct EngineRecovery {
    /// The open item, as the player knows it.
    private struct Item {
        /// With the position, the intent and the quality of now.
        var request: OpenRequest
        var isOpen = false
        /// `true` if the playhead runs or waits for data.
        var isActive = false
        /// The time of the engine's last position; `nil` during pauses and stalls.
        var runsSince: Duration?
        /// The duration of an item that has one, in seconds.
        var duration: Double?
        var isSeekable = false
        var isInterrupted = false
        /// The target of a seek that is not answered yet, in seconds.
        var target: Double?
        /// `true` until `pause` is answered.
        var isPausing = false
        var tracks: MediaTracks?
        /// The selections of the user.
        var audio: Int?
        var subtitle: Selection?

        /// Replaces the selections by the tracks of another engine, which may have other numbers.
        mutating func selectCounterparts(in tracks: MediaTracks, of old: MediaTracks) {
            audio = audio.flatMap {
                counterpart(of: $0, in: old.audio, among: tracks.audio, \.id) { [$0.name, $0.lang] }
            }
            guard let id = subtitle?.id else { return }
            subtitle = counterpart(of: id, in: old.subtitles, among: tracks.subtitles, \.id) { [$0.name, $0.lang] }
                .map { Selection(id: $0) }
        }
    }

    /// A selected subtitle track, or none.
    private struct Selection {
        let id: Int?
    }

    private struct Prepared {
        let request: OpenRequest
        let crossfade: Double
        var isReported = false
    }

    /// Engines report their positions at least so often, in seconds. One that hangs may not have played longer.
    private static let reportInterval = 0.5

    /// The settings hold for later openings too.
    private var settings = BackendSettings()
    private var item: Item?
    private var prepared: Prepared?
    /// The openings that have not ended.
    private var openings: Set<Generation> = []
    /// `true` from a restart until the item is open again.
    private var isReopening = false

    package init() {}

    /// `true` if an engine is needed.
    package var hasOpenings: Bool { !openings.isEmpty }

    /// The items that an engine may read.
    package var items: [PlayerItem] { [item?.request.item, prepared?.request.item].compactMap(\.self) }

    /// `true` if an event belongs to an opening that has not ended.
    package func isCurrent(_ event: BackendEvent) -> Bool { openings.contains(event.generation) }

    // MARK: Commands

    package mutating func record(_ command: BackendCommand) {
        switch command {
        case .open(let request):
            // The engine does not read an item again that it has prepared.
            let source = prepared?.request.generation == request.generation ? prepared?.request : nil
            prepared = nil
            isReopening = false
            openings.insert(request.generation)
            var opened = source ?? request
            opened.playsWhenReady = request.playsWhenReady
            item = Item(request: opened)
        case .prepare(let request, let crossfade):
            openings.insert(request.generation)
            prepared = Prepared(request: request, crossfade: crossfade)
        case .close(let generation):
            if item?.request.generation == generation { item = nil }
            if prepared?.request.generation == generation { prepared = nil }
        case .play(let generation):
            change(generation) { ($0.request.playsWhenReady, $0.isPausing, $0.isInterrupted) = (true, false, false) }
        case .pause(let generation): change(generation) { ($0.request.playsWhenReady, $0.isPausing) = (false, true) }
        case .seek(let generation, let target, _): change(generation) { $0.target = target }
        case .selectAudio(let generation, let id): change(generation) { $0.audio = id }
        case .selectSubtitle(let generation, let id):
            change(generation) { $0.subtitle = Selection(id: id) }
        case .selectQuality(let generation, let quality): change(generation) { $0.request.quality = quality }
        case .readdress(let generation, let url):
            if let url { change(generation) { $0.request.item.url = url } }
        case .setVideoVisible, .setRate, .setVolume, .setMuted, .setRole, .setSubtitleDelay: settings.apply(command)
        }
    }

    private mutating func change(_ generation: Generation, _ body: (inout Item) -> Void) {
        guard item?.request.generation == generation else { return }
        body(&item!)
    }

    // MARK: Events

    /// The consequences of an event of the engine.
    package struct Reaction {
        package var events: [BackendEvent.Body] = []
        package var commands: [BackendCommand] = []
    }

    /// Returns what the player receives in place of the event, and what the engine receives.
    package mutating func handle(_ event: BackendEvent) -> Reaction {
        let generation = event.generation
        if event.body.isTerminal {
            openings.remove(generation)
            if item?.request.generation == generation { item = nil }
            if prepared?.request.generation == generation { prepared = nil }
        } else if prepared?.request.generation == generation, event.body == .prepared {
            if prepared?.isReported == true { return Reaction() }
            prepared?.isReported = true
        } else if item?.request.generation == generation {
            if case .opened(let media) = event.body, isReopening, item?.isOpen == true { return reopened(media) }
            update(with: event)
        }
        return Reaction(events: [event.body])
    }

    private mutating func update(with event: BackendEvent) {
        if let position = event.body.position { item?.request.startPosition = position }
        switch event.body {
        case .opened(let media):
            isReopening = false
            item?.isOpen = true
            item?.duration = media.duration
            item?.isSeekable = media.isSeekable
            item?.tracks = media.tracks
            item?.request.startPosition = media.position
        case .durationChanged(let duration): item?.duration = duration
        case .seekabilityChanged(let isSeekable): item?.isSeekable = isSeekable
        case .tracksChanged(let tracks): item?.tracks = tracks
        case .playing:
            item?.isActive = true
            item?.runsSince = event.hostTime
        case .time: if item?.runsSince != nil { item?.runsSince = event.hostTime }
        case .stalled:
            item?.isActive = true
            item?.runsSince = nil
        case .paused:
            item?.isActive = false
            item?.runsSince = nil
            item?.isPausing = false
        case .seeked, .seekFailed:
            item?.target = nil
            if item?.runsSince != nil { item?.runsSince = event.hostTime }
        case .interruptionBegan: item?.isInterrupted = true
        case .interruptionEnded: item?.isInterrupted = false
        default: break
        }
    }

    /// The item is open again, which the player does not see. It receives the answers that it still waits for.
    private mutating func reopened(_ media: OpenedMedia) -> Reaction {
        isReopening = false
        guard var item else { return Reaction() }
        let generation = item.request.generation
        var reaction = Reaction()
        if let duration = media.duration, duration != item.duration {
            reaction.events.append(.durationChanged(duration))
        }
        if item.isSeekable != media.isSeekable { reaction.events.append(.seekabilityChanged(media.isSeekable)) }
        (item.duration, item.isSeekable) = (media.duration, media.isSeekable)
        if let tracks = item.tracks, tracks != media.tracks {
            item.selectCounterparts(in: media.tracks, of: tracks)
            reaction.events += [
                .tracksChanged(media.tracks), .audioSelected(id: item.audio ?? media.audio),
                .subtitleSelected(id: item.subtitle.map(\.id) ?? media.subtitle),
            ]
        }
        item.tracks = media.tracks
        if let audio = item.audio { reaction.commands.append(.selectAudio(generation, id: audio)) }
        if let subtitle = item.subtitle { reaction.commands.append(.selectSubtitle(generation, id: subtitle.id)) }
        if item.target != nil { reaction.events.append(.seeked(position: media.position)) }
        if item.isPausing { reaction.events.append(.paused(position: media.position)) }
        item.request.startPosition = media.position
        (item.target, item.isPausing) = (nil, false)
        self.item = item
        return reaction
    }

    // MARK: Restarts

    /// The engine is gone. Returns the events for the player.
    ///
    /// - Parameter time: now, on the clock of the events.
    package mutating func interrupt(_ notice: PlaybackNotice, at time: Duration) -> [(Generation, BackendEvent.Body)] {
        advance(to: time)
        var events = endOthers()
        if let generation = item?.request.generation ?? prepared?.request.generation {
            events.append((generation, .notice(notice)))
        }
        guard let current = item, current.isOpen else { return events }
        let generation = current.request.generation
        if current.isInterrupted { events.append((generation, .interruptionEnded(shouldResume: true))) }
        item?.isInterrupted = false
        if current.isActive { events.append((generation, .stalled(position: current.request.startPosition))) }
        return events
    }

    /// Moves the position on by the time that the engine has played since it reported the position.
    private mutating func advance(to time: Duration) {
        guard let current = item, let start = current.runsSince else { return }
        let elapsed = min(max(0, (time - start) / .seconds(1)), Self.reportInterval)
        let position = current.request.startPosition
        let end = current.duration.map { $0 - Self.reportInterval } ?? .infinity
        let next = max(position, min(position + elapsed * settings.rate, end))
        item?.request.startPosition = next
        item?.runsSince = nil
    }

    /// The commands for a new engine: the settings, and the item where it broke off.
    package mutating func commands() -> [BackendCommand] {
        var commands = settings.commands
        if let item {
            isReopening = true
            var request = item.request
            if let target = item.target { request.startPosition = target }
            // A stream without an end starts at its live edge.
            if item.isOpen, item.duration == nil { request.startPosition = 0 }
            commands.append(.open(request))
        }
        if let prepared { commands.append(.prepare(prepared.request, crossfade: prepared.crossfade)) }
        return commands
    }

    /// There will be no other engine. Returns the last events of all openings.
    package mutating func fail(_ error: (URL) -> PlaybackError) -> [(Generation, BackendEvent.Body)] {
        var events = endOthers()
        // The prepared item ends first, because the failure of the open one starts the next item.
        if let request = prepared?.request {
            events.append((request.generation, .failed(error(request.url), position: request.startPosition)))
        }
        if let request = item?.request {
            events.append((request.generation, .failed(error(request.item.url), position: request.startPosition)))
        }
        (item, prepared, openings) = (nil, nil, [])
        return events
    }

    /// Closes the openings that have been replaced.
    package mutating func endOthers() -> [(Generation, BackendEvent.Body)] {
        let kept = Set([item?.request.generation, prepared?.request.generation].compactMap(\.self))
        let others = openings.subtracting(kept).sorted()
        openings = kept
        return others.map { ($0, .closed) }
    }
}

/// Returns the number of the track with the same name and language; if several have them, the one at the same place.
private func counterpart<Track>(
    of id: Int, in old: [Track], among tracks: [Track], _ number: (Track) -> Int, description: (Track) -> [String?]
) -> Int? {
    guard let index = old.firstIndex(where: { number($0) == id }) else { return nil }
    let equals = tracks.indices.filter { description(tracks[$0]) == description(old[index]) }
    return (equals.first { $0 == index } ?? equals.first).map { number(tracks[$0]) }
}
