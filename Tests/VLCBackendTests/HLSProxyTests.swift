#if VLC
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import FlyingFox
@testable import MediaTransport
import Foundation
import TestSupport
import Testing

@testable import VLCBackend

/// The HLS proxy between libVLC and the servers of streams.
@MainActor
@Suite struct HLSProxyTests {
    private func play(_ url: URL, to last: PlayerState = .complete) async -> EventRecorder {
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        #expect(await recorder.reaches(last), "\(recorder.states) \(recorder.errors)")
        return recorder
    }

    /// A server that serves segments only to clients with the cookie of the playlist. Others receive a refusal.
    private func guarded(_ folder: URL) async throws -> LoopbackServer {
        try await LoopbackServer { request in
            let pass = "pass=\(folder.lastPathComponent)"
            if request.path == "/door" {
                let headers: HTTPHeaders = [.location: "/clip.m3u8", .setCookie: pass + "; Path=/"]
                return HTTPResponse(statusCode: .found, headers: headers)
            }
            guard request.headers[.cookie]?.contains(pass) == true else {
                return HTTPResponse(statusCode: .forbidden)
            }
            let file = folder.appending(path: String(request.path.dropFirst()))
            return HTTPResponse(statusCode: .ok, body: try Data(contentsOf: file))
        }
    }

    @Test func aCookieIsSentWithEveryRequest() async throws {
        let clip = try await MediaFixtures.shared.file("m3u8")
        let server = try await guarded(clip.deletingLastPathComponent())
        let recorder = await play(server.base.appending(path: "door"))
        #expect(recorder.errors.isEmpty)
        #expect(recorder.positions.last == MediaFixtures.duration)
    }

    @Test func anotherItemSendsNoCookie() async throws {
        let clip = try await MediaFixtures.shared.file("m3u8")
        let server = try await guarded(clip.deletingLastPathComponent())
        _ = await play(server.base.appending(path: "door"))
        let recorder = await play(server.base.appending(path: "clip.m3u8"), to: .failure)
        #expect(recorder.errors.map(\.httpStatus) == [403], "\(recorder.errors)")
    }

    @Test(arguments: ["status=404@variant1", "status=404@variant1+status=500@variant2"])
    func anotherVariantReplacesAMissingOne(plan: String) async throws {
        let master = try await MediaFixtures.shared.variants()
        let server = try await FaultServer.start(serving: master.deletingLastPathComponent())
        let player = MediaPlayer(backend: LibVLCBackend(audioOutput: .none))
        let recorder = EventRecorder(player)
        let url = server.url(for: "/master.m3u8", plan: try FaultPlan(parsing: plan))
        player.load(PlayerItem(unlimited: url), autoPlay: true)
        let plays = await recorder.event { event in
            if case .position(let position) = event { position > 3 } else { event == .state(.failure) }
        }
        #expect(plays)
        #expect(recorder.errors.isEmpty)
        #expect(player.snapshot.playbackType == .vod)
        #expect(abs((player.duration?.seconds ?? 0) - 12) < 0.2)
        player.stop()
        await server.stop()
    }

    /// A session of the HLS proxy, without libVLC.
    private func session(to server: FaultServer) -> HLSProxySession { session(to: server.url(for: "/a.m3u8")) }

    private func session(to url: URL) -> HLSProxySession {
        let access = HTTPRequestOptions(retry: .standard, security: .standard, cookies: CookieJar())
        let stream = HLSStream(url: url, playlist: "#EXTM3U", options: access, port: 1)
        return HLSProxySession(to: stream, hasBegun: false)
    }

    /// An engine requests such a segment by its number, because its address belongs to two segments.
    @Test func aSegmentMayBeInAPlaylistTwice() throws {
        let url = URL(string: "http://host/a.m3u8")!
        func numbered(_ names: [String]) throws -> String? {
            let text = "#EXTM3U\n" + names.map { "#EXTINF:2,\n\($0).ts\n" }.joined()
            guard case .media(let media)? = HLSPlaylist(text, url: url) else { return nil }
            return session(to: url).numbered(text, media.segments, at: url, named: url)
        }
        let text = try #require(try numbered(["a", "b", "a"]))
        #expect(Set(text.split(separator: "\n").filter { $0.hasPrefix("http") }).count == 3, "\(text)")
        #expect(try numbered(["a", "b"]) == nil)
    }

    /// A live playlist that breaks off has changed before its rest is requested.
    @Test func aPlaylistThatChangesBetweenTwoAttemptsIsReadAgain() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "flowplayer-\(UUID()).m3u8")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9\n#EXTINF:1,\n9.ts\n".utf8).write(to: file)
        let clock = ManualClock()
        let server = try await FaultServer.start(serving: file, clock: clock)
        let plan = try FaultPlan(parsing: "late=1@1+reset-mid-body@1")
        let url = server.url(for: "/" + file.lastPathComponent, plan: plan)
        let session = session(to: url)
        async let answer = session.answer(.playlist, url, range: nil)
        _ = try await server.request { _ in true }
        try Data("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:10\n#EXTINF:1,\n10.ts\n".utf8).write(to: file)
        await clock.advance(by: .seconds(1))
        let playlist = String(decoding: try await answer.bodyData, as: UTF8.self)
        #expect(playlist.contains("#EXT-X-MEDIA-SEQUENCE:10\n"))
        #expect(server.requests.map(\.headers["range"]) == ["bytes=0-", "bytes=24-", "bytes=0-"])
        await server.stop()
    }

    /// The error at the end is the one that still lasts. An error that a later segment has cleared is not reported.
    @Test func aRefusalIsKeptUntilASegmentArrives() async throws {
        let server = try await FaultServer.start(serving: ["/a.ts": Data(count: 1000)])
        let session = session(to: server)
        let refused = await session.answer(.segment, server.url(for: "/b.ts"), range: nil)
        #expect(refused.status == 404)
        #expect(session.error?.httpStatus == 404)
        let bytes = try await session.answer(.segment, server.url(for: "/a.ts"), range: nil).bodyData
        #expect(bytes.count == 1000)
        #expect(await eventually { session.error == nil })
        await server.stop()
    }

    /// The audio says nothing about a missing segment of the video, and the other way round.
    @Test(arguments: [("video", "audio"), ("audio", "video")])
    func aRefusalIsKeptUntilASegmentOfItsOwnPlaylistArrives(refused: String, other: String) async throws {
        let server = try await LoopbackServer { request in
            let name = request.path.dropFirst().prefix { $0 != "." && !$0.isNumber }
            guard request.path.hasSuffix(".m3u8") else {
                return HTTPResponse(statusCode: request.path.contains("2") ? .notFound : .ok, body: Data(count: 100))
            }
            let segments = (1...3).map { "#EXTINF:1,\n\(name)\($0).ts\n" }
            return HTTPResponse(
                statusCode: .ok,
                body: Data("#EXTM3U\n#EXT-X-MAP:URI=\"\(name)0.mp4\"\n\(segments.joined())#EXT-X-ENDLIST\n".utf8))
        }
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=64x36,AUDIO="a"
            video.m3u8

            """
        let stream = HLSStream(
            url: server.base.appending(path: "master.m3u8"), playlist: master,
            options: HTTPRequestOptions(retry: .none, security: .standard, cookies: CookieJar()), port: 1)
        let session = HLSProxySession(to: stream, hasBegun: true)
        func answer(_ kind: HLSProxySession.Kind, _ path: String) async throws {
            _ = try await session.answer(kind, server.base.appending(path: path), range: nil).bodyData
        }
        for name in [refused, other] { try await answer(.playlist, name + ".m3u8") }
        try await answer(.segment, refused + "2.ts")
        #expect(session.error?.httpStatus == 404)
        for name in ["0.mp4", "1.ts", "3.ts"] { try await answer(.segment, other + name) }
        #expect(session.error?.httpStatus == 404)
        try await answer(.segment, refused + "3.ts")
        #expect(session.error == nil)
    }

    /// Separate audio of fragmented mp4 without its initialization.
    @Test func aMissingInitializationIsKeptUntilASegmentOfItsOwnPlaylistArrives() async throws {
        let list = { (name: String) in
            "#EXTM3U\n#EXT-X-MAP:URI=\"\(name).mp4\"\n#EXTINF:1,\n\(name).m4s\n#EXT-X-ENDLIST\n"
        }
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="audio.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=64x36,AUDIO="a"
            video.m3u8

            """
        let server = try await FaultServer.start(serving: [
            "/audio.m3u8": Data(list("audio").utf8), "/audio.m4s": Data(count: 100),
            "/video.m3u8": Data(list("video").utf8), "/video.m4s": Data(count: 100), "/video.mp4": Data(count: 100),
        ])
        let stream = HLSStream(
            url: server.url(for: "/master.m3u8"), playlist: master,
            options: HTTPRequestOptions(retry: .none, security: .standard, cookies: CookieJar()), port: 1)
        let session = HLSProxySession(to: stream, hasBegun: true)
        for name in ["audio", "video"] {
            let playlist = server.url(for: "/\(name).m3u8")
            _ = try await session.answer(.playlist, playlist, range: nil).bodyData
            _ = try await session.answer(.numbered, playlist, number: 0, range: nil).bodyData
            #expect(session.error?.httpStatus == 404)
        }
        await server.stop()
    }

    /// The engine seeks while it waits for a segment, which it does not need any more.
    @Test func aRefusalFromBeforeASeekDoesNotMatter() async throws {
        let (log, gate) = (RequestLog(), AsyncStream<Void>.makeStream())
        let server = try await LoopbackServer { request in
            log.add(request.path)
            for await _ in gate.stream {}
            return HTTPResponse(statusCode: .notFound)
        }
        let session = session(to: server.base.appending(path: "a.m3u8"))
        async let refused = session.answer(.segment, server.base.appending(path: "a.ts"), range: nil)
        #expect(await eventually { !log.paths.isEmpty })
        session.dropFailures()
        gate.continuation.finish()
        #expect(await refused.status == 404)
        #expect(session.error == nil)
        #expect(await session.answer(.segment, server.base.appending(path: "b.ts"), range: nil).status == 404)
        #expect(session.error?.httpStatus == 404)
    }

    /// GStreamer cannot seek after a refusal, so it receives none before it has opened.
    @Test func aRefusalWaitsUntilItIsReleased() async throws {
        let server = try await FaultServer.start(serving: ["/a.ts": Data(count: 1000)])
        let stream = HLSStream(
            url: server.url(for: "/a.m3u8"), playlist: "",
            options: HTTPRequestOptions(retry: .none, security: .standard, cookies: CookieJar()), port: 1)
        let session = HLSProxySession(to: stream, hasBegun: true, holdsRefusals: true)
        let missing = server.url(for: "/b.ts")
        var status: Int?
        let refused = Task { status = await session.answer(.segment, missing, range: nil).status }
        #expect(await eventually { session.error?.httpStatus == 404 })
        let bytes = try await session.answer(.segment, server.url(for: "/a.ts"), range: nil).bodyData
        #expect(bytes.count == 1000 && status == nil)
        session.releaseRefusals()
        await refused.value
        #expect(status == 404)
        await server.stop()
    }

    /// libVLC waits for the rest of an answer for ever, and cannot be stopped meanwhile.
    @Test func aClosedSessionEndsItsResponses() async throws {
        let server = try await FaultServer.start(serving: ["/a.ts": Data(count: 500_000)])
        let session = session(to: server)
        let url = server.url(for: "/a.ts", plan: FaultPlan("hang-mid-body")!)
        let answer = await session.answer(.segment, url, range: nil)
        #expect(answer.status == 200)
        session.close()
        await #expect(throws: (any Error).self) { try await answer.bodyData }
        await server.stop()
    }

    /// Serves the playlists of variants: the first once, the second never, the third always.
    private func changing(_ log: RequestLog) async throws -> LoopbackServer {
        try await LoopbackServer { request in
            log.add(request.path)
            let times = log.paths.count { $0 == request.path }
            guard request.path == "/third.m3u8" || request.path == "/first.m3u8" && times == 1 else {
                return HTTPResponse(statusCode: .notFound)
            }
            return HTTPResponse(statusCode: .ok, body: Data("#EXTM3U\n#EXT-X-ENDLIST\n".utf8))
        }
    }

    private func session(toVariantsOf server: LoopbackServer) -> HLSProxySession {
        let variants = [("first", 1000), ("second", 8000), ("third", 9000)].map { name, bandwidth in
            "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth),RESOLUTION=64x36\n\(name).m3u8\n"
        }
        let stream = HLSStream(
            url: server.base.appending(path: "master.m3u8"), playlist: "#EXTM3U\n" + variants.joined(),
            options: HTTPRequestOptions(retry: .none, security: .standard, cookies: CookieJar()), port: 1)
        return HLSProxySession(to: stream, hasBegun: true)
    }

    @Test func aMissingVariantIsRequestedOnce() async throws {
        let log = RequestLog()
        let server = try await changing(log)
        let session = session(toVariantsOf: server)
        for _ in 1...3 {
            let answer = await session.answer(.playlist, server.base.appending(path: "second.m3u8"), range: nil)
            #expect(answer.status == 200)
        }
        #expect(log.paths == ["/second.m3u8"] + Array(repeating: "/third.m3u8", count: 3))
    }

    /// The proxy must not switch the variant of a live stream with each request that fails.
    @Test func aVariantThatWasReadIsNotReplaced() async throws {
        let log = RequestLog()
        let server = try await changing(log)
        let session = session(toVariantsOf: server)
        let url = server.base.appending(path: "first.m3u8")
        #expect(await session.answer(.playlist, url, range: nil).status == 200)
        #expect(await session.answer(.playlist, url, range: nil).status == 404)
        #expect(session.error?.httpStatus == 404)
        #expect(log.paths == ["/first.m3u8", "/first.m3u8"])
    }

    @Test func theFirstRefusalIsReportedIfNoVariantIsLeft() async throws {
        let master = try await MediaFixtures.shared.variants()
        let server = try await FaultServer.start(serving: master.deletingLastPathComponent())
        let plan = try FaultPlan(parsing: "status=404@variant1+status=500@variant2+status=500@variant3")
        let recorder = await play(server.url(for: "/master.m3u8", plan: plan), to: .failure)
        #expect(recorder.errors.map(\.httpStatus) == [404])
        await server.stop()
    }
}

extension HLSProxyResponse {
    /// The whole body.
    fileprivate var bodyData: Data {
        get async throws {
            defer { close() }
            var data = Data()
            while let bytes = try await next() { data += bytes }
            return data
        }
    }
}
#endif
