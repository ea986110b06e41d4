import Foundation
import Playback

extension BackendContract {
    static let preparingCases = [
        Case(
            "plays-the-preloaded-item-next", "Prepares an item beside the open one, and begins it when it is opened.",
            .feature(.preparing)
        ) { context in
            let (first, next) = try await context.play(context.fixtures.audio, preparing: context.fixtures.audio)
            try await context.event("ended", of: first)
            let early = context.events(of: next.generation).first { $0.body != .prepared }
            try context.require(early == nil, "Before it was opened it reported \(early?.body.text ?? "").")
            context.send(.open(next))
            try await context.opened(next.generation)
            try await context.event("playing", of: next.generation)
            try await context.endsOnce(next.generation)
            try await context.requireOneEnd(of: first)
        },
        Case(
            "plays-the-preloaded-item-early", "Gives up the open item for the prepared one when that is opened.",
            .feature(.preparing)
        ) { context in
            let (first, next) = try await context.play(context.fixtures.clip, preparing: context.fixtures.audio)
            context.send(.open(next))
            try await context.event("closed", of: first)
            try await context.event("playing", of: next.generation)
        },
        Case(
            "closes-the-preloaded-item", "Closes the prepared item, and keeps playing the open one.",
            .feature(.preparing)
        ) { context in
            let (first, discarded) = try await context.play(context.fixtures.audio, preparing: context.fixtures.clip)
            let closed = context.prepare(context.fixtures.clip).generation
            try await context.event("closed", of: discarded.generation)
            try await context.send(.close(closed), until: "closed", of: closed)
            try await context.event("ended", of: first)
        },
        Case(
            "reports-a-failed-preload",
            "Reports that a prepared item cannot be played, and keeps playing the open one.", .feature(.preparing)
        ) { context in
            let first = try await context.play(context.fixtures.audio)
            let next = context.prepare(context.fixtures.missing).generation
            try await context.event("failed", of: next)
            try await context.event("ended", of: first)
            try await context.requireOneEnd(of: next)
        },
    ]
}

extension ContractContext {
    /// Plays one file, and prepares another one.
    fileprivate func play(_ url: URL, preparing other: URL) async throws -> (open: Generation, prepared: OpenRequest) {
        let open = try await play(url)
        let request = prepare(other)
        try await event("prepared", of: request.generation)
        return (open, request)
    }
}
