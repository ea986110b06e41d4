#if GStreamer
import Foundation

/// The sockets of this process that are connected to the Wayland compositor.
///
/// `waylandsink` waits 100 ms for the compositor's answer to a new window. After that it draws without the answer, and the
/// compositor closes the connection. The element does not report that, but its socket shows it.
struct WaylandSockets {
    private var descriptors: Set<Int32>

    /// Those that are open now.
    init() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let display = ProcessInfo.processInfo.environment["WAYLAND_DISPLAY"] ?? "wayland-0"
        descriptors = Set(names.compactMap { Int32($0) }.filter { Self.peer(of: $0) == Self.lastPart(of: display) })
    }

    /// Those that are not in `others`.
    func subtracting(_ others: Self) -> Self {
        var result = self
        result.descriptors.subtract(others.descriptors)
        return result
    }

    /// `true` if the compositor has closed one of the connections.
    var isClosed: Bool {
        descriptors.contains { descriptor in
            var poller = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&poller, 1, 0) == 1 && poller.revents & Int16(POLLHUP) != 0
        }
    }

    /// The name of the server's socket, without its folder.
    ///
    /// - Returns: `nil` for a descriptor that is no socket, or whose peer has no path.
    private static func peer(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: address.sun_path) { bytes in
            lastPart(of: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        }
    }

    private static func lastPart(of path: String) -> String? { path.split(separator: "/").last.map(String.init) }
}
#endif
