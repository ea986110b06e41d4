import Playback

extension BackendContract {
    static let settingCases = [
        Case(
            "a-rate-holds-for-what-is-opened-later", "Plays what is opened after the rate was set at that rate.",
            .severalRates
        ) { context in
            let rate = context.notableRate
            context.send(.setRate(rate))
            for _ in 1...2 { try await context.requireRate(rate, of: context.open(context.fixtures.clip)) }
        },
        Case("the-rate-changes-while-it-plays", "Goes over to another rate while it plays.", .severalRates) { context in
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            let mark = context.now
            context.send(.setRate(context.notableRate))
            try await context.requireRate(context.notableRate, of: clip, after: mark)
        },
        Case("plays-at-its-slowest-and-fastest", "Plays at both ends of the rates that it declares.", .severalRates) {
            context in
            for rate in [context.capabilities.rates.lowerBound, context.capabilities.rates.upperBound] {
                context.send(.setRate(rate))
                let clip = context.open(context.fixtures.clip)
                try await context.requireRate(rate, of: clip)
                context.send(.close(clip))
                try await context.event("closed or ended", of: clip) { $0.isTerminal }
            }
        },
        Case(
            "volume-and-mute-disturb-nothing", "Accepts volume and mute before and during playback, and keeps playing."
        ) {
            context in
            context.send(.setVolume(0.5))
            context.send(.setMuted(true))
            let clip = context.open(context.fixtures.clip)
            try await context.playing(clip)
            for volume in [0, 1, 0.25] { context.send(.setVolume(volume)) }
            context.send(.setMuted(false))
            try await context.ended(clip)
            let disturbance = context.events(of: clip).first {
                switch $0.body {
                case .paused, .stalled, .seeked, .seekFailed: true
                default: false
                }
            }
            try context.require(disturbance == nil, "It reported \(disturbance?.body.text ?? "").")
        },
    ]
}

extension ContractContext {
    /// A rate that can be distinguished from 1 within a short file.
    fileprivate var notableRate: Double {
        let rates = capabilities.rates
        return rates.upperBound >= 1.5 ? min(2, rates.upperBound) : max(0.5, rates.lowerBound)
    }

    /// Throws unless the playhead runs at a rate: by a second of the clock, more where it is slow, or the end of the
    /// file.
    ///
    /// - Parameter mark: the event index from which on it should run at that rate.
    fileprivate func requireRate(_ rate: Double, of generation: Generation, after mark: Int = 0) async throws {
        try await playing(generation)
        try await pass(min(3, fixtures.duration / rate))
        let before = now
        var points = points(of: generation, after: mark)
        if points.count < 3, !events(of: generation).contains(where: \.body.isTerminal) {
            try await event("where it is", of: generation, after: before) { $0.runningPosition != nil || $0.isTerminal }
            points = self.points(of: generation, after: mark)
        }
        // An engine may need a moment from the `playing` event to the first audio.
        if points.count > 2 { points.removeFirst() }
        guard let first = points.first, let last = points.last, last.time > first.time else {
            throw violation("It reported \(points.count) times only at the rate \(rate.text).")
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
