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
    ///   - missed: how many seconds are over when the test begins.
    ///   - isFragmented: `true` for segments in fragmented mp4. Their times count from the start of the stream.
    ///   - tags: lines before a segment, by its number.
    public init(
        window: Int = 10, seconds: Int = 60, missed: Int = 0, isFragmented: Bool = false, tags: [Int: String] = [:]
    ) async throws {
        let folder = try await MediaFixtures.shared.segments(seconds: seconds, isFragmented: isFragmented)
        let clock = ContinuousClock()
        let start = clock.now
        server = try await LoopbackServer { request in
            guard request.path == "/live.m3u8" else {
                let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst())))
                return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
            }
            let first = min(missed + Int(start.duration(to: clock.now) / .seconds(1)), seconds - window)
            let text = Self.playlist(first..<first + window, total: seconds, isFragmented, tags)
            return HTTPResponse(statusCode: .ok, body: Data(text.utf8))
        }
        url = server.base.appending(path: "live.m3u8")
    }

    private static func playlist(
        _ numbers: Range<Int>, total: Int, _ isFragmented: Bool, _ tags: [Int: String]
    ) -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)",
        ]
        if isFragmented { lines.append("#EXT-X-MAP:URI=\"init.mp4\"") }
        for number in numbers {
            let name = "\(number).\(isFragmented ? "m4s" : "ts")"
            lines += [tags[number]].compactMap(\.self) + ["#EXTINF:1.0,", name]
        }
        if numbers.upperBound >= total { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }
}
