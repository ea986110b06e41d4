#if VLC
import CCurl
import Foundation
import Playback

/// Gets bytes from a server, or of a file, over libcurl, one request after another. Redirects are told, not followed.
///
/// `run` returns when the transfer is over; `wake` may be called from any thread until the last of these returns.
// Unchecked: `multi` is only read, and curl allows `curl_multi_wakeup` from any thread; all else is used by `run` alone.
package final class HTTPTransfer: @unchecked Sendable {
    package enum Verdict { case go, wait, stop }

    /// Takes what comes. Called on the thread of `run`.
    package protocol Receiver: AnyObject {
        /// Called once, before the bytes.
        func begin(_ head: HTTPHead) -> Verdict
        /// `wait`: the same bytes come again as soon as `verdict` is `go`.
        func take(_ bytes: UnsafeRawBufferPointer) -> Verdict
        /// Whether more is wanted now. Asked after `wake`.
        var verdict: Verdict { get }
    }

    package enum Outcome {
        case complete
        case stopped
        case redirected(URL)
        case failed(PlaybackError)
    }

    package static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let agent = "swift-flowplayer"
    /// Basic and Digest, whichever the server wants. The C names are not imported.
    private static let logins = 1 << 0 | 1 << 1
    /// Old servers of radio say `ICY 200 OK` for `HTTP/1.0 200 OK`.
    // Never freed, since curl does not copy it.
    private nonisolated(unsafe) static let aliases = curl_slist_append(nil, "ICY 200 OK")

    private let multi: OpaquePointer?

    private let cookies: CookieJar

    package init(_ cookies: CookieJar) {
        self.cookies = cookies
        multi = Self.isReady ? curl_multi_init().map { OpaquePointer($0) } : nil
    }

    deinit { if let multi { curl_multi_cleanup(UnsafeMutableRawPointer(multi)) } }

    package func wake() { if let multi { curl_multi_wakeup(UnsafeMutableRawPointer(multi)) } }

    /// - Parameters:
    ///   - range: what is wanted.
    ///   - patience: in seconds: of a server that sends nothing for so long, no more is expected. It does not count while the
    ///     receiver waits.
    package func run(_ url: URL, _ range: ByteRange, patience: Double, _ receiver: any Receiver) -> Outcome {
        guard let multi = multi.map({ UnsafeMutableRawPointer($0) }), let easy = curl_easy_init() else {
            return .failed(PlaybackError(.engineFailed, url: url, detail: "libcurl could not start."))
        }
        let file: LocalFile?
        do throws(PlaybackError) {
            file = url.isFileURL ? try LocalFile(url) : nil
        } catch {
            curl_easy_cleanup(easy)
            return .failed(error)
        }
        let context = Context(receiver, easy, url, file, range)
        configure(easy, url, range, context)
        curl_multi_add_handle(multi, easy)
        defer {
            curl_multi_remove_handle(multi, easy)
            curl_easy_cleanup(easy)
            // curl writes into it until then.
            withExtendedLifetime(context) {}
        }
        let clock = ContinuousClock()
        var lastSign = clock.now
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if context.isStopped { return .stopped }
            if let outcome = running == 0 ? self.outcome(multi, context) : nil { return outcome }
            switch receiver.verdict {
            case .stop: return .stopped
            case .wait: lastSign = clock.now
            case .go:
                if context.isWaiting {
                    context.isWaiting = false
                    lastSign = clock.now
                    curl_easy_pause(easy, CURLPAUSE_CONT)
                    continue
                }
            }
            if context.hasSign {
                context.hasSign = false
                lastSign = clock.now
            }
            let left = patience - (clock.now - lastSign) / .seconds(1)
            guard left > 0 else {
                return .failed(PlaybackError(.timedOut, url: url).after(.waited(seconds: patience)))
            }
            curl_multi_poll(multi, nil, 0, Int32(min(left, 10) * 1000) + 1, nil)
        }
    }

    private func configure(_ easy: UnsafeMutableRawPointer, _ url: URL, _ range: ByteRange, _ context: Context) {
        let text: [(CURLoption, String)] = [
            (CURLOPT_URL, url.absoluteString),
            (CURLOPT_PROTOCOLS_STR, url.isFileURL ? "file" : "http,https"),
            (CURLOPT_USERAGENT, Self.agent),
            (CURLOPT_RANGE, range.text),
        ]
        cookies.join(easy)
        for (option, value) in text { flowplayer_curl_set_text(easy, option, value) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_BUFFERSIZE, 128 << 10),
            (CURLOPT_HTTPAUTH, Self.logins),
        ]
        for (option, value) in numbers { flowplayer_curl_set_number(easy, option, value) }
        flowplayer_curl_set_buffer(easy, CURLOPT_ERRORBUFFER, context.complaints)
        flowplayer_curl_set_list(easy, CURLOPT_HTTP200ALIASES, Self.aliases)
        flowplayer_curl_set_write(
            easy,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().take(bytes)
            }, Unmanaged.passUnretained(context).toOpaque())
    }

    private func outcome(_ multi: UnsafeMutableRawPointer, _ context: Context) -> Outcome? {
        var left: Int32 = 0
        guard let message = curl_multi_info_read(multi, &left)?.pointee, message.msg == CURLMSG_DONE else {
            return nil
        }
        let code = message.data.result
        // What has no body was not begun.
        if code == CURLE_OK, !context.hasBegun { _ = context.begin() }
        if let target = context.redirect { return .redirected(target) }
        if let error = context.refusal { return .failed(error) }
        return code == CURLE_OK ? .complete : .failed(context.error(code))
    }

    /// One request.
    private final class Context {
        package var hasSign = false
        package var isWaiting = false
        package private(set) var isStopped = false
        package private(set) var hasBegun = false
        package private(set) var redirect: URL?
        package private(set) var refusal: PlaybackError?
        /// Where curl says what is wrong.
        package let complaints = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        private let receiver: any Receiver
        private let easy: UnsafeMutableRawPointer
        private let url: URL
        private let file: LocalFile?
        private let range: ByteRange

        package init(
            _ receiver: any Receiver, _ easy: UnsafeMutableRawPointer, _ url: URL, _ file: LocalFile?,
            _ range: ByteRange
        ) {
            self.receiver = receiver
            self.easy = easy
            self.url = url
            self.file = file
            self.range = range
            complaints.initialize(to: 0)
        }

        deinit { complaints.deallocate() }

        private var complaint: String { String(cString: complaints) }

        /// How much was taken, as curl wants to know it.
        package func take(_ bytes: UnsafeRawBufferPointer) -> Int {
            hasSign = true
            if !hasBegun, !begin() { return -1 }
            switch receiver.take(bytes) {
            case .go: return bytes.count
            case .wait:
                isWaiting = true
                return Int(CURL_WRITEFUNC_PAUSE)
            case .stop:
                isStopped = true
                return -1
            }
        }

        /// Whether bytes of the medium follow.
        package func begin() -> Bool {
            hasBegun = true
            var status = 206
            if file == nil { flowplayer_curl_get_number(easy, CURLINFO_RESPONSE_CODE, &status) }
            switch status {
            case 200..<300: break
            case 300..<400:
                redirect = location
                if redirect == nil { refusal = PlaybackError(.invalidResponse, url: url, httpStatus: status) }
                return false
            default:
                refusal = PlaybackError(httpStatus: status, url: url)
                return false
            }
            switch receiver.begin(HTTPHead(status: status, url: url, field: field)) {
            case .go, .wait: return true
            case .stop:
                isStopped = true
                return false
            }
        }

        private var location: URL? {
            field("Location").flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
        }

        private func field(_ name: String) -> String? {
            if let file { return file.field(name, from: range.first) }
            var header: UnsafeMutablePointer<curl_header>?
            guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK else {
                return nil
            }
            return header?.pointee.value.map { String(cString: $0) }
        }

        package func error(_ code: CURLcode) -> PlaybackError {
            let host = url.host() ?? ""
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
                return error(.hostNotFound, code, "Unknown host \(host).")
            case CURLE_COULDNT_CONNECT:
                var number = 0
                flowplayer_curl_get_number(easy, CURLINFO_OS_ERRNO, &number)
                guard number == Int(ECONNREFUSED) else { return error(.connectionFailed, code) }
                let place = host + (url.port.map { ":\($0)" } ?? "")
                return error(.connectionRefused, code, "\(place) refused the connection.")
            case CURLE_OPERATION_TIMEDOUT: return error(.timedOut, code)
            case CURLE_FILE_COULDNT_READ_FILE, CURLE_READ_ERROR: return error(.readFailed, code)
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
                return error(.tlsFailed, code, "The secure connection to \(host) failed.")
            case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
                return error(.connectionLost, code)
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM,
                CURLE_BAD_CONTENT_ENCODING:
                return error(.invalidResponse, code)
            default: return error(.connectionFailed, code)
            }
        }

        private func error(_ kind: PlaybackErrorCode, _ code: CURLcode, _ detail: String? = nil) -> PlaybackError {
            let cause = complaint.isEmpty ? String(cString: curl_easy_strerror(code)) : complaint
            return PlaybackError(kind, url: url, detail: detail, cause: cause)
        }
    }
}
#endif
