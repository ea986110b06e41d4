import CIsolation
import Foundation
import MediaTransport
import Playback
import Synchronization

/// Runs an engine in this process, for the host that has started it.
public enum EngineServer {
    /// The descriptors of the host's sockets in this process: for messages, and for frames.
    private static let (messages, frames): (Int32, Int32) = (3, 4)

    /// Serves the host until it closes the connection, and then ends this process.
    ///
    /// - Parameter engines: the engines of this program, by name. A closure receives the options of the host, and is called on the
    ///   main thread.
    public static func run(engines: [String: ([String: String]) -> any PlaybackBackend]) -> Never {
        // The host decides what ends this process.
        signal(SIGINT, SIG_IGN)
        guard fcntl(messages, F_GETFD) >= 0 else {
            FileHandle.standardError.write(
                Data(
                    "flowplayer-engine plays for a program that uses IsolatedBackend. It cannot be started by hand.\n"
                        .utf8))
            exit(64)
        }
        let connection = MessageSocket(messages)
        do {
            try serve(connection, engines)
        } catch {
            FileHandle.standardError.write(Data("flowplayer-engine: \(error.reason)\n".utf8))
            _exit(65)
        }
        // Nothing here outlives the process, so no destructor is waited for.
        _exit(0)
    }

    private static func serve(
        _ connection: MessageSocket, _ engines: [String: ([String: String]) -> any PlaybackBackend]
    ) throws(MessageSocket.Violation) {
        guard case .run(let request)? = try connection.receive(HostMessage.self)?.0 else { return }
        let protections = protect(request.access)
        let host = HostConnection(connection)
        Sandbox.enter(host)
        var backend = engines[request.engine]?(request.options)
        let clock = ContinuousClock()
        connection.send(
            EngineMessage.ready(
                EngineDescription(
                    protocolVersion: EngineDescription.protocolVersion, capabilities: backend?.capabilities,
                    zero: clock.now - clock.hostTime, protections: protections)))
        DispatchQueue.global(qos: .utility).async { warmUp() }
        // Signalled when the engine has closed everything.
        let end = DispatchSemaphore(value: 0)
        backend?.start { [handler = EventHandler(end)] event in
            withExtendedLifetime(handler) { _ = connection.send(EngineMessage.event(event)) }
        }
        let frames = SharedFrameSink(FrameSocket(Self.frames))
        while let (message, descriptor) = try connection.receive(HostMessage.self) {
            switch message {
            case .run: break
            case .command(let command): backend?.send(command)
            case .show(.none): backend?.setVideoOutput(.none)
            case .show(.window): backend?.setVideoOutput(.window)
            case .show(.frames(let size)):
                frames.setMaximumFrameSize(size)
                backend?.setVideoOutput(.frames(frames))
            case .ping: connection.send(EngineMessage.pong)
            case .file(let path): host.keep(path, descriptor)
            case .opened(let request, let error): host.opened(request, error, descriptor)
            case .connected(let request, let failure): host.connected(request, failure, descriptor)
            }
        }
        guard backend != nil else { return }
        backend = nil
        end.wait()
    }

    /// Reads and writes messages of a first item. Swift looks up the coding of a type once, which takes milliseconds.
    private static func warmUp() {
        let item = PlayerItem(url: URL(filePath: "/"))
        let received: [HostMessage] = [
            .show(.frames(maximum: nil)), .command(.open(OpenRequest(generation: .none, item: item))),
            .file(path: ""),
        ]
        for message in received {
            if let data = try? JSONEncoder.ofMessages.encode(message) {
                _ = try? JSONDecoder.ofMessages.decode(HostMessage.self, from: data)
            }
        }
        let media = OpenedMedia(duration: 1, isSeekable: true, playbackType: .file, tracks: MediaTracks())
        let event = BackendEvent(.opened(media), generation: .none, hostTime: .zero)
        _ = try? JSONEncoder.ofMessages.encode(EngineMessage.event(event))
    }

    // MARK: Protections

    private static let memoryLimit: UInt64 = 4 << 30
    /// `MediaTransport` stores a file of 1 GB at most.
    private static let fileLimit: UInt64 = (1 << 30) + (64 << 20)

    /// Gives up what an engine does not need. Call it before this process has a second thread.
    private static func protect(_ access: EngineAccess) -> Set<EngineProtection> {
        var active: Set<EngineProtection> = []
        let limitsNetwork = access != .network
        let port = limitsNetwork ? proxyPort : -1
        if isolation_limit_resources(memoryLimit, fileLimit) { active.insert(.resourceLimits) }
        guard isolation_drop_privileges() else { return active }
        active.insert(.noNewPrivileges)
        let limits = withPaths(readablePaths(access)) { readable in
            withPaths(writablePaths) { isolation_limit_access(readable, $0, port) }
        }
        if limits > 0 { active.insert(.fileAccess) }
        if isolation_filter_calls(limitsNetwork) {
            active.insert(.systemCalls)
            if limits > 1 { active.insert(.networkAccess) }
        }
        return active
    }

    /// The port of the HLS proxy, from which engines read streams; 0 without one.
    private static var proxyPort: Int32 {
        (try? HLSProxyServer.shared.reservePort()).map(Int32.init) ?? 0
    }

    /// The libraries, modules, fonts and settings of the system and of the user.
    private static func readablePaths(_ access: EngineAccess) -> [String] {
        // libdispatch reads the states of its threads in /proc. A rule for /proc/self stops holding after a while.
        var paths = ["/usr", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/proc", "/sys", "/var/cache/fontconfig"]
        if let home = variable("HOME") {
            paths += [
                ".config/fontconfig", ".config/pulse", ".fonts", ".local/share/fonts", ".pulse-cookie", ".Xauthority",
            ].map { "\(home)/\($0)" }
        }
        let names = [
            "LD_LIBRARY_PATH", "VLC_PLUGIN_PATH", "VLC_DATA_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "XAUTHORITY",
        ]
        let others = [
            "FONTCONFIG_FILE", "FONTCONFIG_PATH", "PULSE_COOKIE", "GST_PLUGIN_SYSTEM_PATH_1_0",
            "GST_PLUGIN_SYSTEM_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_PATH",
        ]
        for name in names + others {
            paths += variable(name)?.split(separator: ":").map(String.init) ?? []
        }
        if case .folder(let folder) = access { paths.append(folder) }
        return paths
    }

    private static var writablePaths: [String] {
        ["null", "zero", "full", "random", "urandom", "dri", "snd", "shm"].map { "/dev/\($0)" }
            + ["XDG_CACHE_HOME", "XDG_RUNTIME_DIR"].compactMap(variable)
    }

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func withPaths<Result>(
        _ paths: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = paths.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}

/// Its end is that of the event handler that keeps it.
private final class EventHandler: Sendable {
    private let end: DispatchSemaphore

    init(_ end: DispatchSemaphore) { self.end = end }

    deinit { end.signal() }
}

/// Sends the frames of the engine to the host, in memory that both see.
private final class SharedFrameSink: VideoFrameMemory {
    private struct State {
        var maximumFrameSize: VideoSize?
        /// The memory and its identifiers, by address.
        var memories: [UInt: (memory: SharedMemory, id: Int)] = [:]
        var lastID = 0
        /// The frames that the host had not released when the last one was sent.
        var sent: [(frame: VideoFrame, memory: SharedMemory)] = []
    }

    /// The host may keep so many frames. Then it receives no more.
    private static let frameLimit = 16

    private let connection: FrameSocket
    private let state = Mutex(State())

    init(_ connection: FrameSocket) { self.connection = connection }

    var maximumFrameSize: VideoSize? { state.withLock(\.maximumFrameSize) }

    func setMaximumFrameSize(_ size: VideoSize?) { state.withLock { $0.maximumFrameSize = size } }

    func makeStorage(byteCount: Int) -> VideoFrameStorage {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let memory = SharedMemory(byteCount: byteCount) { [connection] descriptor in
            connection.send(.memory(id: id, byteCount: byteCount), file: descriptor)
        }
        guard let memory else { return VideoFrameStorage(byteCount: byteCount) }
        let address = UInt(bitPattern: memory.bytes.baseAddress)
        state.withLock { $0.memories[address] = (memory, id) }
        return VideoFrameStorage(memory.bytes) { [weak self, connection, memory] in
            withExtendedLifetime(memory) {
                _ = self?.state.withLock { $0.memories.removeValue(forKey: address) }
                connection.send(.forgetMemory(id: id))
            }
        }
    }

    func receive(_ frame: VideoFrame) {
        let address = UInt(bitPattern: frame.storage.bytes.baseAddress)
        let (released, id) = state.withLock { state in
            let released = state.sent.filter { !$0.memory.isInUse }
            state.sent.removeAll { !$0.memory.isInUse }
            guard let (memory, id) = state.memories[address], state.sent.count < Self.frameLimit else {
                return (released, Int?.none)
            }
            memory.isInUse = true
            state.sent.append((frame, memory))
            return (released, id)
        }
        // Storage that ends here locks the state again.
        withExtendedLifetime(released) {}
        guard let id else { return }
        connection.send(
            .frame(SharedFrame(memory: id, width: frame.width, height: frame.height, bytesPerRow: frame.bytesPerRow)))
    }
}
