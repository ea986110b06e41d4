#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// The HTTP headers of an item reach the servers that the item names, and no other.
@MainActor
@Suite struct HeaderTests {
    private static let headers = [
        "Authorization": "Bearer secret", "Cookie": "session=secret", "Referer": "https://host.example/secret",
        "X-Token": "secret",
    ]

    /// Plays an item with the headers to its end. A subtitle file is selected and requested before.
    private func play(
        _ url: URL, _ engine: RealEngine = .libVLC, subtitles: [ExternalSubtitle] = [], origins: [URL] = [],
        isRequested: () -> Bool = { true }
    ) async -> EventRecorder {
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        media.httpHeaders = Self.headers
        media.userAgent = "Secret/1.0"
        media.httpHeaderOrigins = origins
        media.subtitles = subtitles
        let manager = FlowplayerManager(avPlayer: engine.makePlayer())
        let recorder = EventRecorder(manager.avPlayer!)
        manager.load(external: media)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        if !subtitles.isEmpty {
            manager.selectTrack(subtitle: manager.subtitleList.last?.id ?? 0)
            #expect(await eventually { isRequested() })
        }
        manager.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        manager.stop()
        return recorder
    }

    private func hasAll(_ request: FaultServerRequest) -> Bool {
        request.headers["user-agent"] == "Secret/1.0"
            && Self.headers.allSatisfy { request.headers[$0.key.lowercased()] == $0.value }
    }

    private func hasNone(_ request: FaultServerRequest) -> Bool {
        !request.headers.values.contains { $0.lowercased().contains("secret") }
    }

    private func files(_ folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        return Dictionary(
            uniqueKeysWithValues: try names.map { ("/" + $0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    @Test func playlistsSegmentsKeysAndSubtitlesHaveTheHeaders() async throws {
        var files = try files(try await MediaFixtures.shared.encrypted())
        files["/master.m3u8"] = Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nclip.m3u8\n".utf8)
        files["/de.vtt"] = Data("WEBVTT\n\n00:00.000 --> 00:02.000\nHallo\n".utf8)
        let server = try await FaultServer.start(serving: files)
        let subtitle = ExternalSubtitle(url: server.url(for: "/de.vtt"), lang: "de")
        let recorder = await play(server.url(for: "/master.m3u8"), subtitles: [subtitle]) {
            server.requests.contains { $0.path.hasSuffix("vtt") }
        }
        let kinds = Set(server.requests.map { URL(filePath: $0.path).pathExtension })
        #expect(kinds == ["m3u8", "ts", "key", "vtt"])
        for request in server.requests { #expect(hasAll(request), "\(request)") }
        #expect(recorder.notices.allSatisfy { $0.code != "headerRefused" })
    }

    @Test(arguments: RealEngine.allCases) func rangesOfAFileHaveTheHeaders(engine: RealEngine) async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": try await MediaFixtures.shared.indexAtEnd()])
        _ = await play(server.url(for: "/clip.mp4"), engine)
        #expect(server.requests.contains { $0.range != "bytes=0-" })
        for request in server.requests { #expect(hasAll(request), "\(request)") }
    }

    @Test(arguments: ["/clip.mp4", "/clip.m3u8"], RealEngine.allCases)
    func aRedirectToAnotherOriginHasNoHeaders(path: String, engine: RealEngine) async throws {
        var files = try files(try await MediaFixtures.shared.encrypted())
        files["/clip.mp4"] = try Data(contentsOf: try await MediaFixtures.shared.file("mp4"))
        let (first, other) = (try await FaultServer.start(serving: files), try await FaultServer.start(serving: files))
        first.set(.redirect(to: other.url(for: path).absoluteString), for: path)
        _ = await play(first.url(for: path), engine)
        #expect(!first.requests.isEmpty && first.requests.allSatisfy(hasAll))
        #expect(!other.requests.isEmpty)
        for request in other.requests { #expect(hasNone(request), "\(request)") }
    }

    @Test(arguments: ["/clip0.ts", "/clip.key", "/de.vtt"])
    func aRedirectedPartOfAStreamHasNoHeaders(path: String) async throws {
        var files = try files(try await MediaFixtures.shared.encrypted())
        files["/de.vtt"] = Data("WEBVTT\n\n00:00.000 --> 00:02.000\nHallo\n".utf8)
        let (first, other) = (try await FaultServer.start(serving: files), try await FaultServer.start(serving: files))
        first.set(.redirect(to: other.url(for: path).absoluteString), for: path)
        let subtitle = ExternalSubtitle(url: first.url(for: "/de.vtt"), lang: "de")
        _ = await play(first.url(for: "/clip.m3u8"), subtitles: [subtitle]) {
            first.requests.contains { $0.path == "/de.vtt" } && (path != "/de.vtt" || !other.requests.isEmpty)
        }
        #expect(first.requests.contains { $0.path == path } && first.requests.allSatisfy(hasAll))
        #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.path == path })
        for request in other.requests { #expect(hasNone(request), "\(request)") }
    }

    @Test(arguments: [false, true], RealEngine.allCases)
    func segmentsOfANamedOriginHaveTheHeaders(isNamed: Bool, engine: RealEngine) async throws {
        var files = try files(try await MediaFixtures.shared.encrypted())
        let other = try await FaultServer.start(serving: files)
        files["/master.m3u8"] = Data(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\n\(other.url(for: "/clip.m3u8"))\n".utf8)
        let server = try await FaultServer.start(serving: files)
        _ = await play(server.url(for: "/master.m3u8"), engine, origins: isNamed ? [other.url(for: "/")] : [])
        #expect(other.requests.contains { $0.path.hasSuffix(".ts") })
        for request in other.requests { #expect(isNamed ? hasAll(request) : hasNone(request), "\(request)") }
    }

    @Test(arguments: RealEngine.allCases) func noLogAndNoEventHasTheHeaders(engine: RealEngine) async throws {
        let server = try await FaultServer.start(serving: ["/clip.mp4": Data()])
        server.set(.status(401), for: "/clip.mp4")
        var item = PlayerItem(url: server.url(for: "/clip.mp4"))
        item.retryPolicy = .unlimited
        item.httpHeaders = Self.headers.merging(["Host": "secret", "X-Line": "secret\r\nX: 1"]) { $1 }
        item.userAgent = "Secret/1.0\n"
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load([item], autoPlay: true)
        #expect(await recorder.reaches(.failure))
        func dumps(_ item: PlayerItem) -> [String] {
            var (media, platform) = (MediaExternal(url: item.url), MediaOVP(mediaId: "m", playerId: "p"))
            (media.httpHeaders, platform.httpHeaders) = (item.httpHeaders, item.httpHeaders)
            return [item, media, platform].map { (value: Any) in
                var text = "\(value)"
                dump(value, to: &text)
                return text
            }
        }
        let lines = try recorder.events.map {
            String(decoding: try JSONEncoder().encode(LoggedEvent($0)), as: UTF8.self)
        }
        for text in lines + ["\(recorder.events)", "\(item)", String(reflecting: player.snapshot)] + dumps(item) {
            #expect(!text.lowercased().contains("secret"), "\(text)")
        }
    }
}
#endif
