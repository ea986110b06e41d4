#if VLC
import EventLog
import FlyingFox
import Foundation
import TestSupport
import Testing

/// Media that try to reach past the player: what the process opens and whom it calls is traced by the system.
@Suite struct FlowplayHostileMediaTests {
    /// The options for a separate process, and for the other engine.
    private static let otherEngines: [[String]] = {
        #if GStreamer
        [["--isolate"], ["--engine", "gstreamer"]]
        #else
        [["--isolate"]]
        #endif
    }()

    /// The options for the engine. The long form runs everything with the other engines too, the short form the most important.
    private static let processes: [[String]] =
        ProcessInfo.processInfo.environment["FLOWPLAYER_LONG_TESTS"] == nil
        ? [[]] : [[]] + otherEngines + (otherEngines.count > 1 ? [otherEngines.flatMap(\.self)] : [])

    @Test func theTrapIsSeenWhenItIsOpened() async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(trap.folder.appending(path: "SECRET.mp4").path())
        #expect(trace.status == 0)
        #expect(trace.opens("SECRET"))
    }

    @Test(arguments: ["clip.mp4", "second.mp4", "second.m3u8", "good.m3u8", "marked.m3u8"], processes)
    func whatLeadsNowherePlays(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(trap.server.base.appending(path: name).absoluteString, process)
        #expect(trace.status == 0)
        try trap.expectContained(trace)
    }

    @Test(
        arguments: [
            "redirect.mp4", "master-file.m3u8", "master-redirect.m3u8", "live.m3u8", "segment-file.m3u8",
            "segment-redirect.m3u8", "segment-screen.m3u8", "key-file.m3u8", "key-redirect.m3u8", "map-file.m3u8",
            "map-redirect.m3u8",
        ], processes)
    func whatLeadsToFilesIsRefused(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(trap.server.base.appending(path: name).absoluteString, process)
        try trap.expectContained(trace)
        #expect(try trace.errors == ["addressForbidden"])
    }

    /// Addresses that libVLC finds although they are not written as they should be.
    @Test(arguments: ["key-hidden.m3u8", "map-hidden.m3u8", "map-unquoted.m3u8", "variant-hidden.m3u8"], processes)
    func whatIsHiddenInAPlaylistIsNotOpened(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        try trap.expectContained(try await trap.play(trap.server.base.appending(path: name).absoluteString, process))
    }

    @Test(arguments: ["dash.mpd", "blank.mp4", "list.mp4", "list.pls", "pls.mp4", "asx.mp4"], processes)
    func listsThatPassForMediaAreNotFollowed(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(trap.server.base.appending(path: name).absoluteString, process)
        try trap.expectContained(trace)
        #expect(trace.status != 0)
    }

    @Test(arguments: Trap.bare, processes)
    func serversThatCouldLeadToFilesAreNotAsked(scheme: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let place = trap.server.base.absoluteString.dropFirst("http".count) + "/redirect.mp4"
        let trace = try await trap.play(scheme + place, process)
        try trap.expectContained(trace)
        #expect(trace.status != 0)
        #expect(!trace.called.contains { $0.hasSuffix(":\(trap.server.base.port ?? 0)") })
        try trap.expectContained(
            try await trap.play(trap.server.base.appending(path: "mms.m3u").absoluteString, process))
    }

    @Test(
        arguments: [
            "redirect.mp4", "segment-file.m3u8", "key-redirect.m3u8", "map-hidden.m3u8", "variant-hidden.m3u8",
            "dash.mpd", "list.mp4",
        ], otherEngines)
    func otherEnginesAreContainedToo(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(trap.server.base.appending(path: name).absoluteString, process)
        try trap.expectContained(trace)
        #expect(trace.status != 0)
    }

    @Test(arguments: ["bomb.mpd", "deep.mpd"], [[]] + otherEngines)
    func aManifestWithoutEndNeedsLittleMemory(name: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let address = trap.server.base.appending(path: name).absoluteString
        var command = Command(
            "prlimit", ["--data=800000000", FlowplayCommand.path, "--no-mpris", "--json"] + process + [address])
        command.environment = FlowplayCommand.headless
        let result = try await command.run()
        let errors = try EventLogReader.entries(in: result.output).filter { $0.event.name == "error" }
        #expect(errors.map(\.event.code) == ["unrecognisedFormat"], "\(result.output)")
    }

    // MARK: Playlists on this machine that lead to servers

    private static let variants = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\n"

    @Test(
        arguments: [
            String(format: Trap.segments, "#EXTINF:1,\nWEB/redirect.ts\n"),
            String(
                format: Trap.segments, "#EXT-X-KEY:METHOD=AES-128,URI=\"WEB/redirect.ts\"\n#EXTINF:1,\nWEB/good.ts\n"),
            variants + "WEB/segment-file.m3u8\n", variants + "WEB/redirect.m3u8\n", variants + "WEB/key-file.m3u8\n",
        ], processes)
    func whatAPlaylistHereNamesLeadsToNoFile(text: String, process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let trace = try await trap.play(try trap.write(text, to: "here.m3u8"), process)
        try trap.expectContained(trace)
        #expect(try trace.errors == ["addressForbidden"])
    }

    @Test(arguments: processes)
    func whatAPlaylistHereNamesPlays(process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        for text in [
            String(format: Trap.segments, "#EXTINF:1,\nWEB/good.ts\n"), Self.variants + "WEB/good.m3u8\n",
            String(format: Trap.segments, "#EXTINF:1,\nSECRET.ts\n"),
        ] {
            let trace = try await trap.play(try trap.write(text, to: "here.m3u8"), process)
            #expect(trace.status == 0)
            #expect(trace.opens("SECRET") == text.contains("SECRET"))
        }
    }

    @Test(arguments: processes)
    func otherListsHereAreNotFollowed(process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let text = """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
            mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" \
            bandwidth="1"><BaseURL>WEB/redirect.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>
            """
        let trace = try await trap.play(try trap.write(text, to: "here.mpd"), process)
        try trap.expectContained(trace)
        #expect(trace.status != 0)
    }

    @Test(arguments: processes)
    func optionsBehindAnAddressAreNotHonoured(process: [String]) async throws {
        let trap = try await Trap()
        defer { trap.remove() }
        let address = trap.server.base.appending(path: "options.mp4").absoluteString
        try trap.expectContained(try await trap.play(address + " :sout=#file{dst=OUT}", process))
        try trap.expectContained(try await trap.play(address + "?:sout=#file{dst=OUT}", process))
    }
}

extension Trap {
    fileprivate static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\n%@\n"
    /// Schemes of servers that libVLC follows to files.
    fileprivate static let bare = ["mms", "mmsh", "mmst", "ftp", "ftps"]
    fileprivate static let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n%@#EXT-X-ENDLIST\n"

    fileprivate init() async throws { try await self.init(Self.answer) }

    @Sendable private static func answer(_ path: String, _ count: Int, _ bait: Bait) -> HTTPResponse {
        let secret = bait.secret
        func segments(_ names: String..., tag: String = "") -> HTTPResponse {
            let lines = names.map { "#EXTINF:1,\n\($0)\n" }.joined()
            return text(String(format: Self.segments, tag + lines))
        }
        switch path {
        case "/redirect.mp4": return redirect(to: secret + ".mp4")
        case "/second.mp4" where count > 1: return redirect(to: secret + ".mp4")
        case "/second.mp4", "/clip.mp4": return HTTPResponse(statusCode: .ok, body: bait.clip)
        case "/marked.m3u8":
            return text("\u{FEFF}" + String(format: Self.segments, "#EXTINF:1,\n/good.ts\n"))
        case "/mms.m3u": return text("#EXTM3U\n" + Self.bare.map { "\($0)://127.0.0.1:1/a\n" }.joined())
        case "/good.ts": return HTTPResponse(statusCode: .ok, body: bait.stream)
        case "/redirect.ts": return redirect(to: secret + ".ts")
        case "/redirect.m3u8": return redirect(to: secret + ".m3u8")
        case "/master-file.m3u8": return text(String(format: master, secret + ".m3u8"))
        case "/master-redirect.m3u8": return text(String(format: master, "/redirect.m3u8"))
        case "/second.m3u8" where count > 1, "/live.m3u8" where count > 1: return redirect(to: secret + ".ts")
        case "/live.m3u8":
            return text("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n/good.ts\n")
        case "/second.m3u8", "/good.m3u8": return segments("/good.ts")
        case "/segment-file.m3u8": return segments(secret + ".ts", "/good.ts")
        case "/segment-redirect.m3u8": return segments("/redirect.ts", "/good.ts")
        case "/segment-screen.m3u8": return segments("screen://", "/good.ts")
        case "/key-file.m3u8":
            return segments("/good.ts", tag: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(secret).ts\"\n")
        case "/key-redirect.m3u8":
            return segments("/good.ts", tag: "#EXT-X-KEY:METHOD=AES-128,URI=\"/redirect.ts\"\n")
        case "/map-file.m3u8": return segments("/good.ts", tag: "#EXT-X-MAP:URI=\"\(secret).ts\"\n")
        case "/map-redirect.m3u8": return segments("/good.ts", tag: "#EXT-X-MAP:URI=\"/redirect.ts\"\n")
        case "/key-hidden.m3u8":
            return segments("/good.ts", tag: "#EXT-X-KEY:METHOD=AES-128,uURI=\"\(secret).ts\"\n")
        case "/map-hidden.m3u8":
            return segments("/good.ts", tag: "#EXT-X-MAP:XURI=\"x\",URI=\"\(secret).ts\"\n")
        case "/map-unquoted.m3u8": return segments("/good.ts", tag: "#EXT-X-MAP:URI=\u{1}\(secret).ts\u{1}\n")
        case "/variant-hidden.m3u8": return text(String(format: master, "http://[x\n/segment-file.m3u8"))
        case "/dash.mpd", "/blank.mp4":
            let start = path == "/blank.mp4" ? "\u{FEFF}\n  \n" : ""
            return text(
                start + """
                    <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
                    mediaPresentationDuration="PT2S" minBufferTime="PT1S"><Period><AdaptationSet \
                    mimeType="video/mp4"><Representation id="1" bandwidth="100000"><BaseURL>\(secret).mp4\
                    </BaseURL><SegmentBase indexRange="0-100"/></Representation></AdaptationSet></Period></MPD>
                    """, "application/dash+xml")
        case "/bomb.mpd":
            return text(
                """
                <MPD type="static" mediaPresentationDuration="PT4000000000S"><Period><AdaptationSet mimeType="video/mp4">\
                <Representation id="1" bandwidth="1"><SegmentTemplate duration="1" media="$Number$"/></Representation>\
                </AdaptationSet></Period></MPD>
                """, "application/dash+xml")
        case "/deep.mpd": return text(String(repeating: "<MPD>", count: 500_000), "application/dash+xml")
        case "/list.mp4":
            return text("#EXTM3U\n#EXTVLCOPT:sout=#file{dst=OUT}\n#EXTINF:1,x\n\(secret).mp4\n", "video/mp4")
        case "/options.mp4": return HTTPResponse(statusCode: .ok, body: bait.clip)
        case "/list.pls": return text("[playlist]\nFile1=\(secret).mp4\nNumberOfEntries=1\n", "audio/x-scpls")
        case "/pls.mp4": return text("[playlist]\nFile1=\(secret).mp4\nNumberOfEntries=1\n", "video/mp4")
        case "/asx.mp4": return text("<asx><entry><ref href=\"\(secret).mp4\"/></entry></asx>", "video/mp4")
        default: return HTTPResponse(statusCode: .notFound)
        }
    }
}
#endif
