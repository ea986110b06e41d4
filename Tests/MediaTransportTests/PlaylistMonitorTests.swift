import Foundation
import Playback
import TestSupport
import Testing

@testable import MediaTransport

/// The playlist that says whether a stream can be played.
@Suite struct PlaylistMonitorTests {
    private static let key =
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"

    private func playlist(key: String) -> Data {
        Data("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n".utf8)
    }

    /// The first report about a stream of two variants, and the code of its error.
    private func report(low: String, high: String) async throws -> (duration: Double?, error: PlaybackErrorCode?) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try playlist(key: low).write(to: folder.appending(path: "low.m3u8"))
        try playlist(key: high).write(to: folder.appending(path: "high.m3u8"))
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1000
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2000
            high.m3u8

            """
        let server = try await LoopbackServer(files: folder)
        let stream = HLSStream(
            url: server.base.appending(path: "master.m3u8"), playlist: master,
            options: HTTPRequestOptions(retry: .unlimited, security: .standard, cookies: CookieJar()), port: 0)
        let (reports, continuation) = AsyncStream.makeStream(of: Result<HLSTimeline?, PlaybackError>.self)
        let monitor = PlaylistMonitor(stream, after: nil) { continuation.yield($0) }
        defer { withExtendedLifetime((server, monitor)) {} }
        for await report in reports {
            switch report {
            case .success(let timeline): return (timeline?.duration, nil)
            case .failure(let error): return (nil, error.code)
            }
        }
        return (nil, nil)
    }

    @Test func aStreamWithOneVariantWithoutDRMIsPlayable() async throws {
        let (duration, error) = try await report(low: Self.key, high: "")
        #expect(duration == 4 && error == nil)
    }

    @Test func aStreamWhoseVariantsAllHaveDRMIsNot() async throws {
        let (duration, error) = try await report(low: Self.key, high: Self.key)
        #expect(duration == nil && error == .noPlayableStream)
    }
}
