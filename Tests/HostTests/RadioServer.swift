#if VLC || GStreamer
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization
import TestSupport

/// A radio station on the loopback interface. As Icecast does, it answers with an `icy-` field, sends some seconds at once and the rest at
/// the speed of the audio, and begins in the middle of a frame.
final class RadioServer: Sendable {
    let url: URL
    private let server: LoopbackServer
    private let air = Air()

    init() async throws {
        let audio = try Data(contentsOf: try await MediaFixtures.shared.file("mp3"))
        server = try await LoopbackServer { [air] _ in
            guard air.state.withLock(\.isOn) else { return HTTPResponse(statusCode: .notFound) }
            let fields: HTTPHeaders = [HTTPHeader("icy-name"): "Test", .contentType: "audio/mpeg"]
            let body = HTTPBodySequence(from: Broadcast(audio: audio, air: air))
            return HTTPResponse(statusCode: .ok, headers: fields, body: body)
        }
        url = server.base.appending(path: "station.mp3")
    }

    /// Ends the connections of all listeners, and refuses others.
    func stopSource() { air.state.withLock { $0.isOn = false } }

    func startSource() { air.state.withLock { $0.isOn = true } }

    /// The number of connections.
    var listeners: Int { air.state.withLock(\.listeners) }
}

private final class Air: Sendable {
    let state = Mutex((isOn: true, listeners: 0))
}

/// Audio that repeats as long as the source sends.
private struct Broadcast: AsyncBufferedSequence {
    let audio: Data
    let air: Air

    func makeAsyncIterator() -> Iterator { Iterator(audio: audio, listener: Listener(air)) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        private static let (burst, piece, bytesPerSecond) = (64 << 10, 4 << 10, 16_000.0)
        let audio: Data
        let listener: Listener
        private var sent = 0

        init(audio: Data, listener: Listener) { (self.audio, self.listener) = (audio, listener) }

        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            if sent > Self.burst { try await Task.sleep(for: .seconds(Double(Self.piece) / Self.bytesPerSecond)) }
            guard listener.air.state.withLock(\.isOn) else { return nil }
            let start = (1000 + sent) % (audio.count - Self.piece)
            sent += Self.piece
            return audio[start..<start + Self.piece]
        }
    }

    final class Listener: Sendable {
        let air: Air

        init(_ air: Air) {
            self.air = air
            air.state.withLock { $0.listeners += 1 }
        }

        deinit { air.state.withLock { $0.listeners -= 1 } }
    }
}
#endif
