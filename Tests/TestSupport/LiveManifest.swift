import FlyingFox
import Foundation

/// A live DASH stream: a manifest of the newest segments, each a second long, that moves on in real time.
public final class LiveManifest: Sendable {
    /// Where the manifest is.
    public let url: URL
    private let server: LoopbackServer

    /// - Parameters:
    ///   - form: how the manifest names segments: `timeline` or `numbers`.
    ///   - window: how many seconds the manifest holds.
    ///   - seconds: the length of the stream. After it the manifest is static.
    ///   - staysDynamic: `true` for a manifest that stays dynamic, and then names the duration and no further version.
    public init(
        _ form: String = "timeline", window: Int, seconds: Int, staysDynamic: Bool = false
    ) async throws {
        let manifest = try await MediaFixtures.shared.dash(form, seconds: seconds)
        let folder = manifest.deletingLastPathComponent()
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let clock = ContinuousClock()
        let start = clock.now
        // The window was full when the stream began for the test.
        let date = Date.now.addingTimeInterval(-Double(window))
        server = try await LoopbackServer { request in
            guard request.path == "/live.mpd" else {
                let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst())))
                return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
            }
            let elapsed = Int(start.duration(to: clock.now) / .seconds(1))
            let live = Self.manifest(text, first: elapsed, count: window, total: seconds, date, staysDynamic)
            return HTTPResponse(statusCode: .ok, body: Data(live.utf8))
        }
        url = server.base.appending(path: "live.mpd")
    }

    private static func manifest(
        _ text: String, first: Int, count: Int, total: Int, _ start: Date, _ staysDynamic: Bool
    ) -> String {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let dynamic = "type=\"dynamic\" availabilityStartTime=\"\(start.formatted(format))\""
        guard first + count < total else {
            return staysDynamic ? text.replacing("type=\"static\"", with: dynamic) : text
        }
        let root = "\(dynamic) minimumUpdatePeriod=\"PT1S\" timeShiftBufferDepth=\"PT\(count)S\""
        let live = text.replacing("type=\"static\"", with: root)
            .replacing(/mediaPresentationDuration="[^"]*"/, with: "")
        return live.replacing(/startNumber="1">\s*<SegmentTimeline>([\s\S]*?)<\/SegmentTimeline>/) { match in
            // Each segment gets an entry. Those in the window remain.
            let entries = match.1.matches(of: /<S (?:t="\d+" )?d="(\d+)"(?: r="(\d+)")?/).flatMap { entry in
                Array(repeating: Int(entry.1) ?? 0, count: 1 + (entry.2.flatMap { Int($0) } ?? 0))
            }
            let time = entries.prefix(first).reduce(0, +)
            let window = entries.dropFirst(first).prefix(count).enumerated().map { index, duration in
                "<S \(index == 0 ? "t=\"\(time)\" " : "")d=\"\(duration)\"/>"
            }
            return "startNumber=\"\(first + 1)\"><SegmentTimeline>\(window.joined())</SegmentTimeline>"
        }
    }
}
