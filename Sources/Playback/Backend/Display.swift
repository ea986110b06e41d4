import Foundation

/// The display of the desktop.
package enum Display {
    /// `true` if the Wayland compositor or the X server that the environment names accepts connections. A server on
    /// another machine is not asked.
    ///
    /// A variable may outlive its server, for example after a remote session. libVLC would then try to open a window
    /// for each frame.
    package static func isAvailable(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> Bool
    {
        wayland(variable("WAYLAND_DISPLAY") ?? "", folder: variable("XDG_RUNTIME_DIR") ?? "")
            || x11(variable("DISPLAY") ?? "")
    }

    private static func wayland(_ name: String, folder: String) -> Bool {
        guard !name.isEmpty else { return false }
        return accepts(name.hasPrefix("/") ? name : "\(folder)/\(name)")
    }

    /// - Parameter name: as in `:0`, `unix:0.1` or `localhost:10.0`.
    private static func x11(_ name: String) -> Bool {
        guard let match = name.wholeMatch(of: /(.*):(\d+)(\.\d+)?/), let number = UInt16(match.2) else { return false }
        switch match.1 {
        case "", "unix":
            let path = "/tmp/.X11-unix/X\(number)"
            // Linux has a second name for the socket, outside the file system.
            return accepts("\0" + path) || accepts(path)
        case "localhost", "127.0.0.1": return accepts(port: 6000 &+ number)
        default: return true
        }
    }

    private static func accepts(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return connects(&address, byteCount: MemoryLayout<sa_family_t>.size + bytes.count)
    }

    private static func accepts(port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return connects(&address, byteCount: MemoryLayout<sockaddr_in>.size)
    }

    private static func connects<Address>(_ address: inout Address, byteCount: Int) -> Bool {
        withUnsafeBytes(of: &address) { bytes in
            guard let pointer = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = socket(Int32(pointer.pointee.sa_family), type, 0)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return connect(descriptor, pointer, socklen_t(byteCount)) == 0
        }
    }
}
