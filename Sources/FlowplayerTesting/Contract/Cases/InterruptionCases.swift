import Playback

extension BackendContract {
    static let interruptionCases = [
        Case(
            "a-role-disturbs-nothing", "Accepts a role at any time, and keeps playing."
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
            try context.require(disturbance == nil, "It reported \(disturbance?.body.text ?? "").")
        },
        Case(
            "tells-of-an-interruption", "Reports the beginning and the end of an interruption.",
            .feature(.interruptions), .optionalMedium(\.interrupted, "interrupted file")
        ) { context in
            let clip = try await context.interrupted()
            let standing = context.now
            try await context.event("that the interruption is over", of: clip, after: standing) {
                if case .interruptionEnded = $0 { true } else { false }
            }
            let move = context.events(of: clip, after: standing).first { $0.body.runningPosition != nil }
            try context.require(move == nil, "It ran although it should be paused: \(move?.body.text ?? "").")
            context.send(.play(clip))
            try await context.ended(clip)
            try context.requireOneInterruption(of: clip)
        },
        Case(
            "an-interruption-can-be-overridden",
            "Plays during an interruption if it is asked to, and says that it is over.",
            .feature(.interruptions), .optionalMedium(\.interrupted, "interrupted file")
        ) { context in
            let clip = try await context.interrupted()
            let standing = context.now
            context.send(.play(clip))
            try await context.playing(clip, after: standing)
            let first = context.events(of: clip, after: standing).first?.body
            try context.require(
                first == .interruptionEnded(shouldResume: true), "It reported \(first?.text ?? "nothing") first.")
            try await context.ended(clip)
            try context.requireOneInterruption(of: clip)
        },
    ]
}

extension ContractContext {
    /// Plays a file until it is interrupted, and pauses it then as a player does.
    fileprivate func interrupted() async throws -> Generation {
        let clip = open(fixtures.interrupted ?? fixtures.clip)
        try await playing(clip)
        try await fixtures.interrupt?()
        try await event("that it is interrupted", of: clip) { $0 == .interruptionBegan }
        send(.pause(clip))
        try await event("paused", of: clip) { if case .paused = $0 { true } else { false } }
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
        try require(told == [true, false], "It reported \(told.count) interruptions that begin or end.")
    }
}
