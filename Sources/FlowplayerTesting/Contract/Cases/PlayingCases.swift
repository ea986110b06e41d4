import Playback

extension BackendContract {
    static let playingCases = [
        Case(
            "time-runs-forwards", "Reports the position as often as players need it, in pace with the clock."
        ) { context in
            let clip = context.open(context.fixtures.clip)
            try await context.ended(clip)
            let events = context.events(of: clip).drop { $0.body.runningPosition == nil }
            for (event, next) in zip(events, events.dropFirst()) {
                let elapsed = next.hostTime - event.hostTime
                try context.require(elapsed >= .zero, "The time of an event is before that of the one before.")
                try context.require(
                    elapsed <= Playhead.longestSilence,
                    "It was silent for \(elapsed.inSeconds.text) s: players extrapolate a position no further.")
            }
            let points = events.filter { $0.body.runningPosition != nil }
            for (point, next) in zip(points, points.dropFirst()) {
                let (before, after) = (point.body.runningPosition ?? 0, next.body.runningPosition ?? 0)
                try context.require(before <= after, "The playhead went back from \(before.text) s to \(after.text) s.")
                let elapsed = (next.hostTime - point.hostTime).inSeconds
                try context.require("A step of the playhead", after - before, is: elapsed, slack: 0.25)
            }
            let last = points.last?.body.runningPosition ?? 0
            try context.require(
                last <= context.fixtures.duration + context.fixtures.tolerance, "It ran to \(last.text) s.")
        },
        Case("pauses-and-goes-on", "Answers a pause with paused, stays there, and resumes at the same position.") {
            context in
            let clip = context.open(context.fixtures.clip)
            try await context.time(clip, past: 0.2)
            context.send(.pause(clip))
            let paused = try await context.event("paused", of: clip) { if case .paused = $0 { true } else { false } }
            try await context.requireStandstill(of: clip, since: paused)
            guard case .paused(let position) = paused.body else { return }
            let mark = context.now
            context.send(.play(clip))
            let playing = try await context.playing(clip, after: mark)
            try context.require("The position", playing.position, is: position)
            try await context.ended(clip)
        },
    ]

    static let endingCases = [
        Case("ends-once", "Ends once, at the duration and not too early, and reports nothing after.") { context in
            let clip = context.open(context.fixtures.clip)
            let begin = try await context.playing(clip).event.hostTime
            let (end, position) = try await context.ended(clip)
            try await context.pass(0.5)
            try context.requireOneEnd(of: clip)
            try context.require("The end", position, is: context.fixtures.duration)
            try context.require(
                "The time from the beginning to the end", (end.hostTime - begin).inSeconds,
                is: context.fixtures.duration,
                slack: 0.5)
        },
        Case("closes-once", "Answers a close with closed, once, and reports nothing after, whatever the commands.") {
            context in
            let clip = context.open(context.fixtures.clip)
            try await context.time(clip, past: 0)
            context.send(.close(clip))
            try await context.closed(clip)
            for command in [.play(clip), .seek(clip, to: 1), .pause(clip), .close(clip)] as [BackendCommand] {
                context.send(command)
            }
            try await context.pass(0.5)
            try context.requireOneEnd(of: clip)
        },
        Case("closes-what-is-still-being-opened", "Closes an item that is not open yet.") { context in
            let clip = context.open(context.fixtures.clip)
            context.send(.close(clip))
            try await context.closed(clip)
            try await context.pass(0.5)
            try context.requireOneEnd(of: clip)
        },
        Case("stays-silent-after-the-end", "Reports nothing about an item that has ended, whatever the commands.") {
            context in
            let clip = context.open(context.fixtures.clip, at: context.fixtures.duration - 0.5)
            try await context.ended(clip)
            for command in [.play(clip), .seek(clip, to: 0), .pause(clip), .close(clip)] as [BackendCommand] {
                context.send(command)
            }
            try await context.pass(0.5)
            try context.requireOneEnd(of: clip)
        },
        Case("opens-again-after-every-end", "Plays again after an item has ended, has failed, and was closed.") {
            context in
            let ended = context.open(context.fixtures.clip, at: context.fixtures.duration - 0.5)
            try await context.ended(ended)
            let closed = context.open(context.fixtures.clip)
            try await context.playing(closed)
            context.send(.close(closed))
            try await context.closed(closed)
            let failed = context.open(context.fixtures.missing)
            try await context.event("failed", of: failed) { if case .failed = $0 { true } else { false } }
            let last = context.open(context.fixtures.clip, at: context.fixtures.duration - 0.5)
            try await context.ended(last)
            for generation in [ended, closed, failed, last] { try context.requireOneEnd(of: generation) }
        },
        Case(
            "goes-with-its-last-reference", "Closes everything with its last reference, and releases the event handler."
        ) { context in
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            context.drop()
            try await context.endOfEvents()
            let ends = context.events(of: clip).count { $0.body.isTerminal }
            try context.require(ends <= 1, "The item ended \(ends) times.")
        },
    ]
}
