import CCurl
import Foundation
import Playback

/// The connections of one transfer in a sandbox: the host has opened them.
///
/// libcurl neither resolves names there nor connects. It receives a placeholder for each name, and asks for a socket with the
/// placeholder's address. The first attempt of a transfer has no socket: it finds out if libcurl needs one, and for which server.
/// libcurl keeps connections open, so it mostly needs none. Only the client's thread uses this class.
///
/// libcurl 7.88 connects a socket again that is connected already (later versions do not). The sandbox answers that a connection to an
/// address of IPv6 is in progress, and libcurl then finds the socket connected. So the placeholders are addresses of IPv6.
final class HostConnections {
    /// `CURL_SOCKOPT_ALREADY_CONNECTED`, a macro which Swift does not import.
    private static let isConnected: Int32 = 2

    /// The server whose connection libcurl has asked for in vain.
    private(set) var missing: Server?
    private var socket: Int32?
    /// The servers by their placeholders, of the range that leads nowhere (RFC 6666): the item's, and proxies of the environment.
    private let servers: [String: Server]
    private let resolutions: UnsafeMutablePointer<curl_slist>?

    /// - Parameter socket: a connected socket, which this object owns.
    init(for url: URL, socket: Int32? = nil) {
        self.socket = socket
        var servers: [String: Server] = [:]
        var list: UnsafeMutablePointer<curl_slist>?
        for (number, server) in ([Server(of: url)] + Self.proxies).enumerated() {
            guard let server else { continue }
            let placeholder = "100::\(number + 1)"
            servers[placeholder] = server
            list = curl_slist_append(list, "\(server.host):\(server.port):[\(placeholder)]")
        }
        (self.servers, resolutions) = (servers, list)
    }

    deinit {
        if let socket { close(socket) }
        curl_slist_free_all(resolutions)
    }

    /// Makes libcurl use these connections. The object must outlive the transfer.
    func serve(_ easy: UnsafeMutableRawPointer) {
        flowplayer_curl_set_pointer(easy, CURLOPT_RESOLVE, resolutions)
        flowplayer_curl_set_sockets(
            easy,
            { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<HostConnections>.fromOpaque(context).takeUnretainedValue().take(for: &address.pointee)
            }, { _, _, _ in HostConnections.isConnected }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func take(for address: inout curl_sockaddr) -> curl_socket_t {
        if let socket {
            self.socket = nil
            return socket
        }
        let length = address.addrlen
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let error = withUnsafePointer(to: &address.addr) {
            getnameinfo(
                $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
        }
        // An address that is no placeholder was a number in the first place.
        if error == 0, let number = UInt16(Self.text(port)) {
            missing = servers[Self.text(host)] ?? Server(host: Self.text(host), port: number)
        }
        return CURL_SOCKET_BAD
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The proxies that libcurl reads from the environment.
    private static let proxies: [Server?] = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ].map { name in
        guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
        return URL(string: text.contains("://") ? text : "http://\(text)").flatMap { Server(of: $0, defaultPort: 1080) }
    }
}

extension Server {
    /// The server of an address. Without `defaultPort`, the port is that of the scheme.
    fileprivate init?(of url: URL, defaultPort: Int? = nil) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty,
            let port = UInt16(exactly: url.port ?? defaultPort ?? (url.scheme?.lowercased() == "https" ? 443 : 80))
        else { return nil }
        self.init(host: host, port: port)
    }

    /// Connects with the system's own means: names are resolved, and all addresses of a name are tried. Blocks.
    ///
    /// - Parameter seconds: the longest time, limited to an hour.
    /// - Returns: the descriptor of a socket, which the caller closes.
    package func connect(within seconds: Double) throws(ConnectionFailure) -> Int32 {
        guard let easy = curl_easy_init() else {
            throw ConnectionFailure(code: .engineFailed, cause: "libcurl could not start.")
        }
        defer { curl_easy_cleanup(easy) }
        var components = URLComponents()
        (components.scheme, components.host, components.port) = (
            "http", host.contains(":") ? "[\(host)]" : host, Int(port)
        )
        flowplayer_curl_set_text(easy, CURLOPT_URL, components.string)
        flowplayer_curl_set_text(easy, CURLOPT_PROXY, "")
        flowplayer_curl_set_number(easy, CURLOPT_CONNECT_ONLY, 1)
        flowplayer_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        flowplayer_curl_set_number(easy, CURLOPT_TCP_KEEPALIVE, 1)
        flowplayer_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(seconds, 0.001), 3600) * 1000))
        let code = curl_easy_perform(easy)
        var socket = CURL_SOCKET_BAD
        if code == CURLE_OK, flowplayer_curl_get_socket(easy, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD {
            let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            if own >= 0 { return own }
        }
        var systemError = 0
        flowplayer_curl_get_number(easy, CURLINFO_OS_ERRNO, &systemError)
        throw ConnectionFailure(
            code: PlaybackErrorCode(code, systemError: systemError), cause: String(cString: curl_easy_strerror(code)))
    }
}
