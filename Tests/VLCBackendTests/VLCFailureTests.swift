#if VLC
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing
import VLCBackend

/// Media that cannot be played: one failure each, with its reason.
@MainActor
@Suite struct VLCFailureTests {
    private func failure(of url: URL, _ sourceLocation: SourceLocation = #_sourceLocation) async -> PlaybackError? {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(url, autoPlay: true)
        #expect(await recorder.reaches(.failure), sourceLocation: sourceLocation)
        #expect(recorder.states.filter { $0 == .failure }.count == 1, sourceLocation: sourceLocation)
        #expect(recorder.errors.count == 1, sourceLocation: sourceLocation)
        #expect(!recorder.states.contains(.complete), sourceLocation: sourceLocation)
        return recorder.errors.first
    }

    @Test func aMissingFile() async {
        #expect(await failure(of: URL(filePath: "/no/such/file.mp4"))?.code == .fileNotFound)
    }

    @Test func aDirectory() async {
        #expect(await failure(of: FileManager.default.temporaryDirectory)?.code == .isDirectory)
    }

    @Test func anEmptyFile() async throws {
        let url = try await MediaFixtures.shared.bytes("empty.mp4", Data())
        #expect(await failure(of: url)?.code == .emptyFile)
    }

    @Test(arguments: ["noise.mp4", "noise.mp3", "noise.bin", "noise"])
    func randomBytes(name: String) async throws {
        var state: UInt32 = 42
        let noise = Data(
            (0..<200_000).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            })
        let url = try await MediaFixtures.shared.bytes(name, noise)
        #expect(await failure(of: url)?.code == .unrecognisedFormat)
    }

    @Test(arguments: ["text.txt", "text.mp4", "text"])
    func text(name: String) async throws {
        let lines = (1...5000).map { "\($0)\n" }.joined()
        let url = try await MediaFixtures.shared.bytes(name, Data(lines.utf8))
        #expect(await failure(of: url)?.code == .unrecognisedFormat)
    }

    @Test func aFileThatIsCutShort() async throws {
        let error = await failure(of: try await MediaFixtures.shared.truncated())
        #expect(error?.code == .endedEarly)
        #expect(error?.message.contains("of 12.0 s") == true)
    }

    private final class NoSink: VideoFrameSink {
        func receive(_ frame: VideoFrame) {}
    }

    /// Its decoder is there, and nothing comes of it.
    @Test(arguments: [true, false])
    func aVideoThatCannotBeDecoded(withAudio: Bool) async throws {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.videoOutput = .frames(NoSink())
        player.defaultRate = 4
        player.load(try await MediaFixtures.shared.undecodable(withAudio: withAudio), autoPlay: true)
        #expect(await recorder.reaches(withAudio ? .complete : .failure))
        #expect(recorder.errors.map(\.code) == (withAudio ? [] : [.decodingFailed]))
        let codes = recorder.events.compactMap { if case .log(let notice) = $0 { notice.code } else { nil } }
        #expect(codes.filter { $0 == "noVideo" }.count == (withAudio ? 1 : 0))
    }

    @Test(arguments: [403, 404, 500, 503])
    func aServerThatRefuses(status: Int) async throws {
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        let error = await failure(of: server.base.appending(path: "status/\(status)"))
        #expect(error?.code == .httpStatus)
        #expect(error?.httpStatus == status)
        #expect(error?.isRetryable == (status >= 500))
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/clip.mp4", PlaybackErrorCode.connectionRefused),
        ("http://no-such-host.invalid/clip.mp4", .hostNotFound),
        ("foo://bar/clip.mp4", .unsupportedScheme),
        ("vlc://quit", .unsupportedScheme),
        ("screen://", .unsupportedScheme),
    ])
    func anAddressThatLeadsNowhere(address: String, code: PlaybackErrorCode) async throws {
        #expect(await failure(of: try #require(URL(string: address)))?.code == code)
    }

    /// Each of several players that fail at once has its own reason.
    @Test func reasonsAreNotMixedUp() async throws {
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        let cases: [(URL, PlaybackErrorCode, Int?)] = [
            (server.base.appending(path: "status/404"), .httpStatus, 404),
            (server.base.appending(path: "status/403"), .httpStatus, 403),
            (server.base.appending(path: "status/500"), .httpStatus, 500),
            (try #require(URL(string: "http://127.0.0.1:1/a")), .connectionRefused, nil),
            (try #require(URL(string: "http://no-such-host.invalid/a")), .hostNotFound, nil),
        ]
        for _ in 1...10 {
            let running = cases.map { url, code, status in
                let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
                let recorder = EventRecorder(player)
                player.load(url, autoPlay: true)
                return (player, recorder, code, status)
            }
            for (player, recorder, code, status) in running {
                #expect(await recorder.reaches(.failure))
                #expect(player.snapshot.error?.code == code)
                #expect(player.snapshot.error?.httpStatus == status)
            }
        }
    }

    @Test func aServerThatNeverAnswersBlocksNothing() async throws {
        let server = try await LoopbackServer(files: MediaFixtures.shared.directory)
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(server.base.appending(path: "silence"), autoPlay: true)
        #expect(!(await recorder.event(within: .milliseconds(500)) { $0 != .state(.load) }))
        player.load(try await MediaFixtures.shared.file("wav"), autoPlay: true)
        #expect(await recorder.reaches(.complete))
    }
}
#endif
