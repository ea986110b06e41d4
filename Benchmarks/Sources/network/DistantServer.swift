import Foundation
import Synchronization

/// A file server on the loopback interface that answers as if it were far away: each new connection and each request costs one
/// round trip. A connection with TLS 1.3 costs two.
final class DistantServer: Sendable {
    struct Count {
        var connections = 0
        var requests = 0
        var open = 0
        /// The most connections that were open at the same time.
        var mostOpen = 0
    }

    let port: UInt16
    private let folder: URL
    private let roundTrip: Double
    private let connectionDelay: Double
    private let counted = Mutex(Count())

    /// - Parameters:
    ///   - roundTrip: in seconds.
    ///   - hasTLS: `true` if the clients connect over TLS, through another program.
    init(serving folder: URL, roundTrip: Double, hasTLS: Bool = false) throws {
        self.folder = folder
        self.roundTrip = roundTrip
        connectionDelay = hasTLS ? 2 * roundTrip : roundTrip
        let (listener, port) = try Self.listen()
        self.port = port
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    /// Returns a socket that listens on a free port, and the port.
    static func listen() throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.featureUnsupported) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    var count: Count { counted.withLock { $0 } }

    private func serve(_ connection: Int32) {
        counted.withLock { count in
            count.connections += 1
            count.open += 1
            count.mostOpen = max(count.mostOpen, count.open)
        }
        var isOn: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        Thread.sleep(forTimeInterval: connectionDelay)
        while let head = readHead(connection) {
            counted.withLock { $0.requests += 1 }
            Thread.sleep(forTimeInterval: roundTrip)
            guard answer(head, on: connection) else { break }
        }
        close(connection)
        counted.withLock { $0.open -= 1 }
    }

    /// - Returns: `nil` if the client has closed the connection.
    private func readHead(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func answer(_ head: String, on connection: Int32) -> Bool {
        let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        guard let data = try? Data(contentsOf: folder.appending(path: path), options: .alwaysMapped) else {
            return send(Data("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8), on: connection)
        }
        let range = head.firstMatch(of: /(?i)\r\nrange: *bytes=(\d+)-(\d*)/)
        let first = min(range.flatMap { Int($0.1) } ?? 0, data.count)
        let end = min((range.flatMap { Int($0.2) } ?? data.count - 1) + 1, data.count)
        var answer = range == nil ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"
        if range != nil { answer += "Content-Range: bytes \(first)-\(end - 1)/\(data.count)\r\n" }
        let types = ["mp4": "video/mp4", "m3u8": "application/vnd.apple.mpegurl", "ts": "video/mp2t"]
        let type = types[URL(filePath: path).pathExtension] ?? "application/octet-stream"
        answer += "Content-Type: \(type)\r\nAccept-Ranges: bytes\r\nContent-Length: \(end - first)\r\n\r\n"
        return send(Data(answer.utf8), on: connection) && send(data[first..<max(first, end)], on: connection)
    }

    private func send(_ data: Data, on connection: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let size = min(bytes.count - done, 1 << 17)
                let count = Glibc.send(connection, bytes.baseAddress! + done, size, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
