#if VLC || GStreamer
import AudioMixer
import Playback
import Synchronization
import TestSupport
import Testing

/// A stream on a real audio server.
@Suite struct PulseStreamAudioTests {
    /// libpulse's thread must neither wait for its own lock nor for its own end.
    @Test func theThreadOfACallbackMayReleaseTheStream() async throws {
        let server = try await TestAudioServer()
        let devices = await TestDevices.acquire(audio: server.address)
        defer { devices.release() }
        let holder = Holder()
        weak var released: PulseStream?
        do {
            let stream = PulseStream(client: "test", role: .music, receive: { _ in }, wake: { holder.release() })
            released = stream
            holder.hold(try #require(stream))
        }
        #expect(await eventually { holder.hasReleased })
        #expect(await eventually { released == nil })
        withExtendedLifetime(server) {}
    }
}

/// Keeps a stream until its next callback.
private final class Holder: Sendable {
    private let stream = Mutex<PulseStream?>(nil)
    private let flag = Atomic(false)

    var hasReleased: Bool { flag.load(ordering: .acquiring) }

    func hold(_ stream: PulseStream) { self.stream.withLock { $0 = stream } }

    func release() {
        guard let last = stream.withLock({ $0.take() }) else { return }
        flag.store(true, ordering: .releasing)
        withExtendedLifetime(last) {}
    }
}
#endif
