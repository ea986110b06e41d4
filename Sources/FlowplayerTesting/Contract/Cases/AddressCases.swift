import Playback

extension BackendContract {
    static let addressCases = [
        Case(
            "asks-for-another-address",
            "Asks once for another address of what a server refuses, and plays what is there.",
            .optionalMedium(\.refused, "address that is refused")
        ) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: context.fixtures.clip))
            try await context.ended(clip)
            try await context.requireOneQuestion(about: clip)
        },
        Case(
            "fails-without-another-address", "Fails with the server's refusal if there is no other address.",
            .optionalMedium(\.refused, "address that is refused")
        ) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: nil))
            try await context.requireRefusal(of: clip)
        },
        Case(
            "does-not-ask-twice", "Fails if the other address is refused too.",
            .optionalMedium(\.refused, "address that is refused")
        ) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: context.fixtures.refused))
            try await context.requireRefusal(of: clip)
            try await context.requireOneQuestion(about: clip)
        },
        Case(
            "asks-nobody-who-does-not-answer", "Fails at once with the server's refusal if nobody answers.",
            .optionalMedium(\.refused, "address that is refused")
        ) { context in
            let clip = context.open(context.fixtures.refused ?? context.fixtures.missing)
            try await context.requireRefusal(of: clip)
            let question = context.events(of: clip).first { $0.body.isQuestion }
            try context.require(question == nil, "It asked for another address.")
        },
    ]
}

extension ContractContext {
    /// Opens what is refused, and waits for the question.
    fileprivate func refused() async throws -> Generation {
        let clip = open(fixtures.refused ?? fixtures.missing, canReaddress: true)
        try await event("that the address is refused", of: clip) { $0.isQuestion }
        return clip
    }

    fileprivate func requireOneQuestion(about generation: Generation) async throws {
        let questions = events(of: generation).count { $0.body.isQuestion }
        try require(questions == 1, "It asked \(questions) times.")
    }

    fileprivate func requireRefusal(of generation: Generation) async throws {
        let event = try await event("failed", of: generation) { if case .failed = $0 { true } else { false } }
        guard case .failed(let error, _) = event.body, error.suggestsExpiry else {
            throw violation("It reported \(event.body.text).")
        }
        try requireOneEnd(of: generation)
    }
}

extension BackendEvent.Body {
    fileprivate var isQuestion: Bool { if case .addressRefused = self { true } else { false } }
}
