import Playback

extension BackendContract {
    static let commandCases = [
        Case(
            "a-hundred-commands-at-once", "Takes a hundred commands at once without holding the caller: the last wins."
        ) { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            for last in [BackendCommand.pause(clip), .play(clip)] {
                // By the clock on the wall, whatever clock the backend keeps.
                let start = ContinuousClock.now
                for step in 1...25 {
                    trial.send(.play(clip))
                    trial.send(.setVolume(Double(step) / 25))
                    trial.send(.pause(clip))
                    trial.send(.seek(clip, to: trial.fixtures.duration / 4))
                }
                trial.send(last)
                try trial.require(ContinuousClock.now - start < .seconds(2), "The caller was held.")
                if last == .pause(clip) {
                    try await trial.pass(1)
                    try await trial.requireStandstill(of: clip)
                }
            }
            try await trial.ended(clip)
            try trial.requireOneEnd(of: clip)
        },
        Case("heeds-no-other-generation", "Commands about a medium that is not open have no effect.") { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            for other in [Generation(rawValue: clip.rawValue - 1), Generation(rawValue: clip.rawValue + 7)] {
                trial.send(.pause(other))
                trial.send(.seek(other, to: 0))
                trial.send(.selectAudio(other, id: 1))
                trial.send(.selectSubtitle(other, id: nil))
                trial.send(.close(other))
                trial.send(.play(other))
            }
            try await trial.ended(clip)
            let strange = trial.events.first { $0.generation != clip }
            try trial.require(strange == nil, "It told of another generation: \(strange?.text ?? "").")
            let effect = trial.events(of: clip).first {
                switch $0.body {
                case .paused, .seeked, .seekFailed: true
                default: false
                }
            }
            try trial.require(effect == nil, "It told \(effect?.body.text ?? "").")
        },
    ]
}
