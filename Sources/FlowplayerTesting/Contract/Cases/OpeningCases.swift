import Playback

extension BackendContract {
    static let openingCases = [
        Case("opened-comes-once-and-first", "Reports once that an item is open, before all events that need it.") {
            context in
            let clip = context.open(context.fixtures.clip)
            try await context.ended(clip)
            let events = context.events(of: clip)
            let count = events.count { if case .opened = $0.body { true } else { false } }
            try context.require(count == 1, "It reported opened \(count) times.")
            let first = events.first { !$0.body.mayPrecedeOpened }
            try context.require(
                first?.body.text.hasPrefix("opened ") == true, "Before opened came: \(first?.body.text ?? "nothing").")
        },
        Case("opened-tells-the-medium", "Reports the duration, the seekability and the tracks of an item.") {
            context in
            let media = try await context.opened(context.open(context.fixtures.clip, plays: false))
            try context.require("The duration", media.duration ?? 0, is: context.fixtures.duration)
            try context.require("The position", media.position, is: 0)
            try context.require(media.isSeekable, "It reports that the item is not seekable.")
            try context.require(media.playbackType != .live, "It reports that the item is live.")
            try context.require(
                media.tracks.audio.count == 1 && media.tracks.video.count == 1,
                "It reports \(media.tracks.audio.count) audio and \(media.tracks.video.count) video tracks, not one of each."
            )
            try context.require(
                media.audio == media.tracks.audio.first?.id, "The selected audio track is not in the list.")
        },
        Case("waits-until-it-is-played", "An item that does not play when it is ready waits at its beginning.") {
            context in
            let clip = context.open(context.fixtures.clip, plays: false)
            try await context.opened(clip)
            try await context.requireStandstill(of: clip)
            context.send(.play(clip))
            try context.require("The position", try await context.playing(clip).position, is: 0)
        },
        Case("plays-when-it-is-ready", "An item that plays when it is ready starts automatically.") { context in
            let playing = try await context.playing(context.open(context.fixtures.clip))
            try context.require("The position", playing.position, is: 0)
        },
        Case("remembers-a-play-that-comes-early", "Plays if the command comes before the item is open.") { context in
            let clip = context.open(context.fixtures.clip, plays: false)
            context.send(.play(clip))
            try await context.playing(clip)
        },
        Case("remembers-a-pause-that-comes-early", "Stays paused if the command comes before the item is open.") {
            context in
            let clip = context.open(context.fixtures.clip)
            context.send(.pause(clip))
            try await context.opened(clip)
            try await context.pass(0.3)
            try await context.requireStandstill(of: clip)
        },
        Case("begins-where-it-is-told", "Starts at the position with which an item is opened.") { context in
            let middle = context.fixtures.duration / 2
            let clip = context.open(context.fixtures.clip, at: middle)
            try context.require("The position", try await context.playing(clip).position, is: middle)
            try await context.ended(clip)
            for event in context.events(of: clip) {
                if let position = event.body.runningPosition {
                    try context.require(
                        position > middle - context.fixtures.tolerance, "It was at \(position.text) s before that.")
                }
            }
        },
        Case("plays-sound-alone", "Plays an item without video.") { context in
            let sound = context.open(context.fixtures.sound)
            let media = try await context.opened(sound)
            try context.require(media.tracks.video.isEmpty, "It reports a video track.")
            try context.require(
                media.tracks.audio.count == 1, "It reports \(media.tracks.audio.count) audio tracks, not one.")
            try await context.ended(sound)
        },
        Case(
            "a-missing-medium-fails-once", "Fails once if there is no file, with the cause, and reports nothing after."
        ) { context in
            let missing = context.open(context.fixtures.missing)
            let event = try await context.event("failed", of: missing) { if case .failed = $0 { true } else { false } }
            try await context.pass(0.5)
            try context.requireOneEnd(of: missing)
            guard case .failed(let error, _) = event.body else { return }
            try context.require(
                error.code != .engineFailed && error.code != .unrecognisedFormat,
                "The error \(error.code.name) does not say that there is nothing.")
            try context.require(
                error.url == context.fixtures.missing.redacted, "The error does not say what is missing.")
        },
        Case("another-opening-closes-the-first", "Closes what is open, once, before it opens something else.") {
            context in
            let clip = context.open(context.fixtures.clip)
            try await context.time(clip, past: 0)
            let sound = context.open(context.fixtures.sound)
            try await context.ended(sound)
            try context.requireOneEnd(of: clip)
            try context.require(context.events(of: clip).last?.body == .closed, "The first was not closed.")
            let firstOfSecond = context.events.firstIndex { $0.generation == sound }
            let lastOfFirst = context.events.lastIndex { $0.generation == clip }
            try context.require(
                lastOfFirst ?? 0 < firstOfSecond ?? 0, "It reported the first item after the second one had begun.")
        },
        Case("of-many-openings-the-last-plays", "Closes each of many openings at once, and plays the last.") {
            context in
            let openings = (1...10).map { _ in context.open(context.fixtures.clip) }
            try await context.ended(openings[9])
            for opening in openings.dropLast() {
                try context.requireOneEnd(of: opening)
                try context.require(context.events(of: opening).last?.body == .closed, "One was not closed.")
            }
            try context.requireOneEnd(of: openings[9])
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
