import Playback

extension BackendContract {
    static let settingCases = [
        Case(
            "a-rate-holds-for-what-is-opened-later", "Plays what is opened after the rate was set at that rate.",
            .severalRates
        ) { trial in
            let rate = trial.notableRate
            trial.send(.setRate(rate))
            for _ in 1...2 { try await trial.requireRate(rate, of: trial.open(trial.fixtures.clip)) }
        },
        Case("the-rate-changes-while-it-plays", "Goes over to another rate while it plays.", .severalRates) { trial in
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            let mark = trial.now
            trial.send(.setRate(trial.notableRate))
            try await trial.requireRate(trial.notableRate, of: clip, after: mark)
        },
        Case("plays-at-its-slowest-and-fastest", "Plays at both ends of the rates that it declares.", .severalRates) {
            trial in
            for rate in [trial.capabilities.rates.lowerBound, trial.capabilities.rates.upperBound] {
                trial.send(.setRate(rate))
                let clip = trial.open(trial.fixtures.clip)
                try await trial.requireRate(rate, of: clip)
                trial.send(.close(clip))
                try await trial.event("closed or ended", of: clip) { $0.isTerminal }
            }
        },
        Case("volume-and-mute-disturb-nothing", "Takes volume and mute before and while it plays, and plays on.") {
            trial in
            trial.send(.setVolume(0.5))
            trial.send(.setMuted(true))
            let clip = trial.open(trial.fixtures.clip)
            try await trial.playing(clip)
            for volume in [0, 1, 0.25] { trial.send(.setVolume(volume)) }
            trial.send(.setMuted(false))
            try await trial.ended(clip)
            let disturbance = trial.events(of: clip).first {
                switch $0.body {
                case .paused, .stalled, .seeked, .seekFailed: true
                default: false
                }
            }
            try trial.require(disturbance == nil, "It told \(disturbance?.body.text ?? "").")
        },
    ]
}

extension ContractContext {
    /// A rate that can be told from 1 within a short medium.
    fileprivate var notableRate: Double {
        let rates = capabilities.rates
        return rates.upperBound >= 1.5 ? min(2, rates.upperBound) : max(0.5, rates.lowerBound)
    }

    /// Throws unless the playhead runs at a rate: by three seconds of the clock, or the end of the medium.
    ///
    /// - Parameter mark: since when it should run at that rate.
    fileprivate func requireRate(_ rate: Double, of generation: Generation, after mark: Int = 0) async throws {
        try await playing(generation)
        try await pass(min(3, fixtures.duration / rate))
        let before = now
        var points = points(of: generation, after: mark)
        if points.count < 3, !events(of: generation).contains(where: \.body.isTerminal) {
            try await event("where it is", of: generation, after: before) { $0.runningPosition != nil || $0.isTerminal }
            points = self.points(of: generation, after: mark)
        }
        // An engine may need a moment from the first word of playing to the first sound.
        if points.count > 2 { points.removeFirst() }
        guard let first = points.first, let last = points.last, last.time > first.time else {
            throw violation("It told \(points.count) times only at the rate \(rate.text).")
        }
        let measured = (last.position - first.position) / (last.time - first.time)
        try require(
            (0.6...1.6).contains(measured / rate), "It ran at a rate of \(measured.text), and not of \(rate.text).")
    }

    private func points(of generation: Generation, after mark: Int) -> [(time: Double, position: Double)] {
        events(of: generation, after: mark).compactMap { event in
            let end: Double? = if case .ended(let position) = event.body { position } else { nil }
            return (event.body.runningPosition ?? end).map { (event.hostTime.inSeconds, $0) }
        }
    }
}
