#if VLC || GStreamer
import Foundation
import Playback
import Synchronization

/// Plays the audio of several players through one stream of the PulseAudio server.
///
/// One thread mixes and writes chunks of 10 ms. It waits for room in the stream, and it waits without a stream while no
/// input is heard. Without a server it mixes on the clock, so that items end as if they were heard, and tries to
/// connect every second.
///
/// The thread owns the stream. Other threads reach it through `state`, which is guarded by its own lock.
package final class PulseMixer: Sendable {
    private struct State {
        var role = AudioRole.video
        var stream: PulseStream?
        /// The latency of the last chunk, in microseconds.
        var latency: Int64 = 0
        /// `true` while there is a stream, and while no server answers.
        var isReady = false
        var isClosed = false
    }

    /// In frames.
    private static let chunk = AudioFormat.rate / 100
    /// The number of silent chunks after which the stream is closed.
    private static let mostSilentChunks = 100
    /// In microseconds.
    private static let retryInterval: Int64 = 1_000_000

    private let client: String
    private let serverUnavailable: @Sendable () -> Void
    private let ready: @Sendable () -> Void
    private let receive: @Sendable (PulseStream.Event) -> Void
    private let state: Mutex<State>
    private let mixer: Mixer
    /// Wakes the thread. It may wake it too often.
    private let signal = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - client: the client name that the audio server shows.
    ///   - serverUnavailable: called on the mixer's thread after each failed connection.
    ///   - ready: called on the mixer's thread when `isReady` has become `true`.
    ///   - receive: called on any thread with the events of the stream. It must not call the mixer.
    package init(
        client: String, serverUnavailable: @escaping @Sendable () -> Void,
        ready: @escaping @Sendable () -> Void = {}, receive: @escaping @Sendable (PulseStream.Event) -> Void
    ) {
        self.client = client
        self.serverUnavailable = serverUnavailable
        self.ready = ready
        self.receive = receive
        state = Mutex(State())
        mixer = Mixer { [signal] in signal.signal() }
        let thread = Thread { self.run() }
        thread.name = "flowplayer-audio"
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    /// `true` if audio that is pushed now is heard in time. The output opens when an input resumes.
    package var isReady: Bool { state.withLock(\.isReady) }

    /// The time from the mixer to the speaker, in seconds.
    package var latency: Double {
        let latency = state.withLock { $0.latency }
        return latency > 0 ? Double(latency) / 1e6 : PulseStream.buffer
    }

    /// Adds an input.
    ///
    /// - Parameters:
    ///   - keepsTime: `true` if the times of the blocks are exact, so that the input corrects its speed to keep them.
    ///   - onEnd: called on the mixer's thread after the last frame, with the seconds until it is heard.
    package func makeInput(
        isPaused: Bool, keepsTime: Bool = false, onEnd: @escaping @Sendable (_ secondsUntilHeard: Double) -> Void
    ) -> MixerInputQueue {
        mixer.makeInput(isPaused: isPaused, keepsTime: keepsTime, onEnd: onEnd)
    }

    package func remove(_ input: MixerInputQueue) { mixer.remove(input.id) }

    /// Closes the stream and ends the thread.
    package func close() {
        state.withLock { $0.isClosed = true }
        signal.signal()
    }

    /// Plays during an interruption.
    package func override() {
        state.withLock { $0.stream }?.override()
        receive(.uncorked)
    }

    package func setRole(_ role: AudioRole) {
        let stream = state.withLock { state in
            state.role = role
            return state.stream
        }
        stream?.setRole(role)
    }

    // MARK: The thread

    private func run() {
        var stream: PulseStream? {
            didSet {
                guard stream !== oldValue else { return }
                state.withLock { ($0.stream, $0.isReady) = (stream, stream != nil) }
            }
        }
        var silence = Self.mostSilentChunks
        var (nextAttempt, nextChunk): (Int64, Int64) = (0, 0)
        while !state.withLock({ $0.isClosed }) {
            if mixer.pollActivity() { silence = 0 }
            guard silence < Self.mostSilentChunks else {
                stream = nil
                state.withLock { $0.isReady = false }
                signal.wait()
                continue
            }
            let now = Self.now
            if stream == nil, now >= nextAttempt {
                stream = connect()
                if stream == nil { nextAttempt = now + Self.retryInterval }
                state.withLock { $0.isReady = true }
                ready()
            }
            var latency: Int64 = 0
            switch stream?.readiness(for: Self.chunk) {
            case .ready(let streamLatency): latency = streamLatency
            case .busy:
                signal.wait()
                continue
            case .closed:
                stream = nil
                // The interruption ends with the server that asked for it.
                receive(.uncorked)
                continue
            case nil:
                guard now >= nextChunk else {
                    _ = signal.wait(timeout: .now() + .microseconds(Int(nextChunk - now)))
                    continue
                }
                let buffered = Int64(PulseStream.buffer * 1e6)
                nextChunk = max(nextChunk, now - buffered) + AudioFormat.microseconds(Self.chunk)
            }
            state.withLock { $0.latency = latency }
            let chunk = mixer.mix(frames: Self.chunk, at: Self.now, latency: latency)
            stream?.write(chunk)
            silence += 1
        }
        stream = nil
    }

    /// The system's monotonic clock, in microseconds. libVLC 3 (`libvlc_clock`) and GStreamer use the same one.
    private static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }

    private func connect() -> PulseStream? {
        let role = state.withLock { $0.role }
        let stream = PulseStream(client: client, role: role, receive: receive, wake: { [signal] in signal.signal() })
        if stream == nil { serverUnavailable() }
        return stream
    }
}

extension PlaybackNotice {
    package static let audioServerGone = PlaybackNotice(
        code: "audioServerGone",
        message: "The PulseAudio server is gone. Playback runs on the clock until it returns.")
}
#endif
