import Playback

extension BackendContract {
    static let seekingCases = [
        Case("seeks-while-it-plays", "Reaches the target of a seek, reports it, and resumes there.") { context in
            let target = context.duration * 0.6
            let clip = try await context.play()
            try await context.send(.seek(clip, to: target), until: "seeked", of: clip, at: target)
            try await context.event("ended", of: clip)
            try context.requirePositions(of: clip, after: context.indexAfterLastSeek(of: clip), from: target)
        },
        Case("seeks-while-it-is-paused", "Reaches the target of a seek while it is paused, and stays paused there.") {
            context in
            let target = context.duration / 2
            let clip = context.open(plays: false)
            try await context.opened(clip)
            try await context.send(.seek(clip, to: target), until: "seeked", of: clip, at: target)
            try await context.requirePause(of: clip)
            try await context.send(.play(clip), until: "playing", of: clip, at: target)
        },
        Case(
            "seeks-right-after-a-pause",
            "Reaches the target of a seek that follows a pause at once, and stays paused there."
        ) { context in
            let target = context.duration / 2
            let clip = try await context.play()
            let mark = context.now
            context.send(.pause(clip), .seek(clip, to: target))
            try await context.event("seeked", of: clip, after: mark, at: target)
            try await context.requirePause(of: clip)
            try await context.send(.play(clip), until: "playing", of: clip, at: target)
        },
        Case(
            "seeks-close-to-the-end-while-it-is-paused",
            "Reaches a target just before the end while it is paused, and ends from there."
        ) { context in
            let clip = context.open(plays: false)
            let duration = try await context.opened(clip).duration ?? context.duration
            let target = duration - 0.2
            try await context.send(.seek(clip, to: target), until: "seeked", of: clip, at: target)
            try await context.requirePause(of: clip)
            context.send(.play(clip))
            try await context.endsOnce(clip, at: duration)
        },
        Case("seeks-back", "Goes back to the beginning.") { context in
            let clip = context.open(at: context.duration / 2)
            try await context.time(clip, past: context.duration / 2)
            try await context.send(.seek(clip, to: 0), until: "seeked", of: clip, at: 0)
            let end = context.indexAfterLastSeek(of: clip)
            let next = try await context.event("its new position", of: clip, after: end) { $0.runningPosition != nil }
            try context.require("The position after it", next.body.runningPosition ?? -1, is: 0, slack: 0.5)
        },
        Case("of-many-seeks-the-last-counts", "Comes to the target of the last of many seeks at once.") { context in
            let target = context.duration / 2
            let clip = try await context.play()
            for step in 1...20 { context.send(.seek(clip, to: Double(step % 4) / 4 * context.duration)) }
            try await context.send(.seek(clip, to: target), until: "ended", of: clip)
            let answer = context.events(of: clip).last { $0.body.name == "seeked" }
            try context.require("The position of the last answer", answer?.body.position ?? -1, is: target)
            try context.requirePositions(of: clip, after: context.indexAfterLastSeek(of: clip), from: target)
        },
        Case(
            "seeks-to-a-keyframe", "Comes to a keyframe, reports its position, and resumes there.",
            .feature(.keyframeSeeking)
        ) { context in
            let target = context.duration * 0.6
            let clip = try await context.play()
            context.send(.seek(clip, to: target, tolerance: .keyframe))
            let answer = try await context.event("seeked", of: clip)
            let position = answer.body.position ?? -1
            try context.require((0...context.duration).contains(position), "It reports the position \(position).")
            try await context.event("ended", of: clip)
            try context.requirePositions(of: clip, after: context.indexAfterLastSeek(of: clip), from: position)
        },
        Case("a-seek-to-the-end-ends", "Ends if it is sent to the end while it plays.") { context in
            let clip = context.open()
            let duration = try await context.opened(clip).duration ?? context.duration
            try await context.event("playing", of: clip)
            context.send(.seek(clip, to: duration))
            try await context.endsOnce(clip, at: duration)
        },
        Case(
            "a-seek-beyond-the-end-is-answered",
            "Ends, or reports that it stays at its position, after a seek past the end."
        ) { context in
            let clip = try await context.play()
            context.send(.seek(clip, to: context.duration + 60))
            try await context.endsOnce(clip, at: context.duration)
            try context.requirePositions(of: clip, to: context.duration)
        },
    ]
}

extension ContractContext {
    /// The number of events up to the end of the newest seek.
    fileprivate func indexAfterLastSeek(of generation: Generation) -> Int {
        let seek = events.lastIndex { $0.generation == generation && $0.body.name == "seeked" }
        return seek.map { $0 + 1 } ?? 0
    }
}
