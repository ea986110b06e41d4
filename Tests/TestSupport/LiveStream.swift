import FlyingFox
import Foundation

/// A live HLS stream: a playlist of the newest segments, each a second long, that moves on in real time. If the window has the whole
/// stream, it is a video on demand.
public final class LiveStream: Sendable {
    /// Where the playlist is.
    public let url: URL
    private let server: LoopbackServer

    /// - Parameters:
    ///   - window: how many seconds the playlist holds.
    ///   - seconds: the length of the stream. After it the playlist has an end tag.
    ///   - tags: lines before a segment, by its number.
    public init(window: Int = 10, seconds: Int = 60, tags: [Int: String] = [:]) async throws {
        let folder = try await MediaFixtures.shared.segments(seconds: seconds)
        let clock = ContinuousClock()
        let start = clock.now
        server = try await LoopbackServer { request in
            guard request.path == "/live.m3u8" else {
                let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst())))
                return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
            }
            let elapsed = Int(start.duration(to: clock.now) / .seconds(1))
            return HTTPResponse(
                statusCode: .ok, body: Self.playlist(first: elapsed, count: window, total: seconds, tags))
        }
        url = server.base.appending(path: "live.m3u8")
    }

    private static func playlist(first: Int, count: Int, total: Int, _ tags: [Int: String]) -> Data {
        let first = min(first, total - count)
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)",
        ]
        for number in first..<first + count {
            lines += [tags[number]].compactMap(\.self) + ["#EXTINF:1.0,", "\(number).ts"]
        }
        if first + count >= total { lines.append("#EXT-X-ENDLIST") }
        return Data((lines.joined(separator: "\n") + "\n").utf8)
    }
}
