import Foundation
import Playback

/// Small requests: playlists, subtitles and configs, limited in time, size and redirects.
///
/// The HTTP client that also loads media makes them.
package enum HTTPFetch {
    package struct Request: Sendable {
        package let url: URL
        let headers: [String: String]
        /// The size limit of the body, in bytes.
        let limit: Int
        /// The time from now to the last byte.
        package var timeout: Duration
        /// `true` if no redirect may lead to another server, because the request has a secret.
        let staysAtOrigin: Bool
        /// The addresses that the request and its redirects may open.
        let security: MediaSecurityPolicy

        package init(
            _ url: URL, headers: [String: String] = [:], upTo limit: Int, within timeout: Duration,
            staysAtOrigin: Bool = false, security: MediaSecurityPolicy = .standard
        ) {
            (self.url, self.headers, self.limit, self.timeout) = (url, headers, limit, timeout)
            (self.staysAtOrigin, self.security) = (staysAtOrigin, security)
        }
    }

    package struct Answer: Sendable {
        package let status: Int
        /// Empty if the status is an error.
        package let body: Data
        /// The address after redirects.
        package let url: URL

        package init(status: Int, body: Data, url: URL) { (self.status, self.body, self.url) = (status, body, url) }
    }

    package enum Failure: Error, Hashable {
        /// With the error and a sentence for the user.
        case network(PlaybackErrorCode, reason: String)
        /// The body is longer than the limit.
        case tooLong
    }

    private static let redirectLimit = 5

    /// Makes one request with the HTTP client of the process.
    @concurrent package static func answer(to request: Request) async throws(Failure) -> Answer {
        var retry = RetryPolicy.none
        retry.openTimeout = .infinity
        retry.readTimeout = .infinity
        var options = HTTPRequestOptions(retry: retry, security: request.security, cookies: CookieJar())
        (options.headers, options.headerOrigins) = (request.headers, [request.url])
        options.redirectLimit = redirectLimit
        options.staysAtOrigin = request.staysAtOrigin
        options.usesRanges = false
        let reader = HTTPReader(request.url, by: options)
        let body = await reader.whole(upTo: request.limit, within: request.timeout)
        if let body, let head = reader.head { return Answer(status: head.status, body: Data(body), url: head.url) }
        guard let error = reader.error else {
            if reader.position > request.limit { throw .tooLong }
            let reason = Task.isCancelled ? "The request was cancelled." : reason(for: .timedOut)
            throw .network(.timedOut, reason: reason)
        }
        if let status = error.httpStatus { return Answer(status: status, body: Data(), url: request.url) }
        throw .network(error.code, reason: reason(for: error.code, staysAtOrigin: request.staysAtOrigin))
    }

    /// - Parameter staysAtOrigin: `true` if no redirect may lead to another server.
    static func reason(for code: PlaybackErrorCode, staysAtOrigin: Bool = false) -> String {
        switch code {
        case .addressForbidden where staysAtOrigin:
            "The server redirects to another one, which must not see this request."
        case .addressForbidden: "The server redirects to an address that is not allowed."
        case .tooManyRedirects, .timedOut, .connectionRefused, .hostNotFound, .connectionLost, .tlsFailed: code.summary
        default: PlaybackErrorCode.connectionFailed.summary
        }
    }
}
