#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VLCBackend

/// Media whose addresses expire while they play, and a host that gives new ones.
@MainActor
@Suite struct ExpiryTests {
    private final class Signer: MediaURLProvider {
        private let count = Mutex(0)

        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return item.url.appending(queryItems: [URLQueryItem(name: "token", value: "\(number)")])
        }
    }

    /// Gives what has expired.
    private struct Forgetful: MediaURLProvider {
        func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL { item.url }
    }

    private func play(
        _ path: String, _ plan: String, _ provider: any MediaURLProvider,
        until isOver: @escaping (PlayerEvent) -> Bool
    ) async throws -> EventRecorder {
        let server = try await FaultServer.start(serving: try await FaultMatrix.media())
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        player.urlProvider = provider
        let recorder = EventRecorder(player)
        player.load(PlayerItem(unlimited: server.url(for: path, plan: try FaultPlan(parsing: plan))), autoPlay: true)
        #expect(await recorder.event(where: isOver), "\(recorder.states) \(recorder.errors)")
        player.stop()
        await server.stop()
        return recorder
    }

    @Test(arguments: [
        ("/clip.mp4", "expires-requests=1+reset-mid-body@1"), ("/clip.mp3", "expires-requests=1+reset-mid-body@1"),
        ("/vod/clip.m3u8", "status=403@segment4@1"),
    ])
    func playbackContinuesAtItsPosition(path: String, plan: String) async throws {
        let recorder = try await play(path, plan, Signer()) { $0 == .state(.complete) || $0 == .state(.failure) }
        #expect(recorder.errors.isEmpty)
        #expect(recorder.notices.contains { $0.code == "addressRefused" })
        #expect(recorder.states.count { $0 == .ready } == 1, "it is opened once")
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(abs((recorder.positions.last ?? 0) - 6) < 0.3)
    }

    /// The address has expired before the item is opened.
    @Test(arguments: ["/clip.mp4", "/clip.mp3", "/vod/clip.m3u8"])
    func playbackBeginsAtTheNewAddress(path: String) async throws {
        struct Renewer: MediaURLProvider {
            func url(for item: PlayerItem, after error: PlaybackError) async throws -> URL {
                var parts = URLComponents(url: item.url, resolvingAgainstBaseURL: true)!
                parts.percentEncodedPath = parts.percentEncodedPath.replacing("status=410", with: "none")
                return parts.url!
            }
        }
        let recorder = try await play(path, "status=410", Renewer()) {
            $0 == .state(.complete) || $0 == .state(.failure)
        }
        #expect(recorder.errors.isEmpty)
        #expect(recorder.statesWithoutStalls == [.load, .ready, .play, .complete, .idle])
        #expect(recorder.notices.count { $0.code == "addressRefused" } == 1)
    }

    @Test func aLiveStreamContinues() async throws {
        var questions = 0
        var later: Double?
        let recorder = try await play("/live/clip.m3u8", "live-endless=3+expires-bytes=300000", Signer()) { event in
            switch event {
            case .log(let notice) where notice.code == "addressRefused": questions += 1
            case .position(let position) where questions > 0:
                later = later ?? position
                return position > later! + 2
            default: break
            }
            return event == .state(.failure)
        }
        #expect(recorder.errors.isEmpty)
        #expect(questions > 0)
        #expect((recorder.positions.max() ?? 0) > (try #require(later)) + 2)
    }

    /// The server refuses the next item while the queue preloads it. The item has its new address before it starts.
    @Test func aQueueContinuesWithoutAFailure() async throws {
        let server = try await FaultServer.start(serving: try await OutageTests.media())
        let player = QueuePlayer(backend: LibVLCBackend(audioOutput: .none))
        player.urlProvider = Signer()
        let recorder = EventRecorder(player)
        let refused = server.url(for: "/clip.mp3", plan: try FaultPlan(parsing: "status=403@1"))
        player.load([server.url(for: "/clip.mp4"), refused].map { PlayerItem(unlimited: $0) }, autoPlay: true)
        #expect(await eventually { recorder.states.count { $0 == .complete } == 2 }, "\(recorder.states)")
        #expect(recorder.errors.isEmpty)
        #expect(recorder.notices.isEmpty, "a listener does not have to know")
        await server.stop()
    }

    @Test func anAddressThatIsRefusedTooHasFailed() async throws {
        let recorder = try await play("/clip.mp4", "status=403", Forgetful()) { $0 == .state(.failure) }
        #expect(recorder.errors.map(\.httpStatus) == [403])
        #expect(recorder.errors.first?.tried == [.askedForAddress])
        #expect(recorder.notices.count { $0.code == "addressRefused" } == 1)
    }
}
#endif
