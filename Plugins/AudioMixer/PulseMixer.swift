#if VLC
import Foundation
import Playback

/// Puts the sound of several players into one stream of the sound server, without a break between them.
///
/// Its thread sleeps, and there is no stream, while nothing is to be heard.
// Unchecked: `sources` and the flags are used under `condition`, everything else by the thread only.
package final class PulseMixer: @unchecked Sendable {
    /// In frames: what is mixed and written at once.
    package static let chunk = AudioFormat.rate / 100
    /// In chunks: the stream is kept for so long with nothing to be heard.
    private static let longestSilence = 100
    /// In seconds: so often a server that has gone is looked for.
    private static let retryInterval = 1.0

    private let condition = NSCondition()
    private let client: String
    private var sources: [MixerInputQueue] = []
    private var isRunning = false
    private var isWanted = false
    private var isEnded = false
    private var currentLatency: Int64 = 0
    private var currentRole = defaultRole
    private var stream: PulseStream? {
        didSet { if stream !== oldValue { condition.withLock { sharedStream = stream } } }
    }
    /// The same, for other threads.
    private var sharedStream: PulseStream?
    private var nextAttempt = Date.distantPast
    /// When the next chunk is due where no server sets the pace.
    private var due = Date.distantPast
    private let serverIsGone: @Sendable () -> Void
    private let told: @Sendable (PulseStream.Event) -> Void

    /// What a queue is taken for.
    private static let defaultRole = AudioRole.music

    /// - Parameters:
    ///   - client: the client name that the audio server shows.
    ///   - role: what the audio is for.
    ///   - serverIsGone: called on the mixer's thread whenever it finds no server.
    ///   - told: what the server does with the stream. Called on any thread, and must not call back.
    package init(
        client: String, role: AudioRole?, serverIsGone: @escaping @Sendable () -> Void,
        told: @escaping @Sendable (PulseStream.Event) -> Void
    ) {
        self.client = client
        currentRole = role ?? Self.defaultRole
        self.serverIsGone = serverIsGone
        self.told = told
    }

    /// In seconds, from the mixer to the ear.
    package var latency: Double {
        condition.withLock { currentLatency > 0 ? Double(currentLatency) / 1e6 : PulseStream.buffer }
    }

    package func makeSource(isHeld: Bool, isOver: @escaping @Sendable (Double) -> Void) -> MixerInputQueue {
        let source = MixerInputQueue(isHeld: isHeld, wake: { [weak self] in self?.wake() }, isOver: isOver)
        condition.withLock {
            sources.append(source)
            guard !isRunning else { return }
            isRunning = true
            let thread = Thread { self.run() }
            thread.name = "flowplayer-sound"
            thread.qualityOfService = .userInteractive
            thread.start()
        }
        // The stream is there when the first sound comes.
        if !isHeld { wake() }
        return source
    }

    package func remove(_ source: MixerInputQueue) {
        source.remove()
        condition.withLock { sources.removeAll { $0 === source } }
    }

    package func end() {
        let stream = condition.withLock {
            isEnded = true
            condition.signal()
            return sharedStream
        }
        // It may wait for something more important to be over.
        stream?.cancel()
    }

    /// Is heard although something more important sounds.
    package func override() {
        condition.withLock { sharedStream }?.override()
        told(.uncorked)
    }

    package func setRole(_ role: AudioRole?) {
        let stream = condition.withLock {
            currentRole = role ?? Self.defaultRole
            return sharedStream
        }
        stream?.setRole(role ?? Self.defaultRole)
    }

    private func wake() {
        condition.withLock {
            isWanted = true
            condition.signal()
        }
    }

    // MARK: The thread

    private func run() {
        var silence = Self.longestSilence
        while true {
            if silence >= Self.longestSilence {
                stream = nil
                condition.lock()
                while !isWanted, !isEnded { condition.wait() }
                isWanted = false
                condition.unlock()
                silence = 0
            }
            let sources: [MixerInputQueue]? = condition.withLock { isEnded ? nil : self.sources }
            guard let sources else { break }
            silence = sources.contains { $0.isActive } ? 0 : silence + 1
            write(mix(sources))
        }
        stream = nil
    }

    private func mix(_ sources: [MixerInputQueue]) -> [Float] {
        connect()
        let latency = stream?.latency ?? 0
        condition.withLock { currentLatency = latency }
        var chunk = [Float](repeating: 0, count: Self.chunk * AudioFormat.channels)
        let now = MonotonicClock.microseconds
        // What another one waits for is done before it.
        let waiting = sources.filter(\.hasLead)
        for source in sources where !waiting.contains(where: { $0 === source }) {
            source.mix(into: &chunk, at: now, latency: latency)
        }
        for source in waiting { source.mix(into: &chunk, at: now, latency: latency) }
        return chunk
    }

    private func write(_ chunk: [Float]) {
        if let stream {
            if stream.write(chunk) { return }
            self.stream = nil
            // Whatever it had to be silent for: who asked for it is gone.
            told(.uncorked)
            if condition.withLock({ isEnded }) { return }
            connect()
        }
        guard stream == nil else { return }
        // On the clock, as if it were heard.
        due = max(due, Date(timeIntervalSinceNow: -PulseStream.buffer))
            .addingTimeInterval(AudioFormat.seconds(Self.chunk))
        Thread.sleep(until: due)
    }

    private func connect() {
        guard stream == nil, Date() >= nextAttempt else { return }
        stream = PulseStream(client: client, role: condition.withLock { currentRole }, told: told)
        if condition.withLock({ isEnded }) { stream?.cancel() }
        guard stream == nil else { return }
        nextAttempt = Date(timeIntervalSinceNow: Self.retryInterval)
        serverIsGone()
    }
}
#endif
