#if GStreamer
import Foundation
import MediaTransport
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
        if addresses(of: host).isEmpty { return .hostNotFound }
        guard let port else { return nil }
        do throws(ConnectionFailure) {
            close(try Server(host: host, port: port).connect(within: timeout))
            return nil
        } catch {
            // Without libcurl there is no reason.
            return error.code == .engineFailed ? nil : error.code
        }
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
}
#endif
