import FlowplayerIsolation
import Foundation
import MediaTransport
import Playback
import Synchronization

// An engine that has been taken over: it tries what an engine must not be able to do, and reports the outcomes as notices.

/// The outcome of one attempt: 0, or the number of the system's error.
private func outcome(_ result: Int) -> Int32 { result < 0 ? errno : 0 }

private func opens(_ path: String, _ flags: Int32) -> Int32 {
    let file = open(path, flags, 0o600)
    defer { if file >= 0 { close(file) } }
    return outcome(Int(file))
}

/// Connects to a port of this machine.
private func connects(_ port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            outcome(Int(connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))))
        }
    }
}

private func listens() -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            outcome(Int(bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))))
        }
    }
}

private func creates(_ domain: Int32, _ type: __socket_type) -> Int32 {
    let descriptor = socket(domain, Int32(type.rawValue), 0)
    defer { if descriptor >= 0 { close(descriptor) } }
    return outcome(Int(descriptor))
}

private func starts(_ program: String) -> Int32 {
    var process = pid_t()
    return posix_spawn(&process, program, nil, nil, [nil], [nil])
}

private func allocates(_ gigabytes: Int) -> Int32 {
    let memory = mmap(nil, gigabytes << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return memory == MAP_FAILED ? errno : 0
}

/// Asks the host for a file.
private func asks(_ path: String) -> Int32 {
    let file = Sandbox.host?.open(URL(filePath: path)) ?? -ENOSYS
    if file >= 0 { close(file) }
    return file < 0 ? -file : 0
}

/// Asks the host for a connection.
private func asks(_ port: UInt16) async -> Int32 {
    do throws(ConnectionFailure) {
        guard let host = Sandbox.host else { return ENOSYS }
        close(try await host.connect(to: Server(host: "127.0.0.1", port: port), within: 10))
        return 0
    } catch {
        return EACCES
    }
}

private func attempts(_ options: [String: String], item: URL) async -> [String: Int32] {
    let secret = options["secret"] ?? ""
    let port = UInt16(options["port"] ?? "") ?? 0
    let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
    return [
        "read a file of the user": opens(secret, O_RDONLY),
        "read the item": opens(item.path(percentEncoded: false), O_RDONLY),
        "write beside it": opens(secret + ".new", O_WRONLY | O_CREAT),
        "read a file of the system": opens("/etc/passwd", O_RDONLY),
        "write to the cache": opens("\(cache)/probe-\(getpid())", O_RDWR | O_CREAT),
        "connect": connects(port),
        "listen": listens(),
        "create a datagram socket": creates(AF_INET, SOCK_DGRAM),
        "create a socket of IPv6": creates(AF_INET6, SOCK_STREAM),
        "create a socket of this machine": creates(AF_UNIX, SOCK_STREAM),
        "start a program": starts("/bin/true"),
        "signal the host": outcome(Int(kill(getppid(), 0))),
        "change the root folder": outcome(Int(chroot("/"))),
        "take 8 GB": allocates(8),
        "take 1 GB": allocates(1),
        "ask for the item": asks(item.path(percentEncoded: false)),
        "ask for a file of the user": asks(secret),
        "ask for a connection": await asks(port),
    ]
}

private final class Probe: PlaybackBackend {
    let capabilities = BackendCapabilities(features: [])
    private let options: [String: String]
    private let receive = Mutex<(@Sendable (BackendEvent) -> Void)?>(nil)

    init(_ options: [String: String]) { self.options = options }

    func start(_ receive: @escaping @Sendable (BackendEvent) -> Void) { self.receive.withLock { $0 = receive } }

    func send(_ command: BackendCommand) {
        guard case .open(let request) = command, let receive = receive.withLock(\.self) else { return }
        // Other threads have the same limits as the first one.
        Task.detached { [options] in
            func report(_ body: BackendEvent.Body) {
                receive(BackendEvent(body, generation: request.generation, hostTime: ContinuousClock().hostTime))
            }
            switch options["lie"] {
            case "time":
                receive(
                    BackendEvent(
                        .time(position: 0), generation: request.generation, hostTime: Duration(attoseconds: .min)))
            case "capabilities": report(.capabilitiesChanged(BackendCapabilities(rates: 0...0)))
            case "position": report(.time(position: 1e300))
            case "count":
                var statistics = PlaybackStatistics()
                statistics.bytesReceived = .max
                for _ in 0..<2 { report(.statistics(statistics)) }
            case "size": report(.videoSizeChanged(VideoSize(width: 1 << 40, height: 1 << 40)))
            case "window":
                // The initializer orders both, a message need not.
                let window = Data(#"{"start": 2, "end": 1}"#.utf8)
                report(.dvrWindowChanged(try? JSONDecoder().decode(DVRWindow.self, from: window)))
            default: break
            }
            if options["bare"] != nil {
                #if VLC
                playWithoutProtections(request.url, writingTo: options["out"])
                #endif
            } else {
                for (name, outcome) in await attempts(options, item: request.url) {
                    report(.notice(PlaybackNotice(code: "probe", message: "\(name): \(outcome)")))
                }
            }
            report(.failed(PlaybackError(.engineFailed, url: request.url), position: 0))
        }
    }

    func setVideoOutput(_ output: VideoOutput) {}
}

EngineServer.run(engines: ["probe": { Probe($0) }])
