import Playback

extension BackendContract {
    static let playingCases = [
        Case(
            "time-runs-forwards", "Tells where the playhead is, as often as players need it, in pace with the clock."
        ) { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.ended(clip)
            let events = trial.events(of: clip).drop { $0.body.runningPosition == nil }
            for (event, next) in zip(events, events.dropFirst()) {
                let elapsed = next.hostTime - event.hostTime
                try trial.require(elapsed >= .zero, "The time of an event is before that of the one before.")
                try trial.require(
                    elapsed <= Playhead.longestSilence,
                    "It was silent for \(elapsed.inSeconds.text) s: players do not believe that it runs for so long.")
            }
            let points = events.filter { $0.body.runningPosition != nil }
            for (point, next) in zip(points, points.dropFirst()) {
                let (before, after) = (point.body.runningPosition ?? 0, next.body.runningPosition ?? 0)
                try trial.require(before <= after, "The playhead went back from \(before.text) s to \(after.text) s.")
                let elapsed = (next.hostTime - point.hostTime).inSeconds
                try trial.require("A step of the playhead", after - before, is: elapsed, slack: 0.25)
            }
            let last = points.last?.body.runningPosition ?? 0
            try trial.require(last <= trial.fixtures.duration + trial.fixtures.tolerance, "It ran to \(last.text) s.")
        },
        Case("pauses-and-goes-on", "Answers a pause with paused, stands still, and goes on where it was.") { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.time(clip, past: 0.2)
            trial.send(.pause(clip))
            let paused = try await trial.event("paused", of: clip) { if case .paused = $0 { true } else { false } }
            try await trial.requireStandstill(of: clip, since: paused)
            guard case .paused(let position) = paused.body else { return }
            let mark = trial.now
            trial.send(.play(clip))
            let playing = try await trial.playing(clip, after: mark)
            try trial.require("The position", playing.position, is: position)
            try await trial.ended(clip)
        },
    ]

    static let endingCases = [
        Case("ends-once", "Ends once, at the duration and not before its time, and tells nothing after.") { trial in
            let clip = trial.open(trial.fixtures.clip)
            let begin = try await trial.playing(clip).event.hostTime
            let (end, position) = try await trial.ended(clip)
            try await trial.pass(0.5)
            try trial.requireOneEnd(of: clip)
            try trial.require("The end", position, is: trial.fixtures.duration)
            try trial.require(
                "The time from the beginning to the end", (end.hostTime - begin).inSeconds, is: trial.fixtures.duration,
                slack: 0.5)
        },
        Case("closes-once", "Answers a close with closed, once, and tells nothing after, whatever it is asked then.") {
            trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.time(clip, past: 0)
            trial.send(.close(clip))
            try await trial.closed(clip)
            for command in [.play(clip), .seek(clip, to: 1), .pause(clip), .close(clip)] as [BackendCommand] {
                trial.send(command)
            }
            try await trial.pass(0.5)
            try trial.requireOneEnd(of: clip)
        },
        Case("closes-what-is-still-being-opened", "Closes a medium that is not open yet.") { trial in
            let clip = trial.open(trial.fixtures.clip)
            trial.send(.close(clip))
            try await trial.closed(clip)
            try await trial.pass(0.5)
            try trial.requireOneEnd(of: clip)
        },
        Case("stays-silent-after-the-end", "Tells nothing of a medium that has ended, whatever it is asked.") { trial in
            let clip = trial.open(trial.fixtures.clip, at: trial.fixtures.duration - 0.5)
            try await trial.ended(clip)
            for command in [.play(clip), .seek(clip, to: 0), .pause(clip), .close(clip)] as [BackendCommand] {
                trial.send(command)
            }
            try await trial.pass(0.5)
            try trial.requireOneEnd(of: clip)
        },
        Case("opens-again-after-every-end", "Plays again after a medium has ended, has failed, and was closed.") {
            trial in
            let ended = trial.open(trial.fixtures.clip, at: trial.fixtures.duration - 0.5)
            try await trial.ended(ended)
            let closed = trial.open(trial.fixtures.clip)
            try await trial.playing(closed)
            trial.send(.close(closed))
            try await trial.closed(closed)
            let failed = trial.open(trial.fixtures.missing)
            try await trial.event("failed", of: failed) { if case .failed = $0 { true } else { false } }
            let last = trial.open(trial.fixtures.clip, at: trial.fixtures.duration - 0.5)
            try await trial.ended(last)
            for generation in [ended, closed, failed, last] { try trial.requireOneEnd(of: generation) }
        },
        Case(
            "goes-with-its-last-reference", "Closes everything with its last reference, and releases the event handler."
        ) { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            trial.drop()
            try await trial.endOfEvents()
            let ends = trial.events(of: clip).count { $0.body.isTerminal }
            try trial.require(ends <= 1, "The medium ended \(ends) times.")
        },
    ]
}
