#if VLC || GStreamer
import FlowplayerSDK
import FlowplayerTesting
import FlyingFox
import Foundation
import Playback
import TestSupport
import Testing

@testable import Advertising

/// Marks of real streams, on real engines.
@MainActor
@Suite struct StreamAdEngineTests {
    typealias Engine = AdEngineTests.Engine

    private func view(_ engine: Engine, _ ads: AdPlugin? = nil) -> (FlowplayerView, EventRecorder) {
        let player = MediaPlayer(backend: engine.makeBackend(), audioSession: AudioSession(focus: AudioFocus()))
        let view = FlowplayerView(
            avPlayer: player, lifecycle: ApplicationLifecycle(), notificationCenter: NotificationCenter())
        view.videoOutput = .none
        view.attach(ads ?? AdPlugin { engine.makeBackend() })
        return (view, EventRecorder(player))
    }

    private func patient(_ url: URL) -> MediaExternal {
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        return media
    }

    /// A break of two advertisements from 2 s to 4 s.
    nonisolated private static let cues = [2: "#EXT-X-CUE-OUT:1", 3: "#EXT-X-CUE-OUT:1", 4: "#EXT-X-CUE-IN"]

    /// The same break.
    nonisolated private static let dateRanges: [Int: String] = {
        func range(_ second: Int) -> String {
            let message = SpliceSection(.insert(id: UInt32(second), isOut: true, duration: 1)).data
            let text = message.map { String(format: "%02X", $0) }.joined()
            return
                "#EXT-X-DATERANGE:ID=\"\(second)\",START-DATE=\"2026-11-27T12:00:0\(second)Z\",DURATION=1,SCTE35-OUT=0x\(text)"
        }
        return [0: "#EXT-X-PROGRAM-DATE-TIME:2026-11-27T12:00:00Z", 2: range(2), 3: range(3)]
    }()

    @Test(arguments: Engine.usable, [cues, dateRanges])
    func aSeekOverABreakPlaysItFirst(_ engine: Engine, _ tags: [Int: String]) async throws {
        let stream = try await LiveStream(window: 8, seconds: 8, tags: tags)
        let (view, recorder) = view(engine)
        let log = DAILog()
        view.daiDelegate = log
        view.load(external: patient(stream.url))
        #expect(await recorder.reaches(.ready))
        #expect(await eventually { view.snapshot.adBreaks.count == 1 })
        view.seek(6)
        view.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(
            log.lines == [
                "loaded", "adBreakStarted", "adStarted", "adCompleted", "adStarted", "adCompleted", "adBreakEnded",
            ])
        let seeks = recorder.events.compactMap { event -> Double? in
            if case .seek(.seeking, let position) = event { position } else { nil }
        }
        #expect(seeks == [2, 6])
        #expect(recorder.positions.contains { $0 > 2 && $0 < 4 })
        withExtendedLifetime(stream) {}
    }

    /// The stream starts with a break of two advertisements of 2 s. Only the first one is marked in the playlist.
    @Test(arguments: Engine.usable)
    func aSessionStartsWithItsBreakAndCallsTheTrackers(_ engine: Engine) async throws {
        let stream = try await LiveStream(
            window: 6, seconds: 6, tags: [0: "#EXT-X-CUE-OUT:4", 2: "#EXT-X-CUE-OUT:2", 4: "#EXT-X-CUE-IN"])
        let log = RequestLog()
        let server = try await LoopbackServer { request in
            let base = "http://\(request.headers[.host] ?? "")"
            let answers = [
                "/session": "{\"manifestUrl\": \"\(stream.url.absoluteString)\", \"trackingUrl\": \"/tracking\"}",
                "/tracking": SessionDocument.text([0], length: 2, server: base),
            ]
            if let text = answers[request.path] { return HTTPResponse(statusCode: .ok, body: Data(text.utf8)) }
            log.add(request.path)
            return HTTPResponse(statusCode: .ok)
        }
        let ads = AdPlugin { engine.makeBackend() }
        let (view, recorder) = view(engine, ads)
        ads.options.sessions.vod = server.base.appending(path: "session").absoluteString
        ads.options.timeout = .seconds(100)
        view.videoOutput = .frames(IgnoringSink())
        view.autoPlay = true
        view.load(dai: MediaDAI(stream: DAIStreamVOD(contentSourceID: "c", videoID: "v")))
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        let states = recorder.events.compactMap { if case .playbackState(let state) = $0 { state } else { nil } }
        #expect(states == [.ads, .playing, .ended])
        let expected = ["a", "b"].flatMap { ad in SessionDocument.trackers.map { "/\(ad)/\($0)" } }
        _ = await eventually { log.paths.contains("/0/breakEnd") }
        #expect(log.paths == ["/0/breakStart"] + expected + ["/0/breakEnd"])
        withExtendedLifetime((stream, server)) {}
    }

    @Test(arguments: Engine.usable)
    func theMarksOfALivePlaylistComeOnce(_ engine: Engine) async throws {
        let stream = try await LiveStream(
            window: 12, tags: [14: "#EXT-X-CUE-OUT:2", 15: "#EXT-X-CUE-OUT-CONT:1/2", 16: "#EXT-X-CUE-IN"])
        let (view, recorder) = view(engine)
        let log = DAILog()
        view.daiDelegate = log
        view.autoPlay = true
        view.load(external: patient(stream.url))
        #expect(await recorder.event { $0 == .ad(.streamState(.adBreakEnded)) }, "\(recorder.errors)")
        let markers = view.snapshot.markers
        #expect(markers.map(\.kind) == [.cueOut, .cueIn] && markers[1].start == markers[0].start + 2)
        #expect(log.lines == ["loaded", "adBreakStarted", "adStarted", "adCompleted", "adBreakEnded"])
        view.stop()
        #expect(log.lines.last == "idle")
        withExtendedLifetime(stream) {}
    }

    @Test(arguments: Engine.usable)
    func eventsOfDASHAreBreaks(_ engine: Engine) async throws {
        let manifest = try await MediaFixtures.shared.dash()
        let folder = manifest.deletingLastPathComponent()
        let message = SpliceSection(.insert(id: 1, isOut: true, duration: 2)).data.base64EncodedString()
        let events = """
            <EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="1000"><Event id="7" presentationTime="1000">\
            <Signal><Binary>\(message)</Binary></Signal></Event></EventStream>
            """
        let text = try String(contentsOf: manifest, encoding: .utf8)
            .replacing(/<Period[^>]*>/) { $0.output + events }
        let server = try await LoopbackServer { request in
            if request.path == "/stream.mpd" { return HTTPResponse(statusCode: .ok, body: Data(text.utf8)) }
            let data = try? Data(contentsOf: folder.appending(path: String(request.path.dropFirst())))
            return data.map { HTTPResponse(statusCode: .ok, body: $0) } ?? HTTPResponse(statusCode: .notFound)
        }
        let (view, recorder) = view(engine)
        view.load(external: patient(server.base.appending(path: "stream.mpd")))
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        #expect(await eventually { view.snapshot.adBreaks == [1...3] }, "\(view.snapshot.markers)")
        #expect(view.snapshot.markers.map(\.id) == ["7"])
        withExtendedLifetime(server) {}
    }
}
#endif
