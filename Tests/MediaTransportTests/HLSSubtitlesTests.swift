import FlyingFox
import Foundation
import Playback
import Synchronization
import TestSupport
import Testing

@testable import MediaTransport

/// The subtitles of an HLS stream in their own playlist.
@Suite struct HLSSubtitlesTests {
    @Test func theMapMovesTheTimesToPositions() {
        let map = WebVTTTimeMap("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:01:00.000,MPEGTS:900000\n")
        // A minute in the subtitles is 10 s in the media, and 7 s in the item.
        #expect(map.origin(near: 0, clock: 3, isLive: false) == -53)
        #expect(map.origin(near: 0, clock: nil, isLive: false) == 0)
        let other = WebVTTTimeMap("\u{FEFF}WEBVTT - a title\r\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:01:00.000\r\n")
        #expect(other.origin(near: 0, clock: 3, isLive: true) == -53)
    }

    @Test func theTimesOfTheMediaBeginAgain() {
        let period = Double(1 << 33) / 90_000
        let map = WebVTTTimeMap("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n")
        #expect(abs(map.origin(near: 20, clock: period - 10, isLive: true) - 20) < 0.001)
    }

    @Test(arguments: [
        "", "WEBVTT\n", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:1,MPEGTS:1\n", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000\n",
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:-1,MPEGTS:nan\n",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n",
    ])
    func withoutAMapTheTimesArePositionsUnlessTheStreamIsLive(text: String) {
        let map = WebVTTTimeMap(text)
        #expect(map.origin(near: 20, clock: 3, isLive: false) == 0)
        #expect(map.origin(near: 20, clock: 3, isLive: true) == -3)
    }

    @Test func aTransportStreamNamesItsClock() {
        var packet: [UInt8] = [0x47, 0, 0, 0x30, 7, 0x10] + [0, 0, 0xAF, 0xC8, 0, 0] + Array(repeating: 0, count: 176)
        #expect(TransportStreamClock.first(in: packet) == 1)
        let other = [0x47, 0, 0, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        #expect(TransportStreamClock.first(in: other + packet) == 1)
        #expect(TransportStreamClock.first(in: other + packet.dropLast()) == nil)
        packet[5] = 0
        #expect(TransportStreamClock.first(in: packet) == nil && TransportStreamClock.first(in: []) == nil)
    }

    private static let parts = """
        #EXTM3U
        #EXTINF:10,
        a.vtt
        #EXT-X-DISCONTINUITY
        #EXTINF:10,
        b.vtt
        #EXT-X-ENDLIST
        """

    /// Serves a live playlist whose window moves with each request, one of two periods, and segments that name themselves.
    private func stream() async throws -> (LoopbackServer, HLSStream) {
        let requests = Mutex(0)
        let server = try await LoopbackServer { request in
            guard request.path.hasSuffix(".m3u8") else {
                let isMissing = request.path == "/5.vtt"
                let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\(request.path)"
                return HTTPResponse(statusCode: isMissing ? .notFound : .ok, body: Data(text.utf8))
            }
            if request.path == "/parts.m3u8" { return HTTPResponse(statusCode: .ok, body: Data(Self.parts.utf8)) }
            if request.path == "/local.m3u8" {
                let list = "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
                return HTTPResponse(statusCode: .ok, body: Data(list.utf8))
            }
            let first = requests.withLock { count in
                defer { count += 1 }
                return 4 + count
            }
            let list = (first..<first + 2).map { "#EXTINF:10,\n\($0).vtt\n" }.joined()
            let head = "#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            return HTTPResponse(statusCode: .ok, body: Data((head + list).utf8))
        }
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="One",LANGUAGE="en",URI="text.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="Parts",URI="parts.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="Local",URI="local.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="File",URI="file:///etc/passwd"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="b",NAME="Other",URI="other.m3u8"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="a",NAME="Captions",INSTREAM-ID="CC1"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="a"
            video.m3u8
            """
        let options = HTTPRequestOptions(retry: .unlimited, security: .standard, cookies: CookieJar())
        let url = server.base.appending(path: "master.m3u8")
        return (server, HLSStream(url: url, playlist: master, options: options, port: 0))
    }

    @Test func thePartsOfALiveStreamAreReadInOrder() async throws {
        let (server, stream) = try await stream()
        let renditions = stream.subtitleRenditions
        #expect(renditions.map(\.name) == ["One", "Parts", "Local", "File"])
        let (outcomes, continuation) = AsyncStream.makeStream(of: HLSSubtitles.Outcome.self)
        let subtitles = try #require(HLSSubtitles(renditions[0], of: stream) { continuation.yield($0) })
        let timeline = HLSTimeline(HLSPlaylist.Media(targetDuration: 10, firstNumber: 4))
        var (read, now): ([String], Duration) = ([], .zero)
        subtitles.update(around: 0, at: now, in: timeline) { _ in 3 }
        for await outcome in outcomes {
            switch outcome {
            case .part(let part):
                read.append(try name(part))
                #expect(part.origin == 7)
            case .skipped(let notice): read.append(notice.code)
            case .playlist: break
            case .unusable(let notice): Issue.record("\(notice)")
            }
            guard read.count < 3 else { break }
            now += .seconds(1)
            subtitles.update(around: 0, at: now, in: timeline) { _ in 3 }
        }
        #expect(read == ["/4.vtt", "subtitleUnavailable", "/6.vtt"])
        withExtendedLifetime(server) {}
    }

    private func name(_ part: HLSSubtitles.Part) throws -> String {
        String(try String(contentsOf: part.file.url, encoding: .utf8).split(separator: "\n").last ?? "")
    }

    @Test func subtitlesOfAPeriodWaitForItsMedia() async throws {
        let (server, stream) = try await stream()
        let (outcomes, continuation) = AsyncStream.makeStream(of: HLSSubtitles.Outcome.self)
        let subtitles = try #require(HLSSubtitles(stream.subtitleRenditions[1], of: stream) { continuation.yield($0) })
        var iterator = outcomes.makeAsyncIterator()
        func update(_ clocks: [Int: Double]) {
            subtitles.update(around: 0, at: .zero, in: HLSTimeline(HLSPlaylist.Media())) { period in
                period.map { clocks[$0] } ?? clocks[0]
            }
        }
        update([0: 3])
        guard case .playlist = await iterator.next() else {
            Issue.record("The playlist was not read.")
            return
        }
        var origins: [String: Double] = [:]
        for clocks in [[0: 3.0], [0: 3], [0: 3, 1: 20]] {
            update(clocks)
            if origins["/a.vtt"] != nil, clocks[1] == nil { continue }
            if case .part(let part) = await iterator.next() { origins[try name(part)] = part.origin }
        }
        #expect(origins == ["/a.vtt": 7, "/b.vtt": -10])
        withExtendedLifetime(server) {}
    }

    /// A segment, or the playlist.
    @Test(arguments: [
        ("Local", "The subtitles Local from 0 s on cannot be shown: its address is not allowed."),
        ("File", "The subtitles File cannot be shown: its playlist cannot be read."),
    ])
    func aLocalFileThatAServerNamesIsNotRead(name: String, expected: String) async throws {
        let (server, stream) = try await stream()
        let (outcomes, continuation) = AsyncStream.makeStream(of: HLSSubtitles.Outcome.self)
        let rendition = try #require(stream.subtitleRenditions.first { $0.name == name })
        let subtitles = try #require(HLSSubtitles(rendition, of: stream) { continuation.yield($0) })
        func update() { subtitles.update(around: 0, at: .zero, in: HLSTimeline(HLSPlaylist.Media())) { _ in nil } }
        update()
        var message: String?
        for await outcome in outcomes {
            switch outcome {
            case .playlist:
                update()
                continue
            case .part: break
            case .skipped(let notice), .unusable(let notice): message = notice.message
            }
            break
        }
        #expect(message == expected)
        withExtendedLifetime(server) {}
    }
}
