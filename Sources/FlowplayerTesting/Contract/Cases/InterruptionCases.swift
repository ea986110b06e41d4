import Playback

extension BackendContract {
    static let interruptionCases = [
        Case(
            "a-role-disturbs-nothing", "Takes what the sound is for at any time, and plays on."
        ) { context in
            context.send(.setRole(.music))
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            let begin = context.now
            for role in AudioRole.all + [nil] { context.send(.setRole(role)) }
            try await context.ended(clip)
            let disturbance = context.events(of: clip, after: begin).first {
                switch $0.body {
                case .paused, .stalled, .playing, .seeked: true
                default: false
                }
            }
            try context.require(disturbance == nil, "It told \(disturbance?.body.text ?? "").")
        },
        Case(
            "tells-of-an-interruption", "Tells when something more important sounds, and when it does no more.",
            .feature(.interruptions), .optionalMedium(\.interrupted, "medium that is interrupted")
        ) { context in
            let clip = try await context.interrupted()
            let standing = context.now
            try await context.event("that the interruption is over", of: clip, after: standing) {
                if case .interruptionEnded = $0 { true } else { false }
            }
            let move = context.events(of: clip, after: standing).first { $0.body.runningPosition != nil }
            try context.require(move == nil, "It ran although it should stand: \(move?.body.text ?? "").")
            context.send(.play(clip))
            try await context.ended(clip)
            try context.requireOneInterruption(of: clip)
        },
        Case(
            "an-interruption-can-be-overridden",
            "Plays during an interruption if it is asked to, and says that it is over.",
            .feature(.interruptions), .optionalMedium(\.interrupted, "medium that is interrupted")
        ) { context in
            let clip = try await context.interrupted()
            let standing = context.now
            context.send(.play(clip))
            try await context.playing(clip, after: standing)
            let first = context.events(of: clip, after: standing).first?.body
            try context.require(
                first == .interruptionEnded(shouldResume: true), "It told \(first?.text ?? "nothing") first.")
            try await context.ended(clip)
            try context.requireOneInterruption(of: clip)
        },
    ]
}

extension ContractContext {
    /// Plays a medium until it is interrupted, and lets it stand then as a player does.
    fileprivate func interrupted() async throws -> Generation {
        let clip = open(fixtures.interrupted ?? fixtures.clip)
        try await playing(clip)
        try await fixtures.interrupt?()
        try await event("that it is interrupted", of: clip) { $0 == .interruptionBegan }
        send(.pause(clip))
        try await event("that it stands", of: clip) { if case .paused = $0 { true } else { false } }
        return clip
    }

    fileprivate func requireOneInterruption(of generation: Generation) throws {
        let told = events(of: generation).compactMap { event -> Bool? in
            switch event.body {
            case .interruptionBegan: true
            case .interruptionEnded: false
            default: nil
            }
        }
        try require(told == [true, false], "It told \(told.count) times of interruptions that begin or end.")
    }
}
