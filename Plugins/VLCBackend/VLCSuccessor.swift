#if VLC
    /// A player that waits to take over from the one that plays the same stream.
    final class VLCSuccessor {
        enum News {
            case none
            case isReady
            case hasFailed
        }

        /// In seconds, at normal speed: so far ahead of the playhead it waits, and further if it was not ready in time.
        static let firstLead = 1.5
        static let longestLead = 6.0
        /// In seconds: so long after it is released it is heard.
        static let latency = 0.05
        /// In seconds: with less left to play it is not worth it.
        static let shortestRest = 3.0
        /// In seconds: what stands no further away stands where it should.
        static let nearEnough = 0.25

        let part: VLCHandover.Part
        let deck: VLCDeck
        let number: Int
        /// Where it waits, in seconds of the medium.
        let target: Double
        let lead: Double
        /// What it has told of its streams.
        private(set) var signals: [VLCSignal] = []
        private var isReady = false

        init(part: VLCHandover.Part, deck: VLCDeck, number: Int, target: Double, lead: Double) {
            self.part = part
            self.deck = deck
            self.number = number
            self.target = target
            self.lead = lead
        }

        func take(_ signal: VLCSignal) -> News {
            switch signal {
            case .streamAdded, .streamRemoved, .streamSelected: signals.append(signal)
            case .encounteredError, .endReached: return .hasFailed
            case .buffering(let percent) where percent >= 100 && !isReady:
                isReady = true
                return .isReady
            default: break
            }
            return .none
        }
    }
#endif
