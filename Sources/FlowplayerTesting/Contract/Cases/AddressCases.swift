import Playback

extension BackendContract {
    static let addressCases = [
        Case(
            "asks-for-another-address",
            "Asks once for another address of what a server refuses, and plays what is there.", .refused
        ) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: context.fixtures.clip))
            try await context.event("ended", of: clip)
            try context.requireQuestions(1, about: clip)
        },
        Case(
            "fails-without-another-address", "Fails with the server's refusal if there is no other address.", .refused
        ) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: nil))
            try await context.requireRefusal(of: clip)
        },
        Case("does-not-ask-twice", "Fails if the other address is refused too.", .refused) { context in
            let clip = try await context.refused()
            context.send(.readdress(clip, to: context.fixtures.refused))
            try await context.requireRefusal(of: clip)
            try context.requireQuestions(1, about: clip)
        },
        Case(
            "fails-without-an-answer", "Fails at once with the server's refusal if nobody answers.", .refused
        ) { context in
            let clip = context.open(context.fixtures.refused)
            try await context.requireRefusal(of: clip)
            try context.requireQuestions(0, about: clip)
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let refused = optionalFile(\.refused, "address that is refused")
}

extension ContractContext {
    /// Opens a refused address, and waits for the request for a new one.
    fileprivate func refused() async throws -> Generation {
        let clip = open(fixtures.refused, canReaddress: true)
        try await event("addressRefused", of: clip)
        return clip
    }

    fileprivate func requireQuestions(_ count: Int, about generation: Generation) throws {
        let questions = events(of: generation).count { $0.body.name == "addressRefused" }
        try require(questions == count, "It asked \(questions) times for another address.")
    }

    fileprivate func requireRefusal(of generation: Generation) async throws {
        let event = try await event("failed", of: generation)
        guard case .failed(let error, _) = event.body, error.suggestsExpiry else {
            throw violation("It reported \(event.body.text).")
        }
        try await requireOneEnd(of: generation)
    }
}
