import Playback

extension BackendContract {
    static let commandCases = [
        Case(
            "a-hundred-commands-at-once", "Takes a hundred commands at once without holding the caller: the last wins."
        ) { context in
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            for last in [BackendCommand.pause(clip), .play(clip)] {
                // By the clock on the wall, whatever clock the backend keeps.
                let start = ContinuousClock.now
                for step in 1...25 {
                    context.send(.play(clip))
                    context.send(.setVolume(Double(step) / 25))
                    context.send(.pause(clip))
                    context.send(.seek(clip, to: context.fixtures.duration / 4))
                }
                context.send(last)
                try context.require(ContinuousClock.now - start < .seconds(2), "The caller was held.")
                if last == .pause(clip) {
                    try await context.pass(1)
                    try await context.requireStandstill(of: clip)
                }
            }
            try await context.ended(clip)
            try context.requireOneEnd(of: clip)
        },
        Case("heeds-no-other-generation", "Commands for an item that is not open have no effect.") { context in
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            for other in [Generation(rawValue: clip.rawValue - 1), Generation(rawValue: clip.rawValue + 7)] {
                context.send(.pause(other))
                context.send(.seek(other, to: 0))
                context.send(.selectAudio(other, id: 1))
                context.send(.selectSubtitle(other, id: nil))
                context.send(.close(other))
                context.send(.play(other))
            }
            try await context.ended(clip)
            let strange = context.events.first { $0.generation != clip }
            try context.require(strange == nil, "It reported another generation: \(strange?.text ?? "").")
            let effect = context.events(of: clip).first {
                switch $0.body {
                case .paused, .seeked, .seekFailed: true
                default: false
                }
            }
            try context.require(effect == nil, "It reported \(effect?.body.text ?? "").")
        },
    ]
}
