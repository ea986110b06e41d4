import Synchronization

/// Mixes inputs into one stream, chunk by chunk, without a gap between an input and its predecessor.
///
/// The engine's thread and the mixer's thread share the inputs under one lock. The engine's audio thread never takes
/// that lock. It writes into the input's ring, and every holder of the lock empties the ring first.
final class Mixer: Sendable {
    typealias EndHandler = @Sendable (_ secondsUntilHeard: Double) -> Void

    private struct Transition {
        let predecessor: Int
        /// In seconds.
        let crossfade: Double
    }

    private struct Entry {
        let id: Int
        let ring: AudioRing
        let onEnd: EndHandler
        var input: MixerInput
        /// The start of the input, until it has begun. `nil` if it starts at its own time.
        var transition: Transition?

        /// Moves the engine's audio and commands from the ring to the input.
        mutating func receive() {
            while let message = ring.next() {
                switch message {
                case .audio(let samples, let time): input.push(ring.read(samples), at: time)
                case .begin(let rate): input.begin(rate: rate)
                case .drain: input.drain()
                case .flush: input.flush()
                case .discard: input.discard()
                }
            }
        }
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
        /// `true` if an input was created or resumed since the last `pollActivity`.
        var isExpectingAudio = false

        func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }

        mutating func receive() { for index in entries.indices { entries[index].receive() } }

        /// - Returns: the end handlers of the inputs that ended in this chunk, with their last frames.
        mutating func mix(into chunk: inout [Float], heardAt time: Int64) -> [(onEnd: EndHandler, frame: Int)] {
            // A predecessor is mixed before the input that waits for its end.
            let first = entries.indices.filter { entries[$0].transition == nil }
            let waiting = entries.indices.filter { entries[$0].transition != nil }
            return (first + waiting).compactMap { index in
                mix(index, into: &chunk, heardAt: time).map { (entries[index].onEnd, $0) }
            }
        }

        private mutating func mix(_ index: Int, into chunk: inout [Float], heardAt time: Int64) -> Int? {
            guard let transition = entries[index].transition else {
                return entries[index].input.mix(into: &chunk, heardAt: time, after: .none)
            }
            let crossfade = transition.crossfade
            if crossfade > 0, entries[index].input.fade == nil {
                entries[index].input.fade = AudioFade(isIn: true, seconds: crossfade)
            }
            let predecessor = self.index(of: transition.predecessor)
            // A predecessor that is missing has ended.
            let position = predecessor.map { entries[$0].input.asPredecessor } ?? .ended(at: 0)
            let end = entries[index].input.mix(into: &chunk, heardAt: time, after: position, overlaps: crossfade > 0)
            guard entries[index].input.hasBegun else { return end }
            entries[index].transition = nil
            if crossfade > 0, let predecessor {
                entries[predecessor].input.fade = AudioFade(isIn: false, seconds: crossfade)
            }
            return end
        }
    }

    private let state = Mutex(State())

    /// Wakes the mixer's thread. Called on the engine's audio thread too.
    let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    // MARK: The engine

    func makeInput(isPaused: Bool, keepsTime: Bool = false, onEnd: @escaping EndHandler) -> MixerInputQueue {
        let ring = AudioRing()
        let id = state.withLock {
            $0.lastID += 1
            let input = MixerInput(isPaused: isPaused, keepsTime: keepsTime)
            $0.entries.append(Entry(id: $0.lastID, ring: ring, onEnd: onEnd, input: input))
            return $0.lastID
        }
        if !isPaused { prepare() }
        return MixerInputQueue(id: id, ring: ring, mixer: self)
    }

    /// Opens the output before the first audio comes.
    func prepare() {
        state.withLock { $0.isExpectingAudio = true }
        wake()
    }

    func remove(_ id: Int) {
        state.withLock { state in
            guard let removed = state.index(of: id).map({ state.entries.remove(at: $0) }),
                !removed.input.hasEnded
            else { return }
            for index in state.entries.indices where state.entries[index].transition?.predecessor == id {
                state.entries[index].transition = nil
            }
        }
    }

    /// Sets the predecessor of an input that has not begun.
    func follow(_ predecessor: Int?, with id: Int, crossfade: Double) {
        state.withLock { state in
            guard let index = state.index(of: id), !state.entries[index].input.hasBegun else { return }
            state.entries[index].transition = predecessor.map { Transition(predecessor: $0, crossfade: crossfade) }
        }
    }

    /// - Returns: `nil` if the input was removed.
    func withInput<Result: Sendable>(_ id: Int, _ body: (inout MixerInput) -> Result) -> Result? {
        state.withLock { state in
            guard let index = state.index(of: id) else { return nil }
            state.entries[index].receive()
            return body(&state.entries[index].input)
        }
    }

    // MARK: The mixer's thread

    /// Returns `true` if an input is or will soon be heard, and once after each `prepare`.
    func pollActivity() -> Bool {
        state.withLock { state in
            state.receive()
            defer { state.isExpectingAudio = false }
            return state.isExpectingAudio || state.entries.contains { $0.input.isActive }
        }
    }

    /// Mixes the next chunk.
    ///
    /// - Parameters:
    ///   - now: the time, in microseconds of the monotonic clock.
    ///   - latency: the time until the chunk is heard, in microseconds.
    func mix(frames: Int, at now: Int64, latency: Int64) -> [Float] {
        let (chunk, ended) = state.withLock { state in
            state.receive()
            var chunk = [Float](repeating: 0, count: frames * AudioFormat.channels)
            let ended = state.mix(into: &chunk, heardAt: now + latency)
            return (chunk, ended)
        }
        for (onEnd, frame) in ended { onEnd(Double(latency) / 1e6 + AudioFormat.seconds(frame)) }
        return chunk
    }
}
