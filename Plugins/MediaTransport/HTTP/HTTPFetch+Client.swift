#if VLC || GStreamer
import Foundation
import Playback

extension HTTPFetch {
    /// Makes one request with the HTTP client of the process.
    @concurrent package static func answer(to request: Request) async throws(Failure) -> Answer {
        var retry = RetryPolicy.none
        retry.openTimeout = .infinity
        retry.readTimeout = .infinity
        var options = HTTPRequestOptions(retry: retry, security: request.security, cookies: CookieJar())
        (options.headers, options.headerOrigins) = (request.headers, [request.url])
        options.redirectLimit = redirectLimit
        options.staysAtOrigin = request.redirects == .sameOrigin
        options.usesRanges = false
        let reader = HTTPReader(request.url, by: options)
        let body = await reader.whole(upTo: request.limit, within: request.timeout)
        if let body, let head = reader.head { return Answer(status: head.status, body: Data(body), url: head.url) }
        guard let error = reader.error else {
            if reader.position > request.limit { throw .tooLong }
            throw .network(reason: Task.isCancelled ? "The request was cancelled." : reason(for: .timedOut, .anyServer))
        }
        if let status = error.httpStatus { return Answer(status: status, body: Data(), url: request.url) }
        throw .network(reason: reason(for: error.code, request.redirects))
    }

    static func reason(for code: PlaybackErrorCode, _ redirects: Redirects) -> String {
        switch code {
        case .addressForbidden: redirects.refusal
        case .tooManyRedirects, .timedOut, .connectionRefused, .hostNotFound, .connectionLost, .tlsFailed: code.summary
        default: PlaybackErrorCode.connectionFailed.summary
        }
    }
}
#endif
