import Playback

extension BackendContract {
    static let preparingCases = [
        Case(
            "plays-on-with-what-is-prepared", "Prepares an item beside the open one, and begins it when it is opened.",
            .feature(.preparing)
        ) { context in
            let (first, next) = try await context.play(context.fixtures.sound, preparing: context.fixtures.sound)
            try await context.ended(first)
            let early = context.events(of: next.generation).first { $0.body != .prepared }
            try context.require(early == nil, "Before it was opened it reported \(early?.body.text ?? "").")
            context.send(.open(next))
            try await context.opened(next.generation)
            try await context.playing(next.generation)
            try await context.ended(next.generation)
            try context.requireOneEnd(of: first)
            try context.requireOneEnd(of: next.generation)
        },
        Case(
            "begins-what-is-prepared-at-any-time", "Gives up the open item for the prepared one when that is opened.",
            .feature(.preparing)
        ) { context in
            let (first, next) = try await context.play(context.fixtures.clip, preparing: context.fixtures.sound)
            context.send(.open(next))
            try await context.closed(first)
            try await context.playing(next.generation)
        },
        Case(
            "lets-go-of-what-is-prepared", "Closes what is prepared, and plays on with what is open.",
            .feature(.preparing)
        ) { context in
            let (first, discarded) = try await context.play(context.fixtures.sound, preparing: context.fixtures.clip)
            let closed = context.prepare(context.fixtures.clip)
            try await context.closed(discarded.generation)
            context.send(.close(closed.generation))
            try await context.closed(closed.generation)
            try await context.ended(first)
        },
        Case(
            "says-that-it-cannot-prepare",
            "Reports that a prepared item cannot be played, and keeps playing the open one.",
            .feature(.preparing)
        ) { context in
            let first = context.open(context.fixtures.sound)
            try await context.playing(first)
            let next = context.prepare(context.fixtures.missing)
            try await context.event("failed", of: next.generation) { if case .failed = $0 { true } else { false } }
            try await context.ended(first)
            try context.requireOneEnd(of: next.generation)
        },
    ]
}
