import FlyingFox
import Foundation
import Synchronization

/// A live DASH stream: a manifest of the newest segments, each a second long, that moves on in real time from its first request on.
public final class LiveManifest: Sendable {
    /// Where the manifest is.
    public let url: URL
    private let server: LoopbackServer

    /// - Parameters:
    ///   - form: how the manifest names segments: `timeline`, `numbers`, or `open` for a timeline that repeats its only entry.
    ///   - window: how many seconds the manifest holds.
    ///   - seconds: the length of the stream. After it the manifest is static.
    ///   - staysDynamic: `true` for a manifest that stays dynamic, and then names the duration and no further version.
    ///   - segments: the folder of the segments on another server; `nil` for this one.
    public init(
        _ form: String = "timeline", window: Int, seconds: Int, staysDynamic: Bool = false, segments: URL? = nil
    ) async throws {
        let manifest = try await MediaFixtures.shared.dash(form == "open" ? "numbers" : form, seconds: seconds)
        let folder = manifest.deletingLastPathComponent()
        var text = try String(contentsOf: manifest, encoding: .utf8)
        if let segments { text.replace("<Period", with: "<BaseURL>\(segments.absoluteString)</BaseURL><Period") }
        let firstRequest = Mutex<Date?>(nil)
        server = try await LoopbackServer { [text] request in
            guard request.path == "/live.mpd" else {
                let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst())))
                return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
            }
            let now = Date.now
            let start = firstRequest.withLock { first in
                first = first ?? now
                return first ?? now
            }
            let elapsed = Int(now.timeIntervalSince(start))
            // The window was full when the stream began for the test.
            let date = start.addingTimeInterval(-Double(window))
            var live = Self.manifest(text, first: elapsed, count: window, total: seconds, date, staysDynamic)
            if form == "open" {
                live.replace(#/ duration="(\d+)"([^>]*)>/#) { match in
                    "\(match.2)><SegmentTimeline><S t=\"0\" d=\"\(match.1)\" r=\"-1\"/></SegmentTimeline>"
                }
            }
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
