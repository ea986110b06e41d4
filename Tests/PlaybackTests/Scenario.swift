import Foundation

@testable import Playback

/// A machine with its own clock, for one scenario.
struct Scenario {
    static let url = URL(filePath: "/media/clip.mp4")
    static let item = PlayerItem(url: url)
    static let deferred = PlayerItem(deferredWith: MediaMetadata())
    static let tracks = MediaTracks(
        audio: [AudioTrack(id: 1, name: "English", lang: "en"), AudioTrack(id: 2, name: "Deutsch", lang: "de")],
        subtitles: [SubtitleTrack(id: 11, name: "English"), SubtitleTrack(id: 12, name: "Deutsch")])

    var machine = PlaybackMachine()
    var now = Duration.zero
    var events: [PlayerEvent] = []

    var snapshot: PlayerSnapshot { machine.snapshot }

    /// Positions left out.
    var reported: [PlayerEvent] { events.filter { if case .position = $0 { false } else { true } } }

    var states: [PlayerState] { events.compactMap { if case .state(let state) = $0 { state } else { nil } } }

    @discardableResult
    mutating func command(_ command: PlayerCommand) -> [BackendCommand] {
        handle(.command(command, at: now))
    }

    /// An event about the generation that is open, or another one.
    @discardableResult
    mutating func backend(_ body: BackendEvent.Body, generation: Generation? = nil) -> [BackendCommand] {
        handle(.backend(BackendEvent(body, generation: generation ?? snapshot.generation, hostTime: now)))
    }

    mutating func wait(_ seconds: Double) { now += .seconds(seconds) }

    @discardableResult
    mutating func load(
        autoPlay: Bool = true, duration: Double? = 10, isSeekable: Bool = true
    ) -> [BackendCommand] {
        let commands = command(.load(Self.item, autoPlay: autoPlay))
        opened(duration: duration, isSeekable: isSeekable)
        if autoPlay { backend(.playing(position: snapshot.position)) }
        return commands
    }

    @discardableResult
    mutating func opened(
        duration: Double? = 10, isSeekable: Bool = true, tracks: MediaTracks = .none, subtitle: Int? = nil,
        dvrWindow: DVRWindow? = nil, position: Double = 0
    ) -> [BackendCommand] {
        backend(
            .opened(
                OpenedMedia(
                    duration: duration, isSeekable: isSeekable, playbackType: dvrWindow == nil ? .file : .live,
                    tracks: tracks, subtitle: subtitle, dvrWindow: dvrWindow, position: position)))
    }

    private mutating func handle(_ input: PlaybackMachine.Input) -> [BackendCommand] {
        let before = snapshot
        let effects = machine.handle(input)
        events += PlayerEvent.differences(from: before, to: snapshot)
        return effects.compactMap { effect in
            if case .send(let command) = effect { command } else { nil }
        }
    }
}

extension PlaybackError {
    static let test = PlaybackError(.endedEarly, url: Scenario.url)
}
