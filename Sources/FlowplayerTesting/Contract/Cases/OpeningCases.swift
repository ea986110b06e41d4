import Playback

extension BackendContract {
    static let openingCases = [
        Case("opened-comes-once-and-first", "Reports once that an item is open, before all events that need it.") {
            context in
            let clip = context.open()
            try await context.event("ended", of: clip)
            let names = context.events(of: clip).map(\.body.name)
            let count = names.count { $0 == "opened" }
            try context.require(count == 1, "It reported opened \(count) times.")
            let first = names.first { !["buffered", "capabilitiesChanged", "notice"].contains($0) }
            try context.require(first == "opened", "Before opened came: \(first ?? "nothing").")
        },
        Case("opened-describes-the-item", "Reports the duration, the seekability and the tracks of an item.") {
            context in
            let media = try await context.opened(context.open(plays: false))
            try context.require("The duration", media.duration ?? 0, is: context.duration)
            try context.require("The position", media.position, is: 0)
            try context.require(media.isSeekable, "It reports that the item is not seekable.")
            try context.require(media.playbackType != .live, "It reports that the item is live.")
            let (audio, video) = (media.tracks.audio, media.tracks.video)
            let showsVideo = !context.capabilities.features.isDisjoint(with: [.window, .frames, .videoSize])
            try context.require(
                audio.count == 1 && (video.count == 1 || video.isEmpty && !showsVideo),
                "It reports \(audio.count) audio and \(video.count) video tracks, not one of each.")
            try context.require(media.audio == audio.first?.id, "The selected audio track is not in the list.")
        },
        Case("waits-until-it-is-played", "An item that does not play when it is ready waits at its beginning.") {
            context in
            let clip = context.open(plays: false)
            try await context.opened(clip)
            try await context.requirePause(of: clip)
            try await context.send(.play(clip), until: "playing", of: clip, at: 0)
        },
        Case("plays-when-it-is-ready", "An item that plays when it is ready starts automatically.") { context in
            try await context.event("playing", of: context.open(), at: 0)
        },
        Case("plays-after-an-early-play", "Plays if the command comes before the item is open.") { context in
            let clip = context.open(plays: false)
            try await context.send(.play(clip), until: "playing", of: clip)
        },
        Case("stays-paused-after-an-early-pause", "Stays paused if the command comes before the item is open.") {
            context in
            let clip = context.open()
            context.send(.pause(clip))
            try await context.opened(clip)
            try await context.pass(0.3)
            try await context.requirePause(of: clip)
        },
        Case("starts-at-the-given-position", "Starts at the position with which an item is opened.") { context in
            let middle = context.duration / 2
            let clip = context.open(at: middle)
            try await context.event("playing", of: clip, at: middle)
            try await context.event("ended", of: clip)
            try context.requirePositions(of: clip, from: middle)
        },
        Case("plays-audio-alone", "Plays an item without video.") { context in
            let audio = context.open(context.fixtures.audio)
            let tracks = try await context.opened(audio).tracks
            try context.require(tracks.video.isEmpty, "It reports a video track.")
            try context.require(tracks.audio.count == 1, "It reports \(tracks.audio.count) audio tracks, not one.")
            try await context.event("ended", of: audio)
        },
        Case(
            "a-missing-file-fails-once", "Fails once if there is no file, with the cause, and reports nothing after."
        ) { context in
            let missing = context.open(context.fixtures.missing)
            let event = try await context.event("failed", of: missing)
            try await context.requireOneEnd(of: missing, after: 0.5)
            guard case .failed(let error, _) = event.body else { return }
            try context.require(
                error.code != .engineFailed && error.code != .unrecognisedFormat,
                "The error \(error.code.name) does not say that there is nothing.")
            try context.require(
                error.url == context.fixtures.missing.redacted, "The error does not name the missing file.")
        },
        Case("another-opening-closes-the-first", "Closes the open item, once, before it opens another one.") {
            context in
            let clip = context.open()
            try await context.time(clip, past: 0)
            let audio = context.open(context.fixtures.audio)
            try await context.event("ended", of: audio)
            try await context.requireReplacement(of: clip)
            let firstOfSecond = context.events.firstIndex { $0.generation == audio }
            let lastOfFirst = context.events.lastIndex { $0.generation == clip }
            try context.require(
                lastOfFirst ?? 0 < firstOfSecond ?? 0, "It reported the first item after the second one had begun.")
        },
        Case("of-many-openings-the-last-plays", "Closes each of many openings at once, and plays the last.") {
            context in
            let openings = (1...10).map { _ in context.open() }
            try await context.event("ended", of: openings[9])
            for opening in openings.dropLast() { try await context.requireReplacement(of: opening) }
            try await context.requireOneEnd(of: openings[9])
        },
    ]
}

extension ContractContext {
    /// Throws unless an item ended once, and by being closed.
    fileprivate func requireReplacement(of generation: Generation) async throws {
        try await requireOneEnd(of: generation)
        try require(events(of: generation).last?.body == .closed, "\(generation.rawValue) was not closed.")
    }
}
