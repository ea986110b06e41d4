import CCurl
import Foundation
import Playback

/// The policies and cookies for the requests of one item.
package struct HTTPRequestOptions: Sendable {
    let retry: RetryPolicy
    let security: MediaSecurityPolicy
    let cookies: CookieJar
    var meter = TransferMeter()
    /// The header fields for the origins in `headerOrigins`.
    var headers: [String: String] = [:]
    /// The addresses whose origins receive `headers`. No other server does, wherever it redirects from.
    var headerOrigins: [URL] = []
    var redirectLimit = 10
    /// `true` if a redirect to another server is an error.
    var staysAtOrigin = false
    /// `true` if requests ask for ranges, so that the response shows if the server supports them.
    var usesRanges = true

    package init(retry: RetryPolicy, security: MediaSecurityPolicy, cookies: CookieJar) {
        (self.retry, self.security, self.cookies) = (retry, security, cookies)
    }

    /// - Parameter address: the current address of the item.
    package init(_ item: PlayerItem, at address: URL, cookies: CookieJar, meter: TransferMeter) {
        self.init(retry: item.retryPolicy, security: item.securityPolicy, cookies: cookies)
        self.meter = meter
        (headers, headerOrigins) = (item.sentHeaders, [item.url, address] + item.httpHeaderOrigins)
    }

    /// The header fields for a request.
    func headers(for url: URL) -> [String: String] { headerOrigins.contains { $0.hasOrigin(of: url) } ? headers : [:] }
}

/// One request in libcurl, or the reading of one file. Only the client's thread uses it.
final class HTTPTransfer {
    /// One GET request.
    struct Request {
        /// The requests that share a limit of connections: those of one item to one origin.
        struct Route: Hashable {
            let item: CookieJar.ID
            let origin: String
        }

        let url: URL
        let range: ByteRange
        let options: HTTPRequestOptions
        /// The time that the server may send nothing, in seconds. Once its response has begun, the read timeout applies too. Time in
        /// which the receiver waits does not count.
        let timeout: Double
        /// `true` to decompress the body. The request has no range then.
        let decompresses: Bool

        var route: Route { Route(item: options.cookies.id, origin: url.origin) }
    }

    enum Verdict {
        case go
        case pause
        /// With the error of the response, if there is one.
        case stop(PlaybackError?)
    }

    enum Outcome {
        case complete
        case stopped(PlaybackError?)
        /// The receiver paused, and the transfer had to end. A new request must load the rest.
        case paused
        case redirected(URL)
        /// The server compresses the file, although the request does not ask for it. A new request must decompress it.
        case compressed
        case failed(PlaybackError)
    }

    private static let agent = "swift-flowplayer"
    /// The macros `CURLAUTH_BASIC | CURLAUTH_DIGEST`, which Swift does not import.
    private static let logins = 1 << 0 | 1 << 1
    /// Old radio servers send `ICY 200 OK` in place of `HTTP/1.0 200 OK`.
    // Never freed, because libcurl does not copy it. Never written again.
    private nonisolated(unsafe) static let aliases = curl_slist_append(nil, "ICY 200 OK")

    let request: Request
    let receiver: HTTPReader.Load
    let easy: UnsafeMutableRawPointer
    let completion: (Outcome) -> Void
    var countsForLimit = true
    private(set) var isPaused = false

    private let file: LocalFile?
    /// The connections of a process in a sandbox.
    private let connections: HostConnections?
    /// libcurl writes its messages into this buffer.
    private let messages: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var lastSign = ContinuousClock.now
    private var head: HTTPHead?
    /// The outcome that the response decided before its end.
    private var decision: Outcome?

    /// - Parameters:
    ///   - connections: `nil` if libcurl opens its own.
    ///   - share: a libcurl share handle with the item's cookies.
    init(
        _ request: Request, _ receiver: HTTPReader.Load, through connections: HostConnections?,
        share: UnsafeMutableRawPointer?, completion: @escaping (Outcome) -> Void
    ) throws(PlaybackError) {
        file = request.url.isFileURL ? try LocalFile(request.url) : nil
        self.connections = connections
        guard let easy = curl_easy_init() else {
            throw PlaybackError(.engineFailed, url: request.url, detail: "libcurl could not start.")
        }
        self.request = request
        self.receiver = receiver
        self.easy = easy
        self.completion = completion
        messages = .allocate(capacity: Int(CURL_ERROR_SIZE))
        messages.initialize(to: 0)
        configure(share)
        connections?.serve(easy)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
        messages.deallocate()
    }

    private func configure(_ share: UnsafeMutableRawPointer?) {
        let texts: [(CURLoption, String?)] = [
            (CURLOPT_URL, request.url.absoluteString),
            (CURLOPT_PROTOCOLS_STR, file == nil ? "http,https" : "file"),
            (CURLOPT_USERAGENT, Self.agent),
            (CURLOPT_RANGE, request.options.usesRanges && !request.decompresses ? request.range.text : nil),
            // An empty text asks for all compressions that libcurl knows. Without a text, libcurl decompresses nothing.
            (CURLOPT_ACCEPT_ENCODING, request.decompresses ? "" : nil),
            // An empty name keeps cookies in memory.
            (CURLOPT_COOKIEFILE, ""),
        ]
        for (option, value) in texts { flowplayer_curl_set_text(easy, option, value) }
        let isEncrypted = request.url.scheme?.lowercased() == "https"
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_BUFFERSIZE, 128 << 10), (CURLOPT_HTTPAUTH, Self.logins),
            // A second request waits to know if the first one's connection is HTTP/2.
            (CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0),
        ]
        for (option, value) in numbers { flowplayer_curl_set_number(easy, option, value) }
        flowplayer_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, messages)
        flowplayer_curl_set_pointer(easy, CURLOPT_HTTP200ALIASES, Self.aliases)
        flowplayer_curl_set_pointer(easy, CURLOPT_SHARE, share)
        for (name, value) in request.options.headers(for: request.url) { add(name, value) }
        flowplayer_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
        flowplayer_curl_set_write(
            easy,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().take(bytes)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func add(_ name: String, _ value: String) {
        // In one field with the cookies of the server.
        guard name.lowercased() != "cookie" else {
            flowplayer_curl_set_text(easy, CURLOPT_COOKIE, value)
            return
        }
        // libcurl removes a field that ends with its colon.
        headers = curl_slist_append(headers, value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    // MARK: Timeout

    /// The time that the server may send nothing, in seconds.
    private var currentTimeout: Double {
        head == nil ? request.timeout : min(request.timeout, request.options.retry.readTimeout)
    }

    /// The time until the request times out, in seconds.
    var timeLeft: Double {
        isPaused ? .infinity : currentTimeout - (.now - lastSign) / .seconds(1)
    }

    var timeout: PlaybackError {
        PlaybackError(.timedOut, url: request.url).after(.waited(seconds: currentTimeout))
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        lastSign = .now
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    // MARK: Response

    /// - Returns: the value for libcurl: the number of bytes that were taken.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastSign = .now
        // A short body is taken to its end, because that keeps the connection open.
        guard let head = head ?? begin() else { return field("Content-Length") == "\(bytes.count)" ? bytes.count : -1 }
        switch receiver.take(bytes) {
        case .go: return bytes.count
        // libcurl 7 lets a paused HTTP/2 stream block the other streams of its connection.
        case .pause where isMultiplexed && head.isPart: decision = .paused
        case .pause:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop(let error): decision = .stopped(error)
        }
        return -1
    }

    /// - Returns: the head of the response, if its bytes are wanted.
    private func begin() -> HTTPHead? {
        let status = file == nil ? number(CURLINFO_RESPONSE_CODE) : 206
        let url = request.url
        switch status {
        case 200..<300:
            let head = HTTPHead(status: status, url: url, field: field)
            guard request.decompresses || !head.isCompressed else {
                decision = .compressed
                return nil
            }
            self.head = head
            if case .stop(let error) = receiver.begin(head) {
                decision = .stopped(error)
                return nil
            }
            return head
        case 300..<400:
            let target = field("Location").flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
            let error = PlaybackError(.invalidResponse, url: url, httpStatus: status)
            decision = target.map { .redirected($0) } ?? .failed(error)
        default: decision = .failed(PlaybackError(httpStatus: status, url: url))
        }
        return nil
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        flowplayer_curl_get_number(easy, info, &value)
        return value
    }

    private var isMultiplexed: Bool { number(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

    private func field(_ name: String) -> String? {
        if let file { return file.field(name, from: request.range.first) }
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK else { return nil }
        return header?.pointee.value.map { String(cString: $0) }
    }

    // MARK: Outcome

    func outcome(of code: CURLcode) -> Outcome {
        // A response without a body has not begun yet.
        if code == CURLE_OK, head == nil, decision == nil { _ = begin() }
        return decision ?? (code == CURLE_OK ? .complete : .failed(error(of: code)))
    }

    private func error(of code: CURLcode) -> PlaybackError {
        let message = String(cString: messages)
        let cause = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        let kind = PlaybackErrorCode(code, systemError: number(CURLINFO_OS_ERRNO))
        return .unreachable(kind, url: request.url, cause: cause)
    }
}

extension PlaybackErrorCode {
    /// The meaning of libcurl's codes.
    ///
    /// - Parameter systemError: the number of the last error of the system.
    init(_ code: CURLcode, systemError: Int) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
            case CURLE_COULDNT_CONNECT where systemError == Int(ECONNREFUSED): .connectionRefused
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_FILE_COULDNT_READ_FILE, CURLE_READ_ERROR: .readFailed
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
                .tlsFailed
            case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: .connectionLost
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM,
                CURLE_BAD_CONTENT_ENCODING:
                .invalidResponse
            default: .connectionFailed
            }
    }
}
