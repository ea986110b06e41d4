import Playback

extension BackendContract {
    static let interruptionCases = [
        Case("a-role-disturbs-nothing", "Accepts a role at any time, and keeps playing.") { context in
            context.send(.setRole(.music))
            let clip = try await context.play()
            let begin = context.now
            for role in AudioRole.all + [nil] { context.send(.setRole(role)) }
            try await context.event("ended", of: clip)
            try context.requireNone(of: ["paused", "stalled", "playing", "seeked"], for: clip, after: begin)
        },
        Case(
            "reports-an-interruption", "Reports the beginning and the end of an interruption.",
            .feature(.interruptions), .interrupted
        ) { context in
            let (clip, end) = try await context.interrupted()
            let pause = context.now
            try await end?()
            try await context.event("interruptionEnded", of: clip, after: pause)
            try context.requireNone(of: ["playing", "time"], for: clip, after: pause)
            try await context.send(.play(clip), until: "ended", of: clip)
            try context.requireOneInterruption(of: clip)
        },
        Case(
            "an-interruption-can-be-overridden",
            "Plays during an interruption if it is asked to, and says that it is over.",
            .feature(.interruptions), .interrupted
        ) { context in
            let (clip, end) = try await context.interrupted()
            let pause = context.now
            try await context.send(.play(clip), until: "playing", of: clip)
            let first = context.events(of: clip, after: pause).first?.body
            try context.require(
                first == .interruptionEnded(shouldResume: true), "It reported \(first?.text ?? "nothing") first.")
            try await end?()
            try await context.event("ended", of: clip)
            try context.requireOneInterruption(of: clip)
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let interrupted = optionalFile(\.interrupted, "interrupted file")
}

extension ContractContext {
    /// Plays a file until the interruption, and then pauses it as a player does.
    ///
    /// - Returns: the file's generation, and what ends the interruption; `nil` if it ends automatically.
    fileprivate func interrupted() async throws -> (Generation, end: BackendFixtures.EndInterruption?) {
        let clip = try await play(fixtures.interrupted)
        let end = try await fixtures.interrupt?()
        try await event("interruptionBegan", of: clip)
        try await send(.pause(clip), until: "paused", of: clip)
        return (clip, end)
    }

    fileprivate func requireOneInterruption(of generation: Generation) throws {
        let names = events(of: generation).map(\.body.name).filter { $0.hasPrefix("interruption") }
        try require(names == ["interruptionBegan", "interruptionEnded"], "It reported \(names).")
    }
}
