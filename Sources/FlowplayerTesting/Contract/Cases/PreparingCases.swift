import Playback

extension BackendContract {
    static let preparingCases = [
        Case(
            "plays-on-with-what-is-prepared", "Prepares an item beside the open one, and begins it when it is opened.",
            .feature(.preparing)
        ) { trial in
            let (first, next) = try await trial.play(trial.fixtures.sound, preparing: trial.fixtures.sound)
            try await trial.ended(first)
            let early = trial.events(of: next.generation).first { $0.body != .prepared }
            try trial.require(early == nil, "Before it was opened it told \(early?.body.text ?? "").")
            trial.send(.open(next))
            try await trial.opened(next.generation)
            try await trial.playing(next.generation)
            try await trial.ended(next.generation)
            try trial.requireOneEnd(of: first)
            try trial.requireOneEnd(of: next.generation)
        },
        Case(
            "begins-what-is-prepared-at-any-time", "Gives up the open item for the prepared one when that is opened.",
            .feature(.preparing)
        ) { trial in
            let (first, next) = try await trial.play(trial.fixtures.clip, preparing: trial.fixtures.sound)
            trial.send(.open(next))
            try await trial.closed(first)
            try await trial.playing(next.generation)
        },
        Case(
            "lets-go-of-what-is-prepared", "Closes what is prepared, and plays on with what is open.",
            .feature(.preparing)
        ) { trial in
            let (first, discarded) = try await trial.play(trial.fixtures.sound, preparing: trial.fixtures.clip)
            let closed = trial.prepare(trial.fixtures.clip)
            try await trial.closed(discarded.generation)
            trial.send(.close(closed.generation))
            try await trial.closed(closed.generation)
            try await trial.ended(first)
        },
        Case(
            "says-that-it-cannot-prepare",
            "Tells that a prepared item cannot be played, and plays on with the open one.",
            .feature(.preparing)
        ) { trial in
            let first = trial.open(trial.fixtures.sound)
            try await trial.playing(first)
            let next = trial.prepare(trial.fixtures.missing)
            try await trial.event("failed", of: next.generation) { if case .failed = $0 { true } else { false } }
            try await trial.ended(first)
            try trial.requireOneEnd(of: next.generation)
        },
    ]
}
