import Playback

extension BackendContract {
    static let commandCases = [
        Case(
            "a-hundred-commands-at-once", "Takes a hundred commands at once without holding the caller: the last wins."
        ) { context in
            let clip = try await context.play()
            for last in [BackendCommand.pause(clip), .play(clip)] {
                // By the clock on the wall, whatever clock the backend keeps.
                let start = ContinuousClock.now
                for step in 1...25 {
                    context.send(
                        .play(clip), .setVolume(Double(step) / 25), .pause(clip), .seek(clip, to: context.duration / 4))
                }
                context.send(last)
                let bound = Duration.seconds(context.fixtures.mayStall ? 60 : 2)
                try context.require(ContinuousClock.now - start < bound, "The caller was held.")
                if last == .pause(clip) {
                    try await context.pass(1)
                    try await context.requirePause(of: clip)
                }
            }
            try await context.endsOnce(clip)
        },
        Case("ignores-other-generations", "Commands for an item that is not open have no effect.") { context in
            let clip = try await context.play()
            for other in [Generation(rawValue: clip.rawValue - 1), Generation(rawValue: clip.rawValue + 7)] {
                context.send(
                    .pause(other), .seek(other, to: 0), .selectAudio(other, id: 1), .selectSubtitle(other, id: nil),
                    .close(other), .play(other))
            }
            try await context.event("ended", of: clip)
            let strange = context.events.first { $0.generation != clip }
            try context.require(strange == nil, "It reported another generation: \(strange?.text ?? "").")
            try context.requireNone(of: ["paused", "seeked", "seekFailed"], for: clip)
        },
    ]
}
