#if GStreamer
import FlowplayerSDK
import FlowplayerTesting
import Foundation
import GStreamerBackend
import Playback
import TestSupport
import Testing

/// RTSP, RTMP, SRT and UDP from real servers on the loopback interface, through real GStreamer.
@MainActor
@Suite struct GStreamerNetworkTests {
    private let player = MediaPlayer(backend: LibGStreamerBackend(audioOutput: .none))
    private let recorder: EventRecorder
    private var policy = RetryPolicy.unlimited

    init() {
        recorder = EventRecorder(player)
        policy.attempts = 1000
    }

    private func load(_ url: URL, _ policy: RetryPolicy? = nil) {
        var item = PlayerItem(url: url)
        item.retryPolicy = policy ?? self.policy
        player.load(item, autoPlay: true)
    }

    private func failure(of address: String, _ policy: RetryPolicy? = nil) async throws -> PlaybackError {
        load(try #require(URL(string: address)), policy)
        #expect(await recorder.reaches(.failure), "\(recorder.events.map(\.text))")
        #expect(recorder.errors.count == 1)
        #expect(!recorder.states.contains(.play))
        return try #require(recorder.errors.first)
    }

    /// Waits until libsrt has closed its connections. A process that exits before may crash.
    private func closeSRT() async {
        player.stop()
        let isClosed = await eventually {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return !tasks.contains { task in
                (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("SRT:Rcv")
                    == true
            }
        }
        #expect(isClosed, "libsrt still receives")
    }

    // MARK: Playing

    @Test(arguments: LiveServer.Kind.allCases)
    func aLiveStreamPlays(kind: LiveServer.Kind) async throws {
        let server = try await LiveServer.running(kind)
        load(server.url)
        #expect(await recorder.event { $0.reaches(1) }, "\(recorder.errors)")
        #expect(player.snapshot.playbackType == .live)
        #expect(player.duration == nil)
        #expect(await eventually { player.snapshot.tracks?.audio.count == 1 })
        #expect(await eventually { player.snapshot.tracks?.video.count == 1 })
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(recorder.errors.isEmpty)
        if kind == .srt { await closeSRT() }
        try await server.stop()
    }

    @Test(arguments: [LiveServer.Kind.rtsp, .udp])
    func aPausedStreamResumes(kind: LiveServer.Kind) async throws {
        let server = try await LiveServer.running(kind)
        load(server.url)
        #expect(await recorder.event { $0.reaches(0.5) }, "\(recorder.errors)")
        player.pause()
        #expect(await recorder.reaches(.pause))
        let position = recorder.positions.max() ?? 0
        player.play()
        #expect(await recorder.event { $0.reaches(position + 0.5) }, "\(recorder.errors)")
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(recorder.errors.isEmpty)
        try await server.stop()
    }

    @Test func aStreamThatIsLoadedWithoutPlayingIsReady() async throws {
        let server = try await LiveServer.running(.rtsp)
        player.load(PlayerItem(url: server.url), autoPlay: false)
        #expect(await eventually { player.snapshot.tracks?.video.count == 1 }, "\(recorder.errors)")
        #expect(!recorder.states.contains(.play))
        player.play()
        #expect(await recorder.event { $0.reaches(0.5) }, "\(recorder.events.map(\.text))")
        #expect(recorder.errors.isEmpty)
        try await server.stop()
    }

    @Test func aRecordingEnds() async throws {
        let server = try await LiveServer.running(.rtsp, file: MediaFixtures.shared.file("mp4"))
        load(server.url)
        #expect(await recorder.reaches(.complete), "\(recorder.errors)")
        try await server.stop()
    }

    // MARK: Outages

    /// Plays a stream, and stops its server.
    ///
    /// - Returns: the last position before playback stalls.
    private func outage(of server: LiveServer, readTimeout: Double) async throws -> Double {
        var policy = policy
        (policy.readTimeout, policy.longestDelay) = (readTimeout, 0.5)
        load(server.url, policy)
        #expect(await recorder.event { $0.reaches(0.5) }, "\(recorder.errors)")
        try await server.stop()
        #expect(await player.reaches(.buffer))
        return recorder.positions.max() ?? 0
    }

    @Test(arguments: [LiveServer.Kind.rtsp, .rtmp, .srt, .udp, .rtp])
    func aServerThatReturnsPlaysOn(kind: LiveServer.Kind) async throws {
        let server = try await LiveServer.running(kind)
        let position = try await outage(of: server, readTimeout: 1)
        try await server.start(after: 3)
        #expect(await recorder.event { $0.reaches(position + 1) }, "\(recorder.events.map(\.text))")
        #expect(recorder.positions == recorder.positions.sorted())
        #expect(recorder.errors.isEmpty)
        if kind == .srt { await closeSRT() }
        try await server.stop()
    }

    /// Its time stamps count the outage.
    @Test func thePositionOfUDPDoesNotJumpAfterAnOutage() async throws {
        let server = try await LiveServer.running(.udp)
        let position = try await outage(of: server, readTimeout: 3600)
        try await server.start(after: 5)
        #expect(await recorder.event { $0.reaches(position + 0.25) }, "\(recorder.events.map(\.text))")
        let resumed = try #require(recorder.entries.last { $0.event == .state(.play) })
        let next = try #require(recorder.entries.first { $0.event.reaches(position + 0.25) })
        // As far as it has played since then.
        let played = (next.time - resumed.time) / .seconds(1)
        #expect(!next.event.reaches(position + played + 1), "\(position) \(played) \(next.event.text)")
        #expect(recorder.errors.isEmpty)
        try await server.stop()
    }

    @Test func aServerThatDoesNotReturnFailsWithTheReason() async throws {
        let server = try await LiveServer.running(.rtsp)
        var policy = policy
        (policy.attempts, policy.firstDelay) = (2, 0.01)
        load(server.url, policy)
        #expect(await recorder.event { $0.reaches(0.5) }, "\(recorder.errors)")
        try await server.stop()
        #expect(await recorder.reaches(.failure), "\(recorder.events.map(\.text))")
        #expect(recorder.errors.map(\.code) == [.connectionRefused])
        #expect(recorder.errors.first?.message.contains("Retried 2 times") == true, "\(recorder.errors)")
    }

    /// It closes the connection while its first packets still wait for the latency.
    @Test func aServerThatClosesAtOnceFailsWithTheReason() async throws {
        let server = try await RTSPScript.closing()
        var policy = policy
        (policy.attempts, policy.firstDelay) = (2, 0.01)
        load(try #require(URL(string: "rtsp://127.0.0.1:\(server.port)/camera")), policy)
        #expect(await recorder.reaches(.failure), "\(recorder.events.map(\.text))")
        #expect(recorder.errors.map(\.code) == [.connectionLost])
        #expect(recorder.errors.first?.message.contains("Retried 2 times") == true, "\(recorder.errors)")
    }

    // MARK: Failures

    @Test(arguments: [
        ("rtsp://127.0.0.1:1/camera", PlaybackErrorCode.connectionRefused),
        ("rtmp://127.0.0.1:1/live/camera", .connectionRefused), ("rtsp://no-such-host.invalid/camera", .hostNotFound),
        ("rtmp://no-such-host.invalid/live/camera", .hostNotFound), ("srt://no-such-host.invalid:9000", .hostNotFound),
        ("udp://no-such-host.invalid:9000", .hostNotFound), ("rtp://no-such-host.invalid:9000", .hostNotFound),
        ("rtsp:///camera", .hostNotFound), ("srt://:9000?mode=listener", .hostNotFound),
        // UDP has no connection that could be refused.
        ("srt://127.0.0.1:1", .timedOut),
    ])
    func aServerThatCannotBeReachedFails(address: String, code: PlaybackErrorCode) async throws {
        #expect(try await failure(of: address).code == code)
    }

    @Test(arguments: ["rtsp", "rtmp", "udp", "rtp"])
    func aServerThatSendsNothingFails(scheme: String) async throws {
        let isConnected = ["rtsp", "rtmp"].contains(scheme)
        let server = try SilentServer(isConnected: isConnected)
        var policy = policy
        policy.openTimeout = 1
        let error = try await failure(of: "\(scheme)://127.0.0.1:\(server.port)/live/camera", policy)
        #expect(error.code == .timedOut, "\(error.message)")
        withExtendedLifetime(server) {}
    }

    @Test func thePasswordOfRTSPMayHaveAnyCharacters() async throws {
        let server = try await LiveServer.running(.rtsp, query: "viewer:p@ss/word")
        let address = server.url.absoluteString.replacing("rtsp://", with: "rtsp://viewer:p%40ss%2Fword@")
        load(try #require(URL(string: address)))
        #expect(await recorder.event { $0.reaches(0.3) }, "\(recorder.errors)")
        try await server.stop()
    }

    @Test(arguments: ["", "viewer:wrong-secret@"])
    func theWrongPasswordOfRTSPIsRefused(login: String) async throws {
        let server = try await LiveServer.running(.rtsp, query: "viewer:secret")
        let error = try await failure(of: server.url.absoluteString.replacing("rtsp://", with: "rtsp://\(login)"))
        #expect(error.httpStatus == 401)
        #expect(!"\(error)".contains("wrong-secret"))
        try await server.stop()
    }

    @Test(arguments: ["", "?passphrase=another-secret"])
    func theWrongPassphraseOfSRTIsRefused(query: String) async throws {
        let server = try await LiveServer.running(.srt, query: "&passphrase=some-secret")
        let error = try await failure(of: server.url.absoluteString + query)
        #expect(error.httpStatus == 401)
        #expect(!"\(error)".contains("another-secret"))
        try await server.stop()
    }

    @Test func anUnknownPathOfRTSPFails() async throws {
        let server = try await LiveServer.running(.rtsp)
        let error = try await failure(of: server.url.absoluteString + "-2")
        #expect(error.httpStatus == 404)
        #expect(error.message.hasPrefix("The server has no such file (status 404)."))
        try await server.stop()
    }

    @Test(arguments: [403, 503])
    func anotherStatusOfRTSPIsReported(status: Int) async throws {
        let server = try await RTSPScript.leading(by: "RTSP/1.0 \(status) No\r\nCSeq: N\r\n\r\n")
        #expect(try await failure(of: "rtsp://127.0.0.1:\(server.port)/camera").httpStatus == status)
    }

    // MARK: Security

    @Test(arguments: ["rtsp", "rtmp", "srt", "udp", "rtp"])
    func thePolicyRefusesASchemeWithoutAConnection(scheme: String) async throws {
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:1/live/camera"))
        var item = PlayerItem(url: url)
        item.securityPolicy = .httpsOnly
        player.load(item, autoPlay: true)
        #expect(await recorder.reaches(.failure))
        #expect(recorder.errors.map(\.code) == [.unsupportedScheme])
    }

    /// Answers of an RTSP server to the request for a description, with the expected errors. `ELSEWHERE` is another server.
    private nonisolated static let leads = [
        ("RTSP/1.0 302 Moved\r\nCSeq: N\r\nLocation: ELSEWHERE\r\n\r\n", PlaybackErrorCode.addressForbidden),
        ("RTSP/1.0 302 Moved\r\nCSeq: N\r\nLocation: rtsp://127.0.0.1:PORT/again\r\n\r\n", .tooManyRedirects),
        (
            "RTSP/1.0 200 OK\r\nCSeq: N\r\nContent-Type: application/sdp\r\nContent-Length: 129\r\n\r\n"
                + "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
                + "a=rtpmap:96 H264/90000\r\na=control:ELSEWHERE\r\n", .noPlayableStream
        ),
    ]

    /// A server that offers the media over UDP chooses the receiver of the packets that the player sends.
    @Test func reportsAboutPacketsGoNowhereElse() async throws {
        let server = try await RTSPScript.leading(
            by: Self.leads[2].0.replacing("129", with: "107").replacing("ELSEWHERE", with: "/track"))
        var policy = policy
        policy.openTimeout = 3
        let address = "rtsp://127.0.0.1:\(server.port)/camera"
        #expect(try await failure(of: address, policy).code == .timedOut)
        #expect(try server.requestsElsewhere == "")
    }

    @Test(arguments: leads.indices)
    func anRTSPServerLeadsNowhereElse(index: Int) async throws {
        let (answer, code) = Self.leads[index]
        let server = try await RTSPScript.leading(by: answer)
        #expect(try await failure(of: "rtsp://viewer:secret@127.0.0.1:\(server.port)/camera").code == code)
        #expect(try server.requestsElsewhere == "")
    }

    // MARK: Choice

    @Test func theBackendClaimsTheSchemesOfInstalledPlugins() throws {
        let schemes = LibGStreamerBackend.descriptor().schemes
        #expect(schemes == ["file", "http", "https", "rtmp", "rtp", "rtsp", "srt", "udp"])
        let camera = try #require(URL(string: "rtsp://camera.example/1"))
        #expect(BackendRegistry.withBuiltIn.descriptor(for: camera)?.name == .gstreamer)
    }
}

/// An RTSP server of a few lines. Its arguments are its port and others.
private final class RTSPScript {
    let port: UInt16
    private let program: RunningCommand

    private init(_ script: String, _ arguments: [String]) async throws {
        let port = try FreePort.next()
        let program = try await Command("/usr/bin/python3", ["-u", "-c", script, "\(port)"] + arguments).start()
        (self.port, self.program) = (port, program)
        let isUp = await eventually { (try? program.outputSoFar)?.contains("ready") == true }
        guard isUp else { throw FixtureError(description: "the RTSP server does not start") }
    }

    deinit { program.signal(SIGKILL) }

    /// A server whose description leads to another server, which writes down the requests and packets that it gets.
    static func leading(by answer: String) async throws -> RTSPScript { try await RTSPScript(leadingScript, [answer]) }

    /// A server that sends a fifth of a second of silence over TCP, and closes the connection. The stream has a duration.
    static func closing() async throws -> RTSPScript { try await RTSPScript(closingScript, []) }

    var requestsElsewhere: String { get throws { try program.outputSoFar.replacing("ready\n", with: "") } }

    private static let leadingScript = """
        import re, socket, sys, threading
        def listen(host, port, answer):
            server = socket.create_server((host, port))
            def serve(client):
                data = b""
                while part := client.recv(4096):
                    data += part
                    while b"\\r\\n\\r\\n" in data:
                        request, data = data.split(b"\\r\\n\\r\\n", 1)
                        client.sendall(answer(request.decode()).encode())
            def run():
                while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
            threading.Thread(target=run).start()
            return server.getsockname()[1]
        def number(request): return re.search(r"CSeq: *(\\d+)", request).group(1)
        def elsewhere(request):
            print(request)
            return "RTSP/1.0 404 Not Found\\r\\nCSeq: %s\\r\\n\\r\\n" % number(request)
        other = "rtsp://127.0.0.2:%05d/other" % listen("127.0.0.2", 0, elsewhere)
        packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        packets.bind(("127.0.0.2", 0))
        udp = packets.getsockname()[1]
        threading.Thread(target=lambda: [print("packet") for _ in iter(lambda: packets.recv(4096), None)]).start()
        def own(request):
            if request.startswith("OPTIONS"): return "RTSP/1.0 200 OK\\r\\nCSeq: %s\\r\\n\\r\\n" % number(request)
            if request.startswith("SETUP") and "client_port" in request and "/track" in sys.argv[2]:
                ports = re.search(r"client_port=[0-9-]+", request).group(0)
                return ("RTSP/1.0 200 OK\\r\\nCSeq: %s\\r\\nSession: 1\\r\\nTransport: RTP/AVP;unicast;%s;source=127.0.0.2;"
                    "server_port=%d-%d\\r\\n\\r\\n" % (number(request), ports, udp, udp))
            if request.startswith("PLAY"): return "RTSP/1.0 200 OK\\r\\nCSeq: %s\\r\\nSession: 1\\r\\n\\r\\n" % number(request)
            if request.startswith("SETUP"): return "RTSP/1.0 461 Unsupported Transport\\r\\nCSeq: %s\\r\\n\\r\\n" % number(request)
            return sys.argv[2].replace("ELSEWHERE", other).replace("PORT", sys.argv[1]).replace("CSeq: N", "CSeq: " + number(request))
        listen("127.0.0.1", int(sys.argv[1]), own)
        print("ready")
        """

    private static let closingScript = """
        import re, socket, struct, sys
        description = "\\r\\n".join(["v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=x", "t=0 0", "a=range:npt=0-40",
            "m=audio 0 RTP/AVP 0", "a=rtpmap:0 PCMU/8000", "a=control:audio", ""])
        answers = {
            "DESCRIBE": "Content-Type: application/sdp\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(description), description),
            "SETUP": "Session: 1\\r\\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\\r\\n\\r\\n",
            "PLAY": "Session: 1\\r\\nRange: npt=0-40\\r\\nRTP-Info: url=audio;seq=0;rtptime=0\\r\\n\\r\\n"}
        def packet(number):
            media = struct.pack("!BBHII", 128, 0, number, number * 160, 1) + b"\\xff" * 160
            return struct.pack("!cBH", b"$", 0, len(media)) + media
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        print("ready")
        while True:
            client, data, method = server.accept()[0], b"", ""
            while method != "PLAY" and (part := client.recv(4096)):
                data += part
                while b"\\r\\n\\r\\n" in data:
                    request, data = data.split(b"\\r\\n\\r\\n", 1)
                    method, text = request.decode().split(" ")[0], request.decode()
                    number = re.search(r"CSeq: *(\\d+)", text).group(1)
                    answer = "RTSP/1.0 200 OK\\r\\nCSeq: %s\\r\\n" % number + answers.get(method, "\\r\\n")
                    client.sendall(answer.encode())
            if method == "PLAY": client.sendall(b"".join(map(packet, range(10))))
            client.close()
        """
}
#endif
