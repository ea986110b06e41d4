import Playback

extension BackendContract {
    static let playingCases = [
        Case("the-position-advances", "Reports the position as often as players need it, in pace with the clock.") {
            context in
            let clip = context.open()
            try await context.event("ended", of: clip)
            let events = context.events(of: clip).drop { $0.body.runningPosition == nil }
            for (event, next) in zip(events, events.dropFirst()) {
                let elapsed = next.hostTime - event.hostTime
                try context.require(elapsed >= .zero, "The time of an event is before that of the one before.")
                try context.require(
                    elapsed <= Playhead.reportTimeout || context.fixtures.mayStall,
                    "It was silent for \(elapsed.inSeconds.text) s: players extrapolate a position no further.")
            }
            let points = events.compactMap { event in
                event.body.runningPosition.map { (time: event.hostTime.inSeconds, position: $0) }
            }
            for (point, next) in zip(points, points.dropFirst()) {
                let (before, after) = (point.position, next.position)
                try context.require(before <= after, "The playhead went back from \(before.text) s to \(after.text) s.")
                let (step, elapsed) = (after - before, next.time - point.time)
                // A playhead that stalls is late, and never early.
                let expected = context.fixtures.mayStall ? min(step, elapsed) : elapsed
                try context.require("A step of the playhead", step, is: expected, slack: 0.25)
            }
            let last = points.last?.position ?? 0
            try context.require(last <= context.duration + context.fixtures.tolerance, "It ran to \(last.text) s.")
        },
        Case("pauses-and-resumes", "Answers a pause with paused, stays there, and resumes at the same position.") {
            context in
            let clip = context.open()
            try await context.time(clip, past: 0.2)
            let paused = try await context.send(.pause(clip), until: "paused", of: clip)
            try await context.requirePause(of: clip, since: paused)
            try await context.send(.play(clip), until: "playing", of: clip, at: paused.body.position)
            try await context.event("ended", of: clip)
        },
        Case(
            "reports-buffered-ranges", "Reports the received parts of an item, which contain the playhead.",
            .feature(.bufferedRanges), .optionalFile(\.remote, "file on a server")
        ) { context in
            let clip = context.open(context.fixtures.remote)
            try await context.event("bufferedRangesChanged", of: clip)
            try await context.event("ended", of: clip)
            let tolerance = context.fixtures.tolerance
            var received: [ClosedRange<Double>]?
            for event in context.events(of: clip) {
                if case .bufferedRangesChanged(let ranges) = event.body {
                    for (range, next) in zip(ranges, ranges.dropFirst()) {
                        try context.require(range.upperBound < next.lowerBound, "Two ranges are not in order.")
                    }
                    let ends = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
                    let stray = ends.first { $0 < 0 || $0 > context.duration + tolerance }
                    try context.require(stray == nil, "A range ends at \(stray?.text ?? "") s.")
                    received = ranges
                }
                guard let position = event.body.runningPosition, let received else { continue }
                let contains = received.contains {
                    ($0.lowerBound - tolerance...$0.upperBound + tolerance).contains(position)
                }
                try context.require(contains, "No range contains the playhead at \(position.text) s.")
            }
        },
    ]

    static let endingCases = [
        Case("ends-once", "Ends once, at the duration and not too early, and reports nothing after.") { context in
            let clip = context.open()
            let begin = try await context.event("playing", of: clip)
            let end = try await context.event("ended", of: clip, at: context.duration)
            try await context.requireOneEnd(of: clip, after: 0.5)
            // A busy machine plays more slowly. It never plays faster.
            let time = (end.hostTime - begin.hostTime).inSeconds
            try context.require(
                time >= context.duration - context.fixtures.tolerance - 0.5,
                "It ended \(time.text) s after its beginning, before its duration of \(context.duration.text) s.")
        },
        Case("closes-once", "Answers a close with closed, once, and reports nothing after, whatever the commands.") {
            context in
            let clip = context.open()
            try await context.time(clip, past: 0)
            try await context.send(.close(clip), until: "closed", of: clip)
            context.send(.play(clip), .seek(clip, to: 1), .pause(clip), .close(clip))
            try await context.requireOneEnd(of: clip, after: 0.5)
        },
        Case("closes-an-item-that-is-opening", "Closes an item that is not open yet.") { context in
            let clip = context.open()
            try await context.send(.close(clip), until: "closed", of: clip)
            try await context.requireOneEnd(of: clip, after: 0.5)
        },
        Case("reports-nothing-after-the-end", "Reports nothing about an item that has ended, whatever the commands.") {
            context in
            let clip = context.open(at: context.duration - 0.5)
            try await context.event("ended", of: clip)
            context.send(.play(clip), .seek(clip, to: 0), .pause(clip), .close(clip))
            try await context.requireOneEnd(of: clip, after: 0.5)
        },
        Case("opens-again-after-every-end", "Plays again after an item has ended, has failed, and was closed.") {
            context in
            let ended = context.open(at: context.duration - 0.5)
            try await context.event("ended", of: ended)
            let closed = try await context.play()
            try await context.send(.close(closed), until: "closed", of: closed)
            let failed = context.open(context.fixtures.missing)
            try await context.event("failed", of: failed)
            let last = context.open(at: context.duration - 0.5)
            try await context.event("ended", of: last)
            for generation in [ended, closed, failed, last] { try await context.requireOneEnd(of: generation) }
        },
        Case(
            "closes-with-its-last-reference",
            "Closes everything with its last reference, and releases the event handler."
        ) { context in
            let clip = try await context.play()
            context.drop()
            try await context.endOfEvents()
            let ends = context.events(of: clip).count { $0.body.isTerminal }
            try context.require(ends <= 1, "The item ended \(ends) times.")
        },
    ]
}
