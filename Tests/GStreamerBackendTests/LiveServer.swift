#if GStreamer
import Foundation
import Synchronization
import TestSupport

/// The server of a live stream on the loopback interface.
///
/// `start` and `stop` may be called several times. The address stays the same. On the main actor, because other tests may keep the thread
/// pool busy for longer than the stream lasts.
@MainActor
final class LiveServer {
    nonisolated enum Kind: String, CaseIterable {
        /// gst-rtsp-server.
        case rtsp
        /// gst-rtsp-server, without TCP for the media.
        case rtspOverUDP
        /// nginx, to which ffmpeg publishes. ffmpeg's own listener marks the media with the wrong stream, which GStreamer ignores.
        case rtmp
        /// ffmpeg, which has one client at a time.
        case srt
        /// ffmpeg, which sends also if nobody receives.
        case udp, rtp
        /// ffmpeg, which sends to a group.
        case multicast
    }

    let url: URL
    private let kind: Kind
    private let port: UInt16
    private let file: URL
    private let query: String
    private let folder: URL
    private var programs: [RunningCommand] = []

    /// A server that does not run yet.
    ///
    /// - Parameters:
    ///   - file: the file that it sends, again and again; RTSP sends it once.
    ///   - query: appended to the address of ffmpeg.
    init(_ kind: Kind, file: URL? = nil, query: String = "") async throws {
        (self.kind, port, self.query) = (kind, try FreePort.next(), query)
        if let file { self.file = file } else { self.file = try await MediaFixtures.shared.broadcast() }
        folder = FileManager.default.temporaryDirectory.appending(path: "flowplayer-live-\(UUID().uuidString)")
        let address =
            switch kind {
            case .rtsp, .rtspOverUDP: "rtsp://127.0.0.1:\(port)/camera"
            case .rtmp: "rtmp://127.0.0.1:\(port)/live/camera"
            case .srt: "srt://127.0.0.1:\(port)"
            case .multicast: "udp://239.255.77.7:\(port)"
            case .udp, .rtp: "\(kind.rawValue)://127.0.0.1:\(port)"
            }
        url = URL(string: address)!
    }

    isolated deinit {
        for program in programs { program.signal(SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// - Returns: a server that accepts connections.
    static func running(_ kind: Kind, file: URL? = nil, query: String = "") async throws -> LiveServer {
        let server = try await LiveServer(kind, file: file, query: query)
        try await server.start()
        return server
    }

    /// - Parameter seconds: the time until the server starts.
    func start(after seconds: Int = 0) async throws {
        switch kind {
        case .rtsp, .rtspOverUDP:
            let isUDP = kind == .rtspOverUDP ? "udp" : "tcp"
            let program = Command("/usr/bin/python3", ["-c", Self.rtspServer, "\(port)", file.path(), isUDP, query])
            programs = [try await program.delayed(by: seconds).start()]
            try await awaitPort("tcp")
        case .rtmp:
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let configuration = folder.appending(path: "nginx.conf")
            try Data(nginxConfiguration.utf8).write(to: configuration)
            let nginx = Command("/usr/sbin/nginx", ["-p", folder.path(), "-c", configuration.path()])
            programs = [try await nginx.delayed(by: seconds).start()]
            try await awaitPort("tcp")
            programs.append(try await ffmpeg(["-f", "flv", url.absoluteString]).start())
        case .srt:
            let listener = ffmpeg(["-f", "mpegts", "\(url)?mode=listener\(query)"])
            programs = [try await listener.delayed(by: seconds).start()]
            try await awaitPort("udp")
        case .udp, .multicast:
            // The packets of a group stay on this machine.
            let sender = ffmpeg(["-f", "mpegts", "\(url)?pkt_size=1316&ttl=0"])
            programs = [try await sender.delayed(by: seconds).start()]
        case .rtp:
            let sender = ffmpeg(["-f", "rtp_mpegts", url.absoluteString])
            programs = [try await sender.delayed(by: seconds).start()]
        }
    }

    /// Kills the server.
    func stop() async throws {
        for program in programs { program.signal(SIGKILL) }
        for program in programs { _ = try await program.result }
        programs = []
    }

    /// Waits until a port is open.
    private func awaitPort(_ kind: String) async throws {
        let text = String(format: "0100007F:%04X 00000000:0000", port)
        let isOpen = await eventually {
            // Other functions of Foundation read only the first 4 kB of such a file.
            let list = FileHandle(forReadingAtPath: "/proc/net/\(kind)")?.readDataToEndOfFile()
            return list?.firstRange(of: Data(text.utf8)) != nil
        }
        guard isOpen else { throw FixtureError(description: "no server opened the port \(port)") }
    }

    private func ffmpeg(_ output: [String]) -> Command {
        let input = ["-re", "-stream_loop", "-1", "-i", file.path(), "-c", "copy"]
        return Command("ffmpeg", ["-nostdin", "-loglevel", "error"] + input + output)
    }

    private var nginxConfiguration: String {
        """
        load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
        daemon off; master_process off; pid nginx.pid; error_log stderr error;
        events { worker_connections 16; }
        rtmp { access_log off; server { listen 127.0.0.1:\(port); application live { live on; } } }

        """
    }

    /// Its arguments: port, file, `tcp` or `udp`, and a user name and password with a colon, or nothing.
    private static let rtspServer = """
        import sys, gi
        gi.require_version("Gst", "1.0"); gi.require_version("GstRtspServer", "1.0")
        from gi.repository import GLib, Gst, GstRtsp, GstRtspServer as Rtsp
        port, file, transport, login = sys.argv[1:5]
        Gst.init(None)
        server = Rtsp.RTSPServer()
        server.set_address("127.0.0.1")
        server.set_service(port)
        factory = Rtsp.RTSPMediaFactory()
        factory.set_launch("( filesrc location=%s ! qtdemux name=d d.video_0 ! queue ! h264parse ! rtph264pay name=pay0 pt=96"
            " config-interval=1 d.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 pt=97 )" % file)
        if transport == "udp": factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP)
        if login:
            auth, token = Rtsp.RTSPAuth(), Rtsp.RTSPToken()
            token.set_string("media.factory.role", "viewer")
            auth.add_basic(Rtsp.RTSPAuth.make_basic(*login.split(":")), token)
            server.set_auth(auth)
            permissions = Rtsp.RTSPPermissions()
            permissions.add_role("viewer")
            for name in ["access", "construct"]:
                permissions.add_permission_for_role("viewer", "media.factory." + name, True)
            factory.set_permissions(permissions)
        server.get_mount_points().add_factory("/camera", factory)
        server.attach(None)
        GLib.MainLoop().run()
        """
}

extension Command {
    /// The same command, which starts its program later.
    fileprivate func delayed(by seconds: Int) -> Command {
        Command("sh", ["-c", "sleep \"$0\"; exec \"$@\"", "\(seconds)", program] + arguments)
    }
}

/// Ports of the loopback interface for servers that cannot choose their own.
///
/// They are below those that the system gives to connections. Otherwise a connection could take the port before its server does.
enum FreePort {
    private static let last = Atomic(UInt16.random(in: 20_000..<30_000))

    /// - Returns: a port that nobody uses, and that was not returned before.
    static func next() throws -> UInt16 {
        while true {
            let port = last.add(1, ordering: .relaxed).newValue
            guard port < 32_768 else { throw FixtureError(description: "no port is free") }
            if let server = try? SilentServer(port: port) { return server.port }
        }
    }
}
#endif
