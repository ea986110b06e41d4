import Playback

extension BackendContract {
    static let settingCases = [
        Case(
            "a-rate-holds-for-later-items", "Plays an item that is opened after `setRate` at that rate.",
            .severalRates
        ) { context in
            context.send(.setRate(context.notableRate))
            for _ in 1...2 { try await context.requireRate(context.notableRate, of: context.open()) }
        },
        Case("the-rate-changes-while-it-plays", "Goes over to another rate while it plays.", .severalRates) { context in
            let clip = try await context.play()
            let mark = context.now
            context.send(.setRate(context.notableRate))
            try await context.requireRate(context.notableRate, of: clip, after: mark)
        },
        Case("plays-at-its-slowest-and-fastest", "Plays at both ends of the rates that it declares.", .severalRates) {
            context in
            for rate in [context.capabilities.rates.lowerBound, context.capabilities.rates.upperBound] {
                context.send(.setRate(rate))
                let clip = context.open()
                try await context.requireRate(rate, of: clip)
                context.send(.close(clip))
                try await context.event("closed or ended", of: clip) { $0.isTerminal }
            }
        },
        Case(
            "volume-and-mute-disturb-nothing", "Accepts volume and mute before and during playback, and keeps playing."
        ) { context in
            context.send(.setVolume(0.5), .setMuted(true))
            let clip = try await context.play()
            context.send(.setVolume(0), .setVolume(1), .setVolume(0.25), .setMuted(false))
            try await context.event("ended", of: clip)
            try context.requireNone(of: ["paused", "stalled", "seeked", "seekFailed"], for: clip)
        },
    ]
}

extension BackendContract.Requirement {
    fileprivate static let severalRates = Self { capabilities, _ in
        let rates = capabilities.rates
        return rates.lowerBound < rates.upperBound ? nil : "The backend has one rate only."
    }
}

extension ContractContext {
    /// A rate that can be distinguished from 1 within a short file.
    fileprivate var notableRate: Double {
        let rates = capabilities.rates
        return rates.upperBound >= 1.5 ? min(2, rates.upperBound) : max(0.5, rates.lowerBound)
    }

    /// Throws unless the playhead runs at a rate. Measures for a second of the clock, longer for a slow rate, or until
    /// the end of the file.
    ///
    /// - Parameter mark: the event index from which on it should run at that rate.
    fileprivate func requireRate(_ rate: Double, of generation: Generation, after mark: Int = 0) async throws {
        try await event("playing", of: generation)
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
        func pace(_ first: (time: Double, position: Double), _ last: (time: Double, position: Double)) -> Double {
            (last.position - first.position) / (last.time - first.time)
        }
        let measured = pace(first, last)
        // A stall slows the whole, and few of the steps.
        let steps = fixtures.mayStall ? zip(points, points.dropFirst()).map(pace).sorted() : [measured]
        try require(
            [measured, steps[steps.count / 2]].contains { (0.6...1.6).contains($0 / rate) },
            "It ran at a rate of \(measured.text), and not of \(rate.text).")
    }

    private func points(of generation: Generation, after mark: Int) -> [(time: Double, position: Double)] {
        events(of: generation, after: mark)
            .filter { $0.body.runningPosition != nil || $0.body.name == "ended" }
            .map { ($0.hostTime.inSeconds, $0.body.position ?? 0) }
    }
}
