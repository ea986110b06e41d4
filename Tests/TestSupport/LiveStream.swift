import FlyingFox
import Foundation
import Synchronization

/// A live HLS stream: a playlist of the newest segments, each a second long, that moves on in real time from its first request on. If the window has the whole
/// stream, it is a video on demand.
public final class LiveStream: Sendable {
    /// Where the playlist is.
    public let url: URL
    private let server: LoopbackServer
    private let state = State()

    private final class State: Sendable {
        let hasEnded = Mutex(false)
        let requests = Mutex<[String]>([])
        let windows = Mutex<[Range<Int>]>([])
        let start = Mutex<ContinuousClock.Instant?>(nil)

        /// The time since the first request, in seconds.
        var elapsed: Int {
            let now = ContinuousClock.now
            let start = start.withLock { start in
                start = start ?? now
                return start ?? now
            }
            return Int((now - start) / .seconds(1))
        }
    }

    /// The names of the segments that were requested.
    public var requests: [String] { state.requests.withLock(\.self) }

    /// The seconds of the stream that each playlist held, in the order of their requests.
    public var windows: [Range<Int>] { state.windows.withLock(\.self) }

    /// - Parameters:
    ///   - window: how many seconds the playlist holds.
    ///   - seconds: the length of the stream. After it the playlist has an end tag.
    ///   - missed: how many seconds are over when the test begins.
    ///   - isFragmented: `true` for segments in fragmented mp4. Their times count from the start of the stream.
    ///   - isHeld: `true` for a playlist that stays the same until `end` is called.
    ///   - tags: lines before a segment, by its number.
    public init(
        window: Int = 10, seconds: Int = 60, missed: Int = 0, isFragmented: Bool = false, isHeld: Bool = false,
        tags: [Int: String] = [:]
    ) async throws {
        let state = state
        let folder = try await MediaFixtures.shared.segments(seconds: seconds, isFragmented: isFragmented)
        server = try await LoopbackServer { request in
            guard request.path == "/live.m3u8" else {
                let name = String(request.path.dropFirst())
                state.requests.withLock { $0.append(name) }
                let data = try? Data(contentsOf: folder.appending(path: name))
                return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
            }
            let last = seconds - window
            let elapsed = isHeld ? 0 : state.elapsed
            let first = state.hasEnded.withLock(\.self) ? last : min(missed + elapsed, last)
            state.windows.withLock { $0.append(first..<first + window) }
            let text = Self.playlist(first..<first + window, total: seconds, isFragmented, tags)
            return HTTPResponse(statusCode: .ok, body: Data(text.utf8))
        }
        url = server.base.appending(path: "live.m3u8")
    }

    /// The playlist of a stream that is held names its last segments, and no more will follow.
    public func end() { state.hasEnded.withLock { $0 = true } }

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
