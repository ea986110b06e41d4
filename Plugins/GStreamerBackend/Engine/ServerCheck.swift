#if GStreamer
import Foundation
import Playback

/// Finds the reason why a server cannot be reached, which elements of GStreamer do not report.
enum ServerCheck {
    /// Resolves the name of a host, and connects to a port. Blocks.
    ///
    /// - Parameters:
    ///   - port: `nil` to only resolve the name.
    ///   - timeout: for the connection, in seconds.
    /// - Returns: `nil` if both succeed.
    static func problem(host: String, port: UInt16?, timeout: Double) -> PlaybackErrorCode? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port.map(String.init), &hints, &list) == 0 else { return .hostNotFound }
        defer { freeaddrinfo(list) }
        guard port != nil else { return nil }
        var problem: PlaybackErrorCode? = .connectionFailed
        var next = list
        while let address = next?.pointee, problem != nil {
            problem = connectionProblem(address, timeout)
            next = address.ai_next
        }
        return problem
    }

    /// The numeric addresses of a host. Blocks.
    static func addresses(of host: String) -> Set<String> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: Set<String> = []
        var next = list
        while let address = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            getnameinfo(
                address.ai_addr, address.ai_addrlen, &text, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST))
            text.withUnsafeBufferPointer { if let start = $0.baseAddress { addresses.insert(String(cString: start)) } }
            next = address.ai_next
        }
        return addresses
    }

    private static func connectionProblem(_ address: addrinfo, _ timeout: Double) -> PlaybackErrorCode? {
        let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, kind, address.ai_protocol)
        guard descriptor >= 0 else { return .connectionFailed }
        defer { close(descriptor) }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return code(errno) }
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&poller, 1, Int32(clamping: Int64(min(timeout, 3600) * 1000))) == 1 else { return .timedOut }
        var (error, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        return error == 0 ? nil : code(error)
    }

    private static func code(_ error: Int32) -> PlaybackErrorCode {
        switch error {
        case ECONNREFUSED: .connectionRefused
        case ETIMEDOUT: .timedOut
        default: .connectionFailed
        }
    }
}
#endif
