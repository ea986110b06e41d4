import Playback

extension BackendContract {
    static let seekingCases = [
        Case("seeks-while-it-plays", "Comes to the target of a seek, tells so, and goes on from there.") { trial in
            let target = trial.fixtures.duration * 0.6
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            trial.send(.seek(clip, to: target))
            try trial.require("The position", try await trial.seeked(clip, after: 0), is: target)
            try await trial.ended(clip)
            try trial.requireNothingBefore(target, sinceLastSeekOf: clip)
        },
        Case("seeks-while-it-stands", "Comes to the target of a seek while it stands, and stands there.") { trial in
            let target = trial.fixtures.duration / 2
            let clip = trial.open(trial.fixtures.clip, plays: false)
            try await trial.opened(clip)
            trial.send(.seek(clip, to: target))
            try trial.require("The position", try await trial.seeked(clip, after: 0), is: target)
            try await trial.requireStandstill(of: clip)
            trial.send(.play(clip))
            try trial.require("The position", try await trial.playing(clip).position, is: target)
        },
        Case("seeks-back", "Goes back to the beginning.") { trial in
            let clip = trial.open(trial.fixtures.clip, at: trial.fixtures.duration / 2)
            try await trial.time(clip, past: trial.fixtures.duration / 2)
            let mark = trial.now
            trial.send(.seek(clip, to: 0))
            try trial.require("The position", try await trial.seeked(clip, after: mark), is: 0)
            let next = try await trial.event("where it goes on", of: clip, after: trial.indexAfterLastSeek(of: clip)) {
                $0.runningPosition != nil
            }
            try trial.require("The position after it", next.body.runningPosition ?? -1, is: 0, slack: 0.5)
        },
        Case("of-many-seeks-the-last-counts", "Comes to the target of the last of many seeks at once.") { trial in
            let target = trial.fixtures.duration / 2
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            for step in 1...20 { trial.send(.seek(clip, to: Double(step % 4) / 4 * trial.fixtures.duration)) }
            trial.send(.seek(clip, to: target))
            try await trial.ended(clip)
            let answers = trial.events(of: clip).compactMap {
                if case .seeked(let position) = $0.body { position } else { nil }
            }
            try trial.require("The position of the last answer", answers.last ?? -1, is: target)
            try trial.requireNothingBefore(target, sinceLastSeekOf: clip)
        },
        Case("a-seek-to-the-end-ends", "Ends if it is sent to the end while it plays.") { trial in
            let clip = trial.open(trial.fixtures.clip)
            let duration = try await trial.opened(clip).duration ?? trial.fixtures.duration
            try await trial.playing(clip)
            trial.send(.seek(clip, to: duration))
            try trial.require("The end", try await trial.ended(clip).position, is: duration)
            try trial.requireOneEnd(of: clip)
        },
        Case(
            "a-seek-beyond-the-end-is-answered", "Ends, or tells that it stays where it is, if it is sent past the end."
        ) { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            trial.send(.seek(clip, to: trial.fixtures.duration + 60))
            try trial.require("The end", try await trial.ended(clip).position, is: trial.fixtures.duration)
            try trial.requireOneEnd(of: clip)
            for event in trial.events(of: clip) {
                let position = event.body.runningPosition ?? 0
                try trial.require(
                    position <= trial.fixtures.duration + trial.fixtures.tolerance, "It ran at \(position.text) s.")
            }
        },
    ]
}

extension ContractContext {
    /// How much had been told when the newest seek had come to its target.
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
