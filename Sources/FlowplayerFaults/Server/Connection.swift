import FlyingSocks
import Foundation

/// A client's connection. Reads requests and sends their responses in order.
struct Connection {
    private static let longestHead = 64 << 10
    /// How long a reset waits until the client has received the bytes before it.
    private static let resetTimeout = Duration.seconds(10)

    let socket: AsyncSocket
    /// `nil` for plain HTTP.
    let tls: TLSSession?
    let handler: RequestHandler
    /// Stops the server for a time.
    let beginOutage: @Sendable (Duration) -> Void
    /// Bytes of the next request.
    private var received: [UInt8] = []

    init(
        _ socket: AsyncSocket, _ tls: TLSSession?, _ handler: RequestHandler,
        beginOutage: @escaping @Sendable (Duration) -> Void
    ) {
        self.socket = socket
        self.tls = tls
        self.handler = handler
        self.beginOutage = beginOutage
    }

    /// Serves the client until one side closes the connection, or the task is cancelled.
    mutating func run() async {
        do {
            while try await respond(to: nextRequest()) {}
        } catch {
            // The client has gone, or the server stops.
        }
        try? socket.close()
    }

    // MARK: Requests

    private mutating func nextRequest() async throws -> RequestHandler.Request {
        var end = received.firstRange(of: "\r\n\r\n".utf8)
        while end == nil {
            guard received.count < Self.longestHead else { throw SocketError.disconnected }
            received += try await receive()
            end = received.firstRange(of: "\r\n\r\n".utf8)
        }
        let head = String(decoding: received[..<end!.lowerBound], as: UTF8.self)
        received.removeFirst(end!.upperBound)
        guard let request = RequestHandler.Request(head: head, scheme: tls == nil ? "http" : "https") else {
            throw SocketError.disconnected
        }
        let length = request.headers["content-length"].flatMap { natural($0) } ?? 0
        while received.count < length { received += try await receive() }
        received.removeFirst(length)
        return request
    }

    private func receive() async throws -> [UInt8] {
        let bytes = try await socket.read(atMost: 1 << 12)
        guard let tls else { return bytes }
        let plain = tls.decrypt(bytes)
        try await socket.write(tls.takeOutput())
        guard let plain else { throw SocketError.disconnected }
        return plain
    }

    // MARK: Responses

    /// - Returns: `true` if the connection waits for the next request.
    private func respond(to request: RequestHandler.Request) async throws -> Bool {
        let (id, response) = handler.respond(to: request)
        do {
            if response.delay > .zero { try await handler.sleep(response.delay) }
            let keepAlive = request.keepsAlive && response.ending != .close
            if let status = response.status { try await send(response, status: status, keepAlive: keepAlive, id) }
            return try await end(response, keepAlive: keepAlive, id)
        } catch {
            handler.log.change(id) { $0.ending = .abandoned }
            throw error
        }
    }

    private func send(_ response: Response, status: Int, keepAlive: Bool, _ id: Int) async throws {
        let fields = response.allHeaders(keepAlive: keepAlive).map { "\($0.name): \($0.value)\r\n" }.joined()
        handler.log.change(id) { $0.status = status }
        try await send(Data("HTTP/1.1 \(status) \r\n\(fields)\r\n".utf8))
        let isChunked = response.framing == .chunked
        let size = response.bytesPerSecond.map { max(1, $0 / 10) } ?? 1 << 16
        let pause = response.bytesPerSecond.map { Duration.seconds(Double(size) / Double($0)) }
        var late = Duration.zero
        var rest = response.sentBody.prefix(response.limit ?? .max)
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            try await send(isChunked ? Self.chunk(piece) : piece)
            handler.log.change(id) { $0.bytesSent += piece.count }
            rest = rest.dropFirst(size)
            guard let pause, !rest.isEmpty else { continue }
            // A sleep may last longer than asked. The next ones are shorter then. A client that does not read gets nothing faster later.
            let due = handler.elapsed() + pause - late
            if late < pause { try await handler.sleep(pause - late) }
            late = handler.elapsed() - due
        }
        if isChunked, response.limit == nil, !response.isHead { try await send(Self.chunk(Data())) }
    }

    private static func chunk(_ bytes: Data) -> Data {
        Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8)
    }

    /// Returns when the system has accepted the bytes.
    private func send(_ bytes: Data) async throws { try await socket.write(tls?.encrypt(bytes) ?? bytes) }

    private func end(_ response: Response, keepAlive: Bool, _ id: Int) async throws -> Bool {
        switch response.ending {
        case .keepAlive, .close: handler.log.change(id) { $0.ending = .sent }
        case .cut(.close): handler.log.change(id) { $0.ending = .closed }
        case .cut(.hang):
            await untilClosed()
            handler.log.change(id) { $0.ending = .abandoned }
            return false
        case .cut(.reset):
            try await waitForAcknowledgement()
            var reset = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
            handler.log.change(id) { $0.ending = .reset }
            return false
        case .outage(let time):
            handler.log.change(id) { $0.ending = .closed }
            beginOutage(time)
            await untilClosed()
            return false
        }
        if response.ending == .keepAlive, keepAlive { return true }
        if let tls { try? await socket.write(tls.farewell()) }
        // A process that is starting has a copy of each descriptor, and keeps a connection open that is only closed.
        shutdown(descriptor, Int32(SHUT_WR))
        return false
    }

    private var descriptor: Int32 { socket.socket.file.rawValue }

    private func untilClosed() async {
        while (try? await receive()) != nil {}
    }

    /// A reset discards the bytes in transit. There is no event for their arrival, so this polls.
    private func waitForAcknowledgement() async throws {
        let deadline = ContinuousClock.now + Self.resetTimeout
        var count: Int32 = 0
        while ContinuousClock.now < deadline, ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

extension RequestHandler.Request {
    fileprivate init?(head: String, scheme: String) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count == 3, ["HTTP/1.0", "HTTP/1.1"].contains(words[2]) else { return nil }
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        (method, target) = (words[0], words[1])
        headers = Dictionary(fields) { "\($0), \($1)" }
        base = "\(scheme)://\(headers["host"] ?? "127.0.0.1")"
        let connection = headers["connection"]?.lowercased()
        keepsAlive = words[2] == "HTTP/1.0" ? connection == "keep-alive" : connection != "close"
    }
}
