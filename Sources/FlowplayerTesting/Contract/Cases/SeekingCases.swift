import Playback

extension BackendContract {
    static let seekingCases = [
        Case("seeks-while-it-plays", "Reaches the target of a seek, reports it, and resumes there.") { context in
            let target = context.fixtures.duration * 0.6
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            context.send(.seek(clip, to: target))
            try context.require("The position", try await context.seeked(clip, after: 0), is: target)
            try await context.ended(clip)
            try context.requireNothingBefore(target, sinceLastSeekOf: clip)
        },
        Case("seeks-while-it-stands", "Reaches the target of a seek while it is paused, and stays paused there.") {
            context in
            let target = context.fixtures.duration / 2
            let clip = context.open(context.fixtures.clip, plays: false)
            try await context.opened(clip)
            context.send(.seek(clip, to: target))
            try context.require("The position", try await context.seeked(clip, after: 0), is: target)
            try await context.requireStandstill(of: clip)
            context.send(.play(clip))
            try context.require("The position", try await context.playing(clip).position, is: target)
        },
        Case("seeks-back", "Goes back to the beginning.") { context in
            let clip = context.open(context.fixtures.clip, at: context.fixtures.duration / 2)
            try await context.time(clip, past: context.fixtures.duration / 2)
            let mark = context.now
            context.send(.seek(clip, to: 0))
            try context.require("The position", try await context.seeked(clip, after: mark), is: 0)
            let next = try await context.event(
                "its new position", of: clip, after: context.indexAfterLastSeek(of: clip)
            ) {
                $0.runningPosition != nil
            }
            try context.require("The position after it", next.body.runningPosition ?? -1, is: 0, slack: 0.5)
        },
        Case("of-many-seeks-the-last-counts", "Comes to the target of the last of many seeks at once.") { context in
            let target = context.fixtures.duration / 2
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            for step in 1...20 { context.send(.seek(clip, to: Double(step % 4) / 4 * context.fixtures.duration)) }
            context.send(.seek(clip, to: target))
            try await context.ended(clip)
            let answers = context.events(of: clip).compactMap {
                if case .seeked(let position) = $0.body { position } else { nil }
            }
            try context.require("The position of the last answer", answers.last ?? -1, is: target)
            try context.requireNothingBefore(target, sinceLastSeekOf: clip)
        },
        Case("a-seek-to-the-end-ends", "Ends if it is sent to the end while it plays.") { context in
            let clip = context.open(context.fixtures.clip)
            let duration = try await context.opened(clip).duration ?? context.fixtures.duration
            try await context.playing(clip)
            context.send(.seek(clip, to: duration))
            try context.require("The end", try await context.ended(clip).position, is: duration)
            try context.requireOneEnd(of: clip)
        },
        Case(
            "a-seek-beyond-the-end-is-answered",
            "Ends, or reports that it stays at its position, after a seek past the end."
        ) { context in
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            context.send(.seek(clip, to: context.fixtures.duration + 60))
            try context.require("The end", try await context.ended(clip).position, is: context.fixtures.duration)
            try context.requireOneEnd(of: clip)
            for event in context.events(of: clip) {
                let position = event.body.runningPosition ?? 0
                try context.require(
                    position <= context.fixtures.duration + context.fixtures.tolerance, "It ran at \(position.text) s.")
            }
        },
    ]
}

extension ContractContext {
    /// The number of events up to the end of the newest seek.
    fileprivate func indexAfterLastSeek(of generation: Generation) -> Int {
        let seek = events.lastIndex {
            if $0.generation == generation, case .seeked = $0.body { true } else { false }
        }
        return seek.map { $0 + 1 } ?? 0
    }

    fileprivate func requireNothingBefore(_ target: Double, sinceLastSeekOf generation: Generation) throws {
        for event in events(of: generation, after: indexAfterLastSeek(of: generation)) {
            guard let position = event.body.runningPosition else { continue }
            try require(
                position >= target - fixtures.tolerance,
                "After the seek to \(target.text) s it was at \(position.text) s.")
        }
    }
}
