#if VLC || GStreamer
import FlowplayerFaults
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import TestSupport
import Testing

/// Commands of a host with real media. `AsyncTests`, `MirrorTests` and `PlatformTests` have the same behaviour in virtual time.
@MainActor
@Suite struct EngineHostTests {
    private func view(_ engine: RealEngine) -> (FlowplayerView, EventRecorder) {
        let player = engine.makePlayer()
        let view = FlowplayerView(avPlayer: player, notificationCenter: NotificationCenter())
        view.videoOutput = .none
        return (view, EventRecorder(player))
    }

    private func unlimited(_ url: URL) -> MediaExternal {
        var media = MediaExternal(url: url)
        media.retryPolicy = .unlimited
        return media
    }

    @Test(arguments: RealEngine.allCases) func aLoadAndASeekAreAwaited(engine: RealEngine) async throws {
        let (view, _) = view(engine)
        let states = view.values(of: \.state)
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.long(seconds: 120)))
        #expect(view.isReady && view.error == nil)
        #expect(await view.seek(to: 12))
        #expect(abs(try #require(view.position).seconds - 12) < 0.1)
        view.play()
        for await state in states where state == .play { break }
        #expect(await eventually { view.isPlaying })
        await #expect(throws: PlaybackError.self) {
            try await view.load(MediaExternal(url: URL(filePath: "/no/file.mp4")))
        }
        #expect(view.error?.code == .fileNotFound)
    }

    @Test(arguments: RealEngine.allCases) func theRateIsThatOfAVPlayer(engine: RealEngine) async throws {
        let (view, recorder) = view(engine)
        let rates = Rates()
        view.delegate = rates
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.long(seconds: 120)))
        #expect(view.rate == 0)
        view.rate = 1
        #expect(await recorder.reaches(.play))
        view.pause()
        #expect(await recorder.reaches(.pause))
        view.defaultRate = 2
        #expect(view.rate == 0)
        view.play()
        #expect(view.rate == 2)
        #expect(await recorder.reaches(.play))
        view.rate = 0
        #expect(await recorder.reaches(.pause))
        #expect(await eventually { rates.received == [1, 0, 2, 0] }, "\(rates.received)")
    }

    /// libVLC reads up to 15 s of an mp4 file with one track ahead. Its time does not move after the last byte.
    @Test(arguments: RealEngine.allCases, ["m4a", "mp4"])
    func anMP4FileOfOneTrackPlaysToItsEnd(engine: RealEngine, format: String) async throws {
        let media = MediaFixtures.shared
        let file = format == "m4a" ? try await media.audio("m4a", seconds: 14) : try await media.silent(seconds: 14)
        let path = "/clip.\(format)"
        let server = try await FaultServer.start(serving: [path: try Data(contentsOf: file)])
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load(PlayerItem(unlimited: server.url(for: path)), autoPlay: true)
        #expect(await recorder.event { $0.reaches(1.5) }, "\(recorder.errors)")
        player.pause()
        #expect(await recorder.reaches(.pause))
        player.startSeek(to: 0.5)
        #expect(await recorder.event { $0 == .seek(.seeked, position: 0.5) })
        player.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        player.stop()
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases, ["/master.m3u8", "/variant.m3u8"])
    func aStreamWithDRMFailsAtOnce(engine: RealEngine, path: String) async throws {
        let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
        let variant = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(key)\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n"
        let segment = try await MediaFixtures.shared.segments(seconds: 12).appending(path: "0.ts")
        let server = try await FaultServer.start(serving: [
            "/master.m3u8": Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nvariant.m3u8\n".utf8),
            "/variant.m3u8": Data(variant.utf8), "/0.ts": try Data(contentsOf: segment),
        ])
        let (view, _) = view(engine)
        let error = await #expect(throws: PlaybackError.self) {
            try await view.load(unlimited(server.url(for: path)))
        }
        #expect(error?.code == .noPlayableStream, "\(String(describing: error))")
        #expect(error?.message.contains("DRM") == true)
        #expect(!server.requests.contains { $0.path == "/0.ts" })
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases) func aTinyFileOfAServerIsNoMedia(engine: RealEngine) async throws {
        let server = try await FaultServer.start(serving: ["/tiny.mp4": Data(repeating: 7, count: 8)])
        let (view, _) = view(engine)
        await #expect(throws: PlaybackError.self) {
            try await view.load(unlimited(server.url(for: "/tiny.mp4")))
        }
        #expect(view.error?.code == .unrecognisedFormat)
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases, ["slow", "still", "short"])
    func anItemWithFewFramesPlaysToItsEnd(engine: RealEngine, kind: String) async throws {
        let (view, recorder) = view(engine)
        view.videoOutput = .frames(FrameSizes())
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.sparse(kind)))
        view.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
    }

    @Test(arguments: RealEngine.allCases, ["mkv", "webm", "flv", "ts"])
    func aFileWhoseTimesBeginLaterPlaysToItsEnd(engine: RealEngine, format: String) async throws {
        let (view, recorder) = view(engine)
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.late(format)))
        view.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty)
    }

    @Test(arguments: RealEngine.allCases) func aCutFilePlaysToItsEnd(engine: RealEngine) async throws {
        let (view, recorder) = view(engine)
        try await view.load(MediaExternal(url: try await MediaFixtures.shared.cut()))
        view.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(recorder.errors.isEmpty && abs((view.duration?.seconds ?? 0) - 3) < 0.5)
    }

    #if GStreamer
    /// Edit lists name a silence of 20 seconds, which libVLC skips, or let the video begin later.
    @Test(arguments: [true, false])
    func thePositionRunsUntilTheFirstMedia(isSilent: Bool) async throws {
        let (view, recorder) = view(.gStreamer)
        let media = MediaFixtures.shared
        try await view.load(MediaExternal(url: isSilent ? try await media.late("mp4") : try await media.lateVideo()))
        view.play()
        #expect(await recorder.event { $0.reaches(0.1) }, "\(recorder.errors)")
        #expect(recorder.positions.allSatisfy { $0 < 15 }, "\(recorder.positions)")
        view.close()
    }
    #endif

    /// Parts whose times begin at 0: with their own initializations, and the same part twice.
    @Test(arguments: RealEngine.allCases, ["HLS", "HLS twice", "MPEG-TS", "MPEG-TS twice", "DASH"])
    func thePartsOfAStreamFollowEachOther(engine: RealEngine, kind: String) async throws {
        let (server, view, recorder) = try await loadParts(kind, on: engine)
        let length = kind.hasPrefix("MPEG-TS") ? 12.0 : 8
        #expect(abs((view.duration?.seconds ?? 0) - length) < 0.2)
        view.play()
        #expect(await recorder.reaches(.complete))
        #expect(recorder.errors.isEmpty)
        #expect(recorder.positions == recorder.positions.sorted())
        for part in stride(from: 4, to: length, by: 4) {
            let range = part + 1...part + 3.5
            #expect(recorder.positions.contains(where: range.contains), "\(recorder.events.map(\.text))")
        }
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases, ["HLS", "MPEG-TS", "DASH"])
    func aSeekLeadsToAnotherPartOfAStream(engine: RealEngine, kind: String) async throws {
        let (server, view, recorder) = try await loadParts(kind, on: engine)
        view.play()
        for target in [4.5, 0.5, 5.5, 1.5, 6.5] {
            let before = recorder.entries.count
            view.avPlayer?.startSeek(to: target)
            // On a busy machine, the stream may have ended before the seek.
            view.play()
            #expect(await recorder.event { $0 == .seek(.seeked, position: target) }, "\(recorder.errors)")
            let isPlaying = await recorder.event(after: before) { $0.reaches(target + 0.3) }
            #expect(isPlaying, "\(target) \(recorder.events.suffix(20).map(\.text))")
        }
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    /// Each segment of ten seconds contains all of its video before its audio.
    @Test(arguments: RealEngine.allCases)
    func aSeekLeadsToALongSegment(engine: RealEngine) async throws {
        let (view, recorder) = view(engine)
        view.videoOutput = .frames(FrameSizes())
        let stream = try await MediaFixtures.shared.hlsSubtitles("fmp4")
        let server = try await FaultServer.start(serving: stream.deletingLastPathComponent())
        try await view.load(unlimited(server.url(for: "/video.m3u8")))
        view.play()
        for target in [61.0, 121, 5] {
            let before = recorder.entries.count
            view.avPlayer?.startSeek(to: target)
            let isSought = await recorder.event(after: before) { $0 == .seek(.seeked, position: target) }
            #expect(isSought, "\(recorder.errors)")
            let isPlaying = await recorder.event(after: before) { $0.reaches(target + 0.3) }
            #expect(isPlaying, "\(recorder.errors)")
        }
        #expect(recorder.errors.isEmpty)
        await server.stop()
    }

    @Test(arguments: RealEngine.allCases) func theVideoOfBothPartsIsShown(engine: RealEngine) async throws {
        let (server, view, recorder) = try await loadParts("HLS", on: engine)
        let frames = FrameSizes()
        view.videoOutput = .frames(frames)
        view.play()
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        #expect(frames.received == [VideoSize(width: 320, height: 180), VideoSize(width: 160, height: 90)])
        await server.stop()
    }

    /// The bound is shorter than the time limit of a subtitle file.
    @Test(arguments: RealEngine.allCases)
    func aSubtitleFileIsNotReadAfterItsItem(engine: RealEngine) async throws {
        let media = MediaFixtures.shared
        let file = try await media.subtitles("hanging.srt", [(0, 60, "Hello")])
        let server = try await FaultServer.start(serving: file.deletingLastPathComponent())
        var item = PlayerItem(unlimited: try await media.file("mp4"))
        item.subtitles = [ExternalSubtitle(url: server.url(for: "/hanging.srt", fault: .hang(.midBody)), name: "A")]
        let player = engine.makePlayer()
        let recorder = EventRecorder(player)
        player.load(item)
        #expect(await recorder.reaches(.ready), "\(recorder.errors)")
        player.selectSubtitle(id: try #require(player.snapshot.tracks?.subtitles.first?.id))
        _ = try await server.request { $0.path == "/hanging.srt" && $0.bytesSent > 0 }
        player.stop()
        _ = try await server.request(within: .seconds(50)) { $0.ending == .abandoned }
        await server.stop()
    }

    private func loadParts(_ kind: String, on engine: RealEngine) async throws -> (
        FaultServer, FlowplayerView, EventRecorder
    ) {
        let media = MediaFixtures.shared
        let stream =
            kind == "DASH"
            ? try await media.dashPeriods()
            : try await media.parts(areSame: kind.hasSuffix("twice"), isFragmented: kind.hasPrefix("HLS"))
        let server = try await FaultServer.start(serving: stream.deletingLastPathComponent())
        let (view, recorder) = view(engine)
        var item = MediaExternal(url: server.url(for: "/" + stream.lastPathComponent))
        item.retryPolicy = .unlimited
        try await view.load(item)
        return (server, view, recorder)
    }

    #if VLC && GStreamer
    /// The logs of both engines are the same, except for times and for what an engine finds out later than the other.
    @Test(arguments: ["mp4", "mkv", "flac", "m3u8", "mpd", "queue", "truncated", "missing", "text", "pdf", "zip"])
    func bothEnginesSendTheSameEvents(content: String) async throws {
        let media = MediaFixtures.shared
        let lines = (1...1000).map { "\($0) 0 obj\n" }.joined()
        let url =
            switch content {
            case "truncated": try await media.truncated()
            case "mpd": try await media.dash(seconds: 4)
            case "queue": try await media.file("flac")
            case "missing": URL(filePath: "/no/such/file.mp4")
            case "pdf": try await media.bytes("no-media.pdf", Data(("%PDF-1.4\n" + lines).utf8))
            case "zip": try await media.bytes("no-media.zip", Data("PK\u{3}\u{4}".utf8) + Data(count: 5000))
            case "text": try await media.bytes("no-media.mp4", Data("No media.".utf8))
            default: try await media.file(content)
            }
        var outlines: [[String]] = []
        for engine in RealEngine.allCases {
            let (view, recorder) = view(engine)
            if content == "queue" {
                view.load(queue: [MediaExternal(url: url), MediaExternal(url: try await media.file("mp4"))])
            } else {
                view.load(external: MediaExternal(url: url))
            }
            let isReady = await recorder.event { $0 == .state(.ready) || $0 == .state(.failure) }
            #expect(isReady)
            if view.isReady {
                view.avPlayer?.startSeek(to: 0.5)
                #expect(await recorder.event { if case .seek(.seeked, _) = $0 { true } else { false } })
                view.play()
                #expect(await recorder.event { $0 == .state(.complete) || $0 == .state(.failure) })
                #expect(await eventually { view.avPlayer?.isOver == true })
            }
            outlines.append(outline(recorder.events))
        }
        #expect(outlines[0] == outlines[1])
    }

    private func outline(_ events: [PlayerEvent]) -> [String] {
        var lines: [String] = []
        for event in events {
            let line: String? =
                switch event {
                case .position, .buffer, .state(.buffer), .duration, .metadata, .quality, .log: nil
                case .tracks: lines.contains("tracks") ? nil : "tracks"
                case .selectedAudio: "selected audio"
                case .seek(let state, _): "seek \(state)"
                case .error(let error): "error \(error.code)"
                default: event.text
                }
            if let line, line != lines.last { lines.append(line) }
        }
        return lines
    }
    #endif
}

private final class Rates: FlowplayerDelegate {
    private(set) var received: [Float] = []

    func player(_: any FlowplayerAPI, didChangeRate rate: Float) { received.append(rate) }
}
#endif
