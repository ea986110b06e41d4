import Playback

extension BackendContract {
    static let openingCases = [
        Case("opened-comes-once-and-first", "Tells that a medium is open once, before everything that needs it to be.")
        { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.ended(clip)
            let events = trial.events(of: clip)
            let count = events.count { if case .opened = $0.body { true } else { false } }
            try trial.require(count == 1, "It told opened \(count) times.")
            let first = events.first { !$0.body.mayPrecedeOpened }
            try trial.require(
                first?.body.text.hasPrefix("opened ") == true, "Before opened came: \(first?.body.text ?? "nothing").")
        },
        Case("opened-tells-the-medium", "Tells how long a medium is, that it can be sought, and what is in it.") {
            trial in
            let media = try await trial.opened(trial.open(trial.fixtures.clip, plays: false))
            try trial.require("The duration", media.duration ?? 0, is: trial.fixtures.duration)
            try trial.require("The position", media.position, is: 0)
            try trial.require(media.isSeekable, "It says that the medium cannot be sought.")
            try trial.require(media.playbackType != .live, "It says that the medium is live.")
            try trial.require(
                media.tracks.audio.count == 1 && media.tracks.video.count == 1,
                "It tells \(media.tracks.audio.count) sounds and \(media.tracks.video.count) pictures, not one of each."
            )
            try trial.require(
                media.audio == media.tracks.audio.first?.id, "The sound that is heard is not in the list.")
        },
        Case("waits-until-it-is-played", "A medium that is not to play when it is ready waits at its beginning.") {
            trial in
            let clip = trial.open(trial.fixtures.clip, plays: false)
            try await trial.opened(clip)
            try await trial.requireStandstill(of: clip)
            trial.send(.play(clip))
            try trial.require("The position", try await trial.playing(clip).position, is: 0)
        },
        Case("plays-when-it-is-ready", "A medium that is to play when it is ready does so by itself.") { trial in
            let playing = try await trial.playing(trial.open(trial.fixtures.clip))
            try trial.require("The position", playing.position, is: 0)
        },
        Case("remembers-a-play-that-comes-early", "Plays if it is told to before the medium is open.") { trial in
            let clip = trial.open(trial.fixtures.clip, plays: false)
            trial.send(.play(clip))
            try await trial.playing(clip)
        },
        Case("remembers-a-pause-that-comes-early", "Stands still if it is told to before the medium is open.") {
            trial in
            let clip = trial.open(trial.fixtures.clip)
            trial.send(.pause(clip))
            try await trial.opened(clip)
            try await trial.pass(0.3)
            try await trial.requireStandstill(of: clip)
        },
        Case("begins-where-it-is-told", "Begins at the position with which a medium is opened.") { trial in
            let middle = trial.fixtures.duration / 2
            let clip = trial.open(trial.fixtures.clip, at: middle)
            try trial.require("The position", try await trial.playing(clip).position, is: middle)
            try await trial.ended(clip)
            for event in trial.events(of: clip) {
                if let position = event.body.runningPosition {
                    try trial.require(
                        position > middle - trial.fixtures.tolerance, "It was at \(position.text) s before that.")
                }
            }
        },
        Case("plays-sound-alone", "Plays a medium without a picture.") { trial in
            let sound = trial.open(trial.fixtures.sound)
            let media = try await trial.opened(sound)
            try trial.require(media.tracks.video.isEmpty, "It tells a picture.")
            try trial.require(media.tracks.audio.count == 1, "It tells \(media.tracks.audio.count) sounds, not one.")
            try await trial.ended(sound)
        },
        Case(
            "a-missing-medium-fails-once", "Fails once where there is nothing, with the cause, and tells nothing after."
        ) { trial in
            let missing = trial.open(trial.fixtures.missing)
            let event = try await trial.event("failed", of: missing) { if case .failed = $0 { true } else { false } }
            try await trial.pass(0.5)
            try trial.requireOneEnd(of: missing)
            guard case .failed(let error, _) = event.body else { return }
            try trial.require(
                error.code != .engineFailed && error.code != .unrecognisedFormat,
                "The error \(error.code.name) does not say that there is nothing.")
            try trial.require(error.url == trial.fixtures.missing.redacted, "The error does not say what is missing.")
        },
        Case("another-opening-closes-the-first", "Closes what is open, once, before it opens something else.") {
            trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.time(clip, past: 0)
            let sound = trial.open(trial.fixtures.sound)
            try await trial.ended(sound)
            try trial.requireOneEnd(of: clip)
            try trial.require(trial.events(of: clip).last?.body == .closed, "The first was not closed.")
            let firstOfSecond = trial.events.firstIndex { $0.generation == sound }
            let lastOfFirst = trial.events.lastIndex { $0.generation == clip }
            try trial.require(
                lastOfFirst ?? 0 < firstOfSecond ?? 0, "It told something of the first after it began with the second.")
        },
        Case("of-many-openings-the-last-plays", "Closes each of many openings at once, and plays the last.") { trial in
            let openings = (1...10).map { _ in trial.open(trial.fixtures.clip) }
            try await trial.ended(openings[9])
            for opening in openings.dropLast() {
                try trial.requireOneEnd(of: opening)
                try trial.require(trial.events(of: opening).last?.body == .closed, "One was not closed.")
            }
            try trial.requireOneEnd(of: openings[9])
        },
    ]
}

extension BackendEvent.Body {
    fileprivate var mayPrecedeOpened: Bool {
        switch self {
        case .buffered, .notice: true
        default: false
        }
    }
}
